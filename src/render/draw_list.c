#include "render/draw_list.h"

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "render/morph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float determinant(const sinew_mat3x4 *matrix) {
  const float *m = matrix->m;
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}

/* A NaN or infinity anywhere survives the sum (inf − inf is NaN). */
static bool is_finite(const float *values, size_t count) {
  float sum = 0.0f;
  for (size_t i = 0; i < count; i++) sum += values[i] * 0.0f;
  return sum == 0.0f;
}

static bool check_item(const sinew_draw_item *item, int index, sinew_error *error) {
  if (!item->model) return error_set(error, "draw item %d has no model", index);
  if (!is_finite(item->transform.m, 12) || !is_finite(item->tint, 4))
    return error_set(error, "draw item %d: transform and tint must be finite numbers", index);
  if (item->model->palette_count > 0 && !item->palette) return error_set(error, "draw item %d has no palette", index);
  if (!is_finite(item->palette->m, 12 * (size_t)item->model->palette_count))
    return error_set(error, "draw item %d: the palette must be finite numbers", index);
  return true;
}

static bool pack_skin(draw_list *list, const sinew_draw_item *item, int skin, sinew_error *error) {
  gpu_skin used = item->model->skins[skin];
  if (used.count == 0) return true;
  float *texels = texel_pages_take(&list->palettes, 3 * used.count, &list->places[skin], error);
  if (!texels) return false;
  memcpy(texels, item->palette + used.first, (size_t)used.count * sizeof *item->palette);
  return true;
}

static bool pack_skins(draw_list *list, const sinew_draw_item *item, sinew_error *error) {
  void *items = list->places;
  bool good = array_reserve(&items, &list->place_capacity, item->model->skin_count, sizeof *list->places);
  list->places = items;
  if (!good) return error_memory(error, "a frame", (size_t)item->model->skin_count * sizeof *list->places);
  for (int s = 0; s < item->model->skin_count; s++)
    if (!pack_skin(list, item, s, error)) return false;
  return true;
}

static bool pack_morphs(draw_list *list, draw_call *call, const float *weights, sinew_error *error) {
  int count = call->mesh->morph_count;
  if (!weights || count == 0) return true;
  if (!is_finite(weights, (size_t)count)) return error_set(error, "morph weights must be finite numbers");
  int active = morph_active_count(weights, count);
  if (active == 0) return true;
  float *texels = texel_pages_take(&list->morph_lists, active, &call->morph_list, error);
  if (!texels) return false;
  morph_write_list(weights, count, texels);
  call->morph_active = active;
  return true;
}

static bool add_mesh(draw_list *list, const sinew_draw_item *item, int mesh, sinew_error *error) {
  void *calls = list->calls;
  draw_call *call = array_grow(&calls, &list->count, &list->capacity, sizeof *call);
  list->calls = calls;
  if (!call) return error_memory(error, "a frame", sizeof *call);
  call->mesh = &item->model->meshes[mesh];
  call->material = gpu_model_material(item->model, call->mesh);
  call->item = item;
  call->palette = list->places[call->mesh->skin];
  const sinew_mat3x4 *first = &item->palette[item->model->skins[call->mesh->skin].first];
  call->transform_mirrored = determinant(&item->transform) < 0.0f;
  call->mirrored = call->transform_mirrored != (determinant(first) < 0.0f);
  return pack_morphs(list, call, item->morph_weights ? item->morph_weights[mesh] : NULL, error);
}

static void set_distance(draw_call *call, sinew_vec3 camera) {
  const gpu_skin *skin = &call->item->model->skins[call->mesh->skin];
  bounds_box box = bounds_empty();
  bounds_add_pose(&box, call->item->model->balls + skin->first, call->item->palette + skin->first, skin->count,
                  &call->item->transform);
  if (bounds_is_empty(&box)) return;
  float x = (box.minimum.x + box.maximum.x) * 0.5f - camera.x, y = (box.minimum.y + box.maximum.y) * 0.5f - camera.y,
        z = (box.minimum.z + box.maximum.z) * 0.5f - camera.z;
  call->distance = x * x + y * y + z * z;
}

static bool is_blended(const draw_call *call) {
  return call->material->values.alpha_mode == SINEW_ALPHA_BLEND || call->item->tint[3] < 1.0f;
}

/* Opaque before blended, blended from far to near; otherwise as given. */
static int compare_calls(const void *left, const void *right) {
  const draw_call *a = left, *b = right;
  bool a_blended = is_blended(a), b_blended = is_blended(b);
  if (a_blended != b_blended) return a_blended ? 1 : -1;
  if (a_blended && a->distance != b->distance) return a->distance > b->distance ? -1 : 1;
  if (a->item != b->item) return a->item < b->item ? -1 : 1;
  return a->mesh < b->mesh ? -1 : a->mesh > b->mesh;
}

static void sort(draw_list *list, sinew_vec3 camera) {
  for (int i = 0; i < list->count; i++)
    if (is_blended(&list->calls[i])) set_distance(&list->calls[i], camera);
  if (list->count > 1) qsort(list->calls, (size_t)list->count, sizeof *list->calls, compare_calls);
  list->opaque_count = 0;
  while (list->opaque_count < list->count && !is_blended(&list->calls[list->opaque_count])) list->opaque_count++;
}

static void begin(draw_list *list, int texel_limit) {
  list->count = 0;
  list->bounds = bounds_empty();
  texel_pages_reset(&list->palettes, texel_limit);
  texel_pages_reset(&list->morph_lists, texel_limit);
}

static bool add_item(draw_list *list, const sinew_draw_item *item, sinew_error *error) {
  if (!pack_skins(list, item, error)) return false;
  for (int m = 0; m < item->model->mesh_count; m++)
    if (item->model->meshes[m].index_count > 0 && !add_mesh(list, item, m, error)) return false;
  bounds_add_pose(&list->bounds, item->model->balls, item->palette, item->model->palette_count, &item->transform);
  return true;
}

static bool upload(draw_list *list, sinew_error *error) {
  return texel_pages_upload(&list->palettes, error) && texel_pages_upload(&list->morph_lists, error);
}

bool draw_list_build(draw_list *list, const sinew_frame *frame, int texel_limit, sinew_error *error) {
  begin(list, texel_limit);
  for (int i = 0; i < frame->item_count; i++)
    if (!check_item(&frame->items[i], i, error) || !add_item(list, &frame->items[i], error)) return false;
  sort(list, frame->camera.position);
  return upload(list, error);
}

bool draw_list_build_mesh(draw_list *list, const sinew_draw_item *item, int mesh, int texel_limit, sinew_error *error) {
  begin(list, texel_limit);
  return check_item(item, 0, error) && pack_skins(list, item, error) && add_mesh(list, item, mesh, error) &&
         upload(list, error);
}

void draw_list_release(draw_list *list) {
  texel_pages_release(&list->palettes);
  texel_pages_release(&list->morph_lists);
  mem_free(list->calls);
  mem_free(list->places);
  *list = (draw_list){0};
}
