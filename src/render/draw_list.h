/* draw_list – what a frame draws: one entry for each mesh of each item, with the places of its numbers on the GPU. */
#ifndef SINEW_RENDER_DRAW_LIST_H
#define SINEW_RENDER_DRAW_LIST_H

#include "render/gpu_model.h"
#include "render/texel_pages.h"

typedef struct draw_call {
  const gpu_mesh *mesh;
  const gpu_material *material;
  const sinew_draw_item *item;
  texel_place palette;
  texel_place morph_list;
  int morph_active;
  bool mirrored;           /* triangles turn their backs: an odd number of axes is negated */
  bool transform_mirrored; /* … by the item's transform alone */
  float distance;          /* squared, from the camera: for blending back to front */
} draw_call;

typedef struct draw_list {
  draw_call *calls;
  int count, capacity;
  int opaque_count;    /* the first ones; blended ones follow, the farthest first */
  texel_place *places; /* of the skins of one item */
  int place_capacity;
  texel_pages palettes, morph_lists;
  bounds_box bounds; /* around all items, in the world */
} draw_list;

/* Gathers the items and sends their palettes to the GPU. False and a sentence for an item that is not finite. */
bool draw_list_build(draw_list *list, const sinew_frame *frame, int texel_limit, sinew_error *error);
/* One mesh alone, for reading vertices back. */
bool draw_list_build_mesh(draw_list *list, const sinew_draw_item *item, int mesh, int texel_limit, sinew_error *error);
void draw_list_release(draw_list *list);

#endif
