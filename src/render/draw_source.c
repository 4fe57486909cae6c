#include "render/draw_source.h"

#include "base/error.h"

#include <string.h>

/* Such a number has an exponent of all ones. */
bool copy_finite(float *to, const void *from, size_t count) {
  const uint32_t exponent = 0x7f800000;
  const unsigned char *bytes = from;
  uint32_t broken = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, bytes + i * sizeof bits, sizeof bits);
    broken |= (bits & exponent) == exponent;
  }
  if (to) memcpy(to, from, count * sizeof *to);
  return broken == 0;
}

bool draw_source_check(const draw_source *s, sinew_error *error) {
  if (!s->model) return error_set(error, "the model is missing");
  if (!copy_finite(NULL, s->transform->m, 12) || !copy_finite(NULL, s->tint, 4))
    return error_set(error, "transform and tint must be finite numbers");
  if (s->model->palette_count > 0 && !s->palette) return error_set(error, "the palette is missing");
  return true;
}

draw_source draw_source_of_item(const sinew_draw_item *item) {
  return (draw_source){.model = item->model,
                       .transform = &item->transform,
                       .palette = item->palette,
                       .dual_quats = item->dual_quats,
                       .morph_weights = item->morph_weights,
                       .tint = item->tint,
                       .tinted = item->tinted,
                       .flat = item->flat,
                       .outline = item->outline > 0 ? item->outline : 0,
                       .bounds = item->bounds,
                       .skinned = item->skinned,
                       .id = item->id};
}

static draw_source batch_source(const sinew_render_batch *batch, int i) {
  static const float white[4] = {1.0f, 1.0f, 1.0f, 1.0f};
  size_t at = (size_t)i;
  const size_t meshes = batch->model ? (size_t)batch->model->mesh_count : 0;
  return (draw_source){.model = batch->model,
                       .transform = &batch->transforms[at],
                       .palette = batch->palettes ? batch->palettes + at * batch->palette_stride : NULL,
                       .morph_weights = batch->morph_weights ? batch->morph_weights + at * meshes : NULL,
                       .tint = batch->tints ? batch->tints[at] : white,
                       .tinted = batch->tinted,
                       .bounds = batch->bounds ? batch->bounds + 2 * at : NULL,
                       .id = batch->id ? batch->id + at : 0};
}

/* Prefixes the error message with the name of the thing. */
static bool name(sinew_error *error, const char *kind, int index, int instance) {
  if (!error) return false;
  sinew_error reason = *error;
  if (instance < 0) return error_set(error, "%s %d: %.900s", kind, index, reason.message);
  return error_set(error, "%s %d, instance %d: %.900s", kind, index, instance, reason.message);
}

bool draw_source_for_each(struct draw_list *list, const sinew_frame *frame, draw_source_visit *function, void *context,
                          sinew_error *error) {
  int index = 0;
  for (int i = 0; i < frame->item_count; i++) {
    draw_source s = draw_source_of_item(&frame->items[i]);
    if (!function(list, &s, index++, context, error)) return name(error, "draw item", i, -1);
  }
  for (int b = 0; b < frame->batch_count; b++)
    for (int i = 0; i < frame->batches[b].count; i++) {
      draw_source s = batch_source(&frame->batches[b], i);
      if (!function(list, &s, index++, context, error)) return name(error, "batch", b, i);
    }
  return true;
}

bool draw_source_count(const sinew_frame *frame, int *count, sinew_error *error) {
  int64_t total = frame->item_count;
  for (int b = 0; b < frame->batch_count; b++) {
    const sinew_render_batch *batch = &frame->batches[b];
    if (batch->count < 0 || (batch->count > 0 && !batch->transforms))
      return error_set(error, "batch %d: needs a count of at least 0 and transforms", b);
    total += batch->count;
  }
  if (frame->item_count < 0 || total > INT32_MAX / 4) return error_set(error, "too many things to draw in one frame");
  *count = (int)total;
  return true;
}
