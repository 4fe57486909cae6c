/* fbx_mesh – turns geometries into raw meshes, one for each model that has them and each of its materials. */
#ifndef SINEW_IMPORT_FBX_MESH_H
#define SINEW_IMPORT_FBX_MESH_H

#include "import/source/fbx/geometry/fbx_element.h"
#include "import/source/fbx/geometry/fbx_material.h"
#include "import/source/fbx/geometry/fbx_shape.h"

/* False and an error message for broken arrays, or when memory runs out. */
bool fbx_read_meshes(fbx_scene *scene, const fbx_materials *materials, fbx_blends *blends);

#endif
