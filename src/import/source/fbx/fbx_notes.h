/* fbx_notes – notes about content that Sinew does not play, each once, with advice. */
#ifndef SINEW_IMPORT_FBX_NOTES_H
#define SINEW_IMPORT_FBX_NOTES_H

#include "import/source/fbx/curves/fbx_animation.h"

/* False when memory runs out. */
bool fbx_note(fbx_scene *scene, const fbx_animation *animation);

#endif
