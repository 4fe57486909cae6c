/* fbx_takes – whether takes of an FBX begin or end between keys: Assimp drops the keys outside, and a curve then stands
 * still where it should move. */
#ifndef SINEW_IMPORT_FBX_TAKES_H
#define SINEW_IMPORT_FBX_TAKES_H

#include "import/source/files.h"

/* `stacks`: how many takes the file has. Of several only the first beginning and the last end are looked at. */
bool fbx_takes_cut_curves(const import_files *files, int stacks);

#endif
