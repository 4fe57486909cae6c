/* draw_list – the draw calls of a frame: instances of meshes, collected into as few calls as possible, with the
 * positions of their data on the GPU. */
#ifndef SINEW_RENDER_DRAW_LIST_H
#define SINEW_RENDER_DRAW_LIST_H

#include "render/cull.h"
#include "render/draw_budget.h"
#include "render/gl/texel_pages.h"
#include "render/meshes/gpu_model.h"
#include "render/meshes/history.h"

/* One instance of a mesh, in the layout of shaders/include/skinning.glsl. */
typedef struct draw_instance {
  sinew_mat3x4 transform;
  float tint[4];
  int32_t palette;      /* first texel of the skin's palette */
  int32_t morphs;       /* first texel of the list of active targets */
  int32_t morph_active; /* how many */
  int32_t side;         /* −1 if the transform alone mirrors, else 1 */
} draw_instance;

/* Instances of one mesh that one call draws. */
typedef struct draw_call {
  const gpu_mesh *mesh;
  const gpu_material *material;
  int palette_page, morph_page;
  int first, count;   /* instances */
  int seen;           /* the first ones; the others are outside the picture and only cast shadows */
  int casts;          /* the last ones; those before are too far away for shadows */
  bool mirrored;      /* front faces are reversed, because an odd number of axes is negated */
  bool flat;          /* the tint is the colour */
  float outline;      /* pixels; 0: none */
  bool dual;          /* the palette is of dual quaternions */
  bool morph_history; /* the last picture's targets follow the active ones */
  gpu_skin skin;
  const texel_pages *shown_weights; /* for the model's palette, in a debug view; no page: none */
  const sinew_skinned_mesh *given;  /* skinned by the caller; or NULL. Such a call has one instance */
  bool blended;                     /* a single instance, drawn after what is behind it */
  int faded;       /* the number of a character with a transparent tint, whose calls are consecutive; 0: none */
  int64_t skinned; /* the first vertex in the list's buffer of skinned ones, or −1 */
} draw_call;

typedef struct draw_entry draw_entry;
typedef struct draw_order draw_order;

typedef struct draw_list {
  draw_call *calls;
  int count, capacity;
  int opaque_count; /* calls that come first; blended ones follow, the farthest first */
  texel_pages palettes, morph_lists;
  GLuint instances;
  GLuint skinned;    /* vertices that were skinned before the passes */
  history history;   /* kept while velocities are shown */
  bool is_shaded;    /* by materials, not by a debug view */
  bool has_given;    /* some calls come with skinned vertices */
  bool has_history;  /* each palette is followed by the last picture's, and that by its transform */
  bounds_box bounds; /* around everything that casts a shadow into the picture, in the world */
  draw_budget budget;
  float shadows_end; /* metres from the camera, beyond which nothing casts a shadow; INFINITY: no limit */

  /* While it is built. */
  draw_entry *entries; /* one for each instance of each mesh */
  draw_order *order;
  bounds_box *boxes;         /* of each item, in the world; kept for the debug view */
  texel_position *positions; /* of the skins of one item */
  int box_count, seen_count, entry_count, entry_capacity, order_capacity, box_capacity, position_capacity;
} draw_list;

typedef struct draw_limits {
  int texels;           /* the capacity of a page of palettes */
  int shadow_size;      /* of the shadow map: determines how far away shadows are still sharp enough */
  double most_vertices; /* as in draw_budget */
} draw_limits;

/* Collects everything that the frame's camera sees, and everything that casts shadows into its picture, and sends
 * palettes and instances to the GPU. False and an error message for an item that is not finite. */
bool draw_list_build(draw_list *list, const sinew_frame *frame, const draw_limits *limits, sinew_error *error);
/* One mesh alone, for reading vertices back. */
bool draw_list_build_mesh(draw_list *list, const sinew_draw_item *item, int mesh, int texel_limit, sinew_error *error);
/* The bytes that a build has sent to the GPU. */
int64_t draw_list_bytes(const draw_list *list);
void draw_list_release(draw_list *list);

#endif
