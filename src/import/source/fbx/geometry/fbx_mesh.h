/* fbx_mesh – turns geometries into raw meshes, one for each model that has them and each of its materials. */
#ifndef SINEW_IMPORT_FBX_MESH_H
#define SINEW_IMPORT_FBX_MESH_H

#include "import/source/fbx/geometry/fbx_element.h"
#include "import/source/fbx/geometry/fbx_material.h"
#include "import/source/fbx/geometry/fbx_shape.h"

/* False and an error message for broken arrays, or when memory runs out. */
bool fbx_read_meshes(fbx_scene *scene, const fbx_materials *materials, fbx_blends *blends);

/* fbx_skin.c: turns the clusters of a geometry's skin into bones of raw mesh `mesh`. */
bool fbx_read_skin(fbx_scene *scene, const fbx_object *model, const fbx_object *geometry, int mesh,
                   const fbx_spread *spread);

#endif
