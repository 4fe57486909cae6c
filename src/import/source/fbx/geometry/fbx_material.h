/* fbx_material – materials and the pictures that they use. */
#ifndef SINEW_IMPORT_FBX_MATERIAL_H
#define SINEW_IMPORT_FBX_MATERIAL_H

#include "import/source/fbx/objects/fbx_scene.h"

typedef struct fbx_materials {
  int32_t *index; /* by object: 1 + the raw material, or 0 */
} fbx_materials;

/* False when memory runs out. */
bool fbx_read_materials(fbx_scene *scene, fbx_materials *materials);

/* fbx_texture.c: reads the picture of a texture (or of the lowest layer of a layered one) as a raw image, and its
 * transform; `out` does not change if there is none. False when memory runs out. */
bool fbx_read_texture(fbx_scene *scene, const fbx_object *texture, sinew_texture *out);
/* The same without adding a raw image: sets `found`, and puts the pixels into raw memory. */
bool fbx_load_texture(fbx_scene *scene, const fbx_object *texture, sinew_image_view *image, bool *found);

#endif
