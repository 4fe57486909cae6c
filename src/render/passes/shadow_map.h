/* shadow_map – the maps that the ground and the shading read: the shadow map from the sun, and the contact map from
 * above, with the distance of things from the ground, for the soft darkness under feet. */
#ifndef SINEW_RENDER_SHADOW_MAP_H
#define SINEW_RENDER_SHADOW_MAP_H

#include "render/draw_list.h"
#include "render/frame_uniforms.h"
#include "render/passes/item_pass.h"

typedef struct shadow_map {
  int size; /* texels along an edge; 0: none */
  GLuint framebuffer, texture;
  GLuint spare_framebuffer, spare_texture; /* contact only: the other end of the blur */
  /* Shadow only, once there are faded characters: their depths alone, and beside these opacity and 1. */
  GLuint faded_framebuffer, faded_texture, opacity_texture;
} shadow_map;

bool shadow_map_create(shadow_map *made, int size, sinew_error *error);
bool contact_map_create(shadow_map *made, int size, sinew_error *error);
void shadow_map_release(shadow_map *made);

/* The square of the world that a map covers, around the box of everything; moves by whole texels and grows in steps, so
 * that edges of shadows do not crawl. */
typedef struct map_square {
  float center[2], radius;
} map_square;
map_square map_square_fit(float x, float y, float radius, int size);

/* The matrix world → clip space of the sun's view of the box, and the size of one texel in metres. */
sinew_mat4 shadow_fit(const bounds_box *box, const float sun[4], int size, float *texel);

typedef struct shadow_programs {
  const program *depth, *cutout; /* of opaque materials, and of those with holes */
  const program *faded;
} shadow_programs;

/* Draws the map and passes it to the shaders. */
void shadow_map_draw(shadow_map *map, const shadow_programs *programs, const draw_list *list,
                     const common_objects *common, frame_uniforms *uniforms);
void contact_map_draw(const shadow_map *map, const program *contact, const program *blur, const draw_list *list,
                      const common_objects *common, frame_uniforms *uniforms);

#endif
