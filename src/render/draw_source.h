/* draw_source – the characters of a frame in sequence: its items, then the instances of its batches. */
#ifndef SINEW_RENDER_DRAW_SOURCE_H
#define SINEW_RENDER_DRAW_SOURCE_H

#include "render/meshes/gpu_model.h"

/* One character: an item, or an instance of a batch. */
typedef struct draw_source {
  const sinew_gpu_model *model;
  const sinew_mat3x4 *transform, *palette;
  const struct sinew_dual_quat *dual_quats;
  const float *const *morph_weights;
  const float *tint;
  const uint8_t *tinted;
  bool flat;
  float outline;
  const sinew_vec3 *bounds;
  const sinew_skinned_mesh *skinned;
  uint64_t id;
} draw_source;

draw_source draw_source_of_item(const sinew_draw_item *item);
/* False and an error message for what is missing or not finite. */
bool draw_source_check(const draw_source *s, sinew_error *error);

/* Copies numbers and checks each: false if one is NaN or infinite. `to` may be NULL. */
bool copy_finite(float *to, const void *from, size_t count);

struct draw_list;
typedef bool draw_source_visit(struct draw_list *list, const draw_source *s, int index, void *context,
                               sinew_error *error);
/* Ends at the first error, whose message then begins with the name of the thing. */
bool draw_source_for_each(struct draw_list *list, const sinew_frame *frame, draw_source_visit *function, void *context,
                          sinew_error *error);
/* False and an error message if the frame's counts make no sense. */
bool draw_source_count(const sinew_frame *frame, int *count, sinew_error *error);

#endif
