/* fbx_material – materials and the pictures that they use. */
#ifndef SINEW_IMPORT_FBX_MATERIAL_H
#define SINEW_IMPORT_FBX_MATERIAL_H

#include "import/source/fbx/objects/fbx_scene.h"

typedef struct fbx_materials {
  int32_t *index; /* by object: 1 + the raw material, or 0 */
} fbx_materials;

/* False when memory runs out. */
bool fbx_read_materials(fbx_scene *scene, fbx_materials *materials);

#endif
