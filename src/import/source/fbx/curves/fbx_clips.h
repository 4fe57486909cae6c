/* fbx_clips – stacks become clips of the raw model: from LocalStart to LocalStop, in seconds since LocalStart. */
#ifndef SINEW_IMPORT_FBX_CLIPS_H
#define SINEW_IMPORT_FBX_CLIPS_H

#include "import/source/fbx/geometry/fbx_shape.h"
#include "import/source/fbx/objects/fbx_skeleton.h"

/* Which joints' scales are the same along all axes in every clip: joint.even. */
void fbx_find_even_scales(const fbx_animation *animation, fbx_skeleton *skeleton);

/* False when memory is out. */
bool fbx_make_clips(fbx_scene *scene, const fbx_animation *animation, const fbx_skeleton *skeleton,
                    const fbx_blends *blends);

#endif
