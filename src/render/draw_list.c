#include "render/draw_list.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "math/vec3.h"
#include "render/camera.h"
#include "render/environment.h"
#include "render/gl/gl.h"
#include "render/meshes/gpu_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct draw_entry {
  draw_instance instance;
  draw_call call;  /* it alone */
  float distance;  /* for blended entries: the squared distance from the camera; the farthest is drawn first */
  uint32_t within; /* its position among the meshes of a faded character, which have the same distance */
};

/* The sort key of an entry. */
struct draw_order {
  uint64_t key;
  int group; /* for equal keys: draw_call.faded */
  uint32_t within;
  int entry;
};

static float determinant(const sinew_mat3x4 *matrix) {
  const float *m = matrix->m;
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}

/* ---- bounds ---- */

/* The largest distance by which the mesh's targets move a vertex at these weights. */
static float reach_of_morphs(const draw_source *s, int mesh) {
  const gpu_mesh *m = &s->model->meshes[mesh];
  const float *weights = s->morph_weights ? s->morph_weights[mesh] : NULL;
  float sum = 0.0f;
  for (int i = 0; weights && i < m->morph_count; i++) sum += fabsf(weights[i]);
  return isfinite(sum) ? sum * m->morph_reach : 0.0f;
}

static float reach_of_all_morphs(const draw_source *s) {
  float reach = 0.0f;
  for (int m = 0; m < s->model->mesh_count; m++) reach = fmaxf(reach, reach_of_morphs(s, m));
  return reach;
}

static bounds_box world_box(const draw_source *s) {
  bounds_box box = bounds_empty();
  if (s->bounds) bounds_add_box(&box, s->bounds, s->transform);
  else
    bounds_add_pose(&box, s->model->balls, reach_of_all_morphs(s), s->palette, s->model->palette_count, s->transform);
  return box;
}

static bool measure(draw_list *list, const draw_source *s, int index, void *context, sinew_error *error) {
  (void)context;
  if (!draw_source_check(s, error)) return false;
  list->boxes[index] = world_box(s);
  bounds_join(&list->bounds, &list->boxes[index]);
  return true;
}

/* ---- packing ---- */

/* Packs the last picture's palette and transform, or the present ones again if it had none. */
static bool pack_history(draw_list *list, const draw_source *s, int skin, const void *palette, float *to,
                         size_t count) {
  const history_entry *before = s->id ? history_find(&list->history, s->id, skin, count) : NULL;
  memcpy(to, before ? list->history.last.numbers + before->first : palette, count * sizeof *to);
  memcpy(to + count, before ? before->transform.m : s->transform->m, sizeof s->transform->m);
  const history_entry now = {.id = s->id, .part = skin, .transform = *s->transform, .count = count};
  return !s->id || history_add(&list->history, &now, palette);
}

static bool pack_skin(draw_list *list, const draw_source *s, int skin, sinew_error *error) {
  gpu_skin used = s->model->skins[skin];
  if (used.count == 0) return true;
  int texels = s->dual_quats ? 4 : 3;
  const unsigned char *from = s->dual_quats ? (const unsigned char *)s->dual_quats : (const unsigned char *)s->palette;
  int room = list->has_history ? 2 * texels * used.count + 3 : texels * used.count;
  float *to = texel_pages_take(&list->palettes, room, &list->positions[skin], error);
  if (!to) return false;
  size_t each = (size_t)texels * 4, count = each * (size_t)used.count;
  from += (size_t)used.first * each * sizeof(float);
  if (!copy_finite(to, from, count)) return error_set(error, "the palette must be finite numbers");
  return !list->has_history || pack_history(list, s, skin, from, to + count, count) ||
         error_memory(error, "poses of the last picture", count * sizeof(float));
}

static bool pack_skins(draw_list *list, const draw_source *s, sinew_error *error) {
  if (!array_reserve((void **)&list->positions, &list->position_capacity, s->model->skin_count,
                     sizeof *list->positions))
    return error_memory(error, "a frame", (size_t)s->model->skin_count * sizeof *list->positions);
  for (int skin = 0; skin < s->model->skin_count; skin++)
    if (!pack_skin(list, s, skin, error)) return false;
  return true;
}

/* The last picture's weights, or the present ones again if it had none. They are stored as a part after the skins. */
static const float *last_weights(draw_list *list, const draw_source *s, int mesh, const float *weights, int count) {
  const int part = s->model->skin_count + mesh;
  const history_entry *before = s->id ? history_find(&list->history, s->id, part, (size_t)count) : NULL;
  const history_entry now = {.id = s->id, .part = part, .count = (size_t)count};
  if (s->id && !history_add(&list->history, &now, weights)) return NULL;
  return before ? list->history.last.numbers + before->first : weights;
}

/* Packs active targets; with a history, a texel with the number of the last picture's, and those. */
static bool pack_morphs(draw_list *list, draw_entry *entry, const draw_source *s, int mesh, sinew_error *error) {
  const float *weights = s->morph_weights ? s->morph_weights[mesh] : NULL;
  int count = entry->call.mesh->morph_count;
  if (!weights || count == 0) return true;
  if (!copy_finite(NULL, weights, (size_t)count)) return error_set(error, "morph weights must be finite numbers");
  const float *last = list->has_history ? last_weights(list, s, mesh, weights, count) : NULL;
  if (list->has_history && !last)
    return error_memory(error, "weights of the last picture", (size_t)count * sizeof *last);
  int active = morph_active_count(weights, count), before = last ? 1 + morph_active_count(last, count) : 0;
  if (active + before == 0) return true;
  texel_position position;
  float *texels = texel_pages_take(&list->morph_lists, active + before, &position, error);
  if (!texels) return false;
  morph_write_list(weights, count, texels);
  if (last) texels[4 * active] = (float)(before - 1);
  if (last) morph_write_list(last, count, texels + 4 * (active + 1));
  entry->call.morph_history = last != NULL;
  entry->instance.morphs = position.first;
  entry->instance.morph_active = active;
  entry->call.morph_page = position.page;
  return true;
}

/* A character: whether it is in the picture, whether its shadow is, and its number from 1. */
typedef struct part {
  bool seen, casts;
  int number;
} part;

static draw_call call_of(const draw_list *list, const draw_source *s, const gpu_mesh *mesh, part shown) {
  const gpu_material *material = gpu_model_material(s->model, mesh);
  const sinew_mat3x4 *first = &s->palette[s->model->skins[mesh->skin].first];
  return (draw_call){.mesh = mesh,
                     .material = material,
                     .palette_page = list->positions[mesh->skin].page,
                     .count = 1,
                     .skinned = -1,
                     .seen = shown.seen,
                     .casts = shown.casts && !(s->outline > 0),
                     .mirrored = (determinant(s->transform) < 0.0f) != (determinant(first) < 0.0f),
                     .flat = s->flat,
                     .outline = s->outline,
                     .dual = s->dual_quats != NULL,
                     .skin = s->model->skins[mesh->skin],
                     .shown_weights = &s->model->shown_weights,
                     .faded = s->tint[3] < 1.0f ? shown.number : 0,
                     .blended = material->values.alpha_mode == SINEW_ALPHA_BLEND || s->tint[3] < 1.0f};
}

static bool add_mesh(draw_list *list, const draw_source *s, int mesh, part shown, sinew_error *error) {
  draw_entry *entry =
      array_grow((void **)&list->entries, &list->entry_count, &list->entry_capacity, sizeof *list->entries);
  if (!entry) return error_memory(error, "a frame", sizeof *entry);
  entry->call = call_of(list, s, &s->model->meshes[mesh], shown);
  entry->call.given = s->skinned ? &s->skinned[mesh] : NULL;
  list->has_given = list->has_given || entry->call.given;
  entry->instance = (draw_instance){.transform = *s->transform,
                                    .palette = list->positions[entry->call.mesh->skin].first,
                                    .side = determinant(s->transform) < 0.0f ? -1 : 1};
  bool colored = !s->tinted || entry->call.mesh->material < 0 || s->tinted[entry->call.mesh->material];
  for (int i = 0; i < 4; i++) entry->instance.tint[i] = colored || i == 3 ? s->tint[i] : 1.0f;
  return pack_morphs(list, entry, s, mesh, error);
}

static float squared_distance(const bounds_box *box, sinew_vec3 camera) {
  if (bounds_is_empty(box)) return 0.0f;
  float x = (box->minimum.x + box->maximum.x) * 0.5f - camera.x,
        y = (box->minimum.y + box->maximum.y) * 0.5f - camera.y,
        z = (box->minimum.z + box->maximum.z) * 0.5f - camera.z;
  return x * x + y * y + z * z;
}

/* The bits of a float that is not negative: they order as the floats do. */
static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The meshes of a character overlap, so each has a separate distance. A faded character is drawn as a whole: its solid
 * parts, then the transparent ones, the farthest first. */
static void set_distance(draw_entry *entry, const draw_source *s, const bounds_box *whole, sinew_vec3 camera) {
  if (!entry->call.blended) return;
  const gpu_skin *skin = &s->model->skins[entry->call.mesh->skin];
  bounds_box box = bounds_empty();
  bounds_add_pose(&box, s->model->balls + skin->first, 0.0f, s->palette + skin->first, skin->count, s->transform);
  entry->distance = squared_distance(entry->call.faded ? whole : &box, camera);
  if (entry->call.material->values.alpha_mode == SINEW_ALPHA_BLEND)
    entry->within = ~bits_of(squared_distance(&box, camera));
}

typedef struct view {
  frustum frustum;
  float sun[3], reach; /* reach: the length of shadows, metres */
  draw_scale scale;
} view;

/* A rigid mesh has a box of its own; the meshes of a body share what its box covers. */
static double cost_of(const draw_source *s, int mesh, const bounds_box *whole, const view *v, part shown) {
  const gpu_mesh *m = s->model->meshes + mesh;
  const gpu_skin *skin = s->model->skins + m->skin;
  if (skin->count != 1)
    return m->cost + draw_cost_of_pixels(&v->scale, whole, shown.seen, shown.casts) / s->model->mesh_count;
  bounds_box box = bounds_empty();
  bounds_add_pose(&box, s->model->balls + skin->first, 0, s->palette + skin->first, 1, s->transform);
  return m->cost + draw_cost_of_pixels(&v->scale, &box, shown.seen, shown.casts);
}

/* The characters in the picture. */
static bool weigh(draw_list *list, const draw_source *s, int index, void *context, sinew_error *error) {
  const view *v = context;
  const bounds_box *box = &list->boxes[index];
  if (!bounds_is_empty(box) && !frustum_sees(&v->frustum, box)) return true;
  return draw_budget_add(&list->budget, &v->scale, s, box) || error_memory(error, "a frame", sizeof *box);
}

static bool gather(draw_list *list, const draw_source *s, int index, void *context, sinew_error *error) {
  const view *v = context;
  const bounds_box *box = &list->boxes[index];
  bounds_box cast = bounds_with_shadow(box, v->sun, v->reach);
  /* an undefined box passes, so that a palette that is not finite is found and reported */
  bool seen = bounds_is_empty(box) || frustum_sees(&v->frustum, box);
  float distance = bounds_distance(box, v->scale.camera);
  part shown = {seen, distance <= list->shadows_end && (seen || frustum_sees(&v->frustum, &cast)), index + 1};
  if (!shown.seen && !shown.casts) return true;
  if (distance > list->budget.end) {
    list->budget.left_out += s->model->mesh_count;
    return true;
  }
  list->seen_count += shown.seen;
  if (!pack_skins(list, s, error)) return false;
  for (int m = 0; m < s->model->mesh_count; m++) {
    if (s->model->meshes[m].index_count == 0) continue;
    if (!draw_budget_take(&list->budget, cost_of(s, m, box, v, shown))) continue;
    if (!add_mesh(list, s, m, shown, error)) return false;
    set_distance(&list->entries[list->entry_count - 1], s, box, v->scale.camera);
  }
  if (shown.casts) bounds_join(&list->bounds, box);
  return true;
}

/* ---- calls ---- */

/* Opaque before blended, blended from far to near; opaque instances of one mesh together, first those in the picture,
 * last those that cast a shadow. */
static uint64_t key_of(const draw_entry *entry) {
  const draw_call *c = &entry->call;
  if (c->blended) return UINT64_C(1) << 63 | ~bits_of(entry->distance);
  uint64_t position = ((uint64_t)c->mesh->serial << 12 | ((uint64_t)c->palette_page & 0xfff)) << 12;
  return (position | ((uint64_t)c->morph_page & 0xfff)) << 4 | (uint64_t)c->mirrored << 3 | (uint64_t)c->dual << 2 |
         (c->seen ? 0u : 2u) | (c->casts ? 1u : 0u);
}

static int compare_orders(const void *left, const void *right) {
  const draw_order *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  if (a->within != b->within) return a->within < b->within ? -1 : 1;
  return a->entry < b->entry ? -1 : a->entry > b->entry;
}

static bool sort(draw_list *list, sinew_error *error) {
  if (!array_reserve((void **)&list->order, &list->order_capacity, list->entry_count, sizeof *list->order))
    return error_memory(error, "a frame", (size_t)list->entry_count * sizeof *list->order);
  bool sorted = true;
  for (int i = 0; i < list->entry_count; i++) {
    const draw_entry *entry = &list->entries[i];
    list->order[i] = (draw_order){key_of(entry), entry->call.faded, entry->within, i};
    sorted = sorted && (i == 0 || compare_orders(&list->order[i - 1], &list->order[i]) <= 0);
  }
  if (!sorted) qsort(list->order, (size_t)list->entry_count, sizeof *list->order, compare_orders);
  return true;
}

/* Skins may differ in a picture of materials: each instance has a palette of its own. */
static bool have_like_skins(const draw_list *list, const draw_call *call, const draw_call *next) {
  return call->skin.count == next->skin.count && (list->is_shaded || call->skin.first == next->skin.first);
}

/* In a call, instances in the picture come first, and those that only cast a shadow last. */
static bool joins(const draw_list *list, const draw_call *call, const draw_call *next) {
  return have_like_skins(list, call, next) && !call->given && !next->given &&
         (!next->seen || call->seen == call->count) && (next->casts || !call->casts) &&
         call->mesh->serial == next->mesh->serial && call->material == next->material &&
         call->palette_page == next->palette_page && call->morph_page == next->morph_page &&
         call->mirrored == next->mirrored && call->dual == next->dual && call->morph_history == next->morph_history &&
         call->flat == next->flat && call->outline == next->outline && !call->blended && !next->blended;
}

static bool add_call(draw_list *list, const draw_entry *entry, int instance, sinew_error *error) {
  draw_call *last = list->count > 0 ? &list->calls[list->count - 1] : NULL;
  if (last && joins(list, last, &entry->call)) {
    last->count++;
    last->seen += entry->call.seen;
    last->casts += entry->call.casts;
    return true;
  }
  if (!draw_budget_take(&list->budget, DRAW_CALL_COST)) return true;
  draw_call *call = array_grow((void **)&list->calls, &list->count, &list->capacity, sizeof *call);
  if (!call) return error_memory(error, "a frame", sizeof *call);
  *call = entry->call;
  call->first = instance;
  if (!call->blended) list->opaque_count = list->count;
  return true;
}

static bool write_instances(draw_list *list, sinew_error *error) {
  size_t size = (size_t)list->entry_count * sizeof(draw_instance);
  if (size == 0) return true;
  if (!list->instances) glGenBuffers(1, &list->instances);
  glBindBuffer(GL_ARRAY_BUFFER, list->instances);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, NULL, GL_STREAM_DRAW);
  buffer_write written;
  draw_instance *to = buffer_begin(&written, GL_ARRAY_BUFFER, 0, size);
  for (int i = 0; to && i < list->entry_count; i++) to[i] = list->entries[list->order[i].entry].instance;
  if (to) (void)buffer_end(&written);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  return to || (gl_check("instances of a frame", error) && error_memory(error, "instances of a frame", size));
}

static bool finish(draw_list *list, sinew_error *error) {
  if (!sort(list, error)) return false;
  for (int i = 0; i < list->entry_count; i++)
    if (!add_call(list, &list->entries[list->order[i].entry], i, error)) return false;
  return write_instances(list, error) && texel_pages_finish(&list->palettes, error) &&
         texel_pages_finish(&list->morph_lists, error);
}

/* ---- build ---- */

static void begin(draw_list *list, int texel_limit) {
  list->count = list->opaque_count = list->entry_count = list->box_count = list->seen_count = 0;
  list->has_history = list->has_given = false;
  list->bounds = bounds_empty();
  texel_pages_reset(&list->palettes, texel_limit);
  texel_pages_reset(&list->morph_lists, texel_limit);
}

/* If a map over everything visible had visible texels, only nearer things get shadows: a texel is then about 2 cm, or a
 * 300th of the distance to the nearest visible thing. */
static float end_of_shadows(const draw_list *list, const view *v, int shadow_size) {
  bounds_box seen = bounds_empty();
  float nearest = INFINITY;
  for (int i = 0; i < list->box_count; i++) {
    const bounds_box *box = &list->boxes[i];
    if (!frustum_sees(&v->frustum, box)) continue;
    bounds_join(&seen, box);
    nearest = fminf(nearest, bounds_distance(box, v->scale.camera) + bounds_diagonal(box));
  }
  float end = (float)shadow_size * fmaxf(0.015f, nearest / 450.0f);
  return 0.5f * bounds_diagonal(&seen) <= 0.75f * end ? INFINITY : end;
}

static view view_of(const sinew_frame *frame, const bounds_box *all, int shadow_size) {
  sinew_mat4 eye = sinew_camera_view(&frame->camera);
  sinew_mat4 projection = sinew_camera_projection(&frame->camera, (float)frame->width / (float)frame->height);
  sinew_mat4 both = mat4_multiply(&projection, &eye);
  const surroundings around = surroundings_of(&frame->light);
  float pixels = (float)frame->width * (float)frame->height, slope = tanf(0.5f * frame->camera.fov_y);
  view v = {.frustum = frustum_of(&both),
            .sun = {around.sun[0], around.sun[1], around.sun[2]},
            .scale = {.camera = frame->camera.position,
                      .pixels = pixels,
                      .pixels_one = (float)frame->height * (float)frame->height / (4 * slope * slope),
                      .texels = (float)shadow_size * (float)shadow_size,
                      .diagonal = bounds_diagonal(all)}};
  v.reach = shadow_reach(all, v.sun);
  return v;
}

bool draw_list_build(draw_list *list, const sinew_frame *frame, const draw_limits *limits, sinew_error *error) {
  int count = 0;
  begin(list, limits->texels);
  list->has_history = frame->surface == SINEW_SURFACE_VELOCITY;
  list->is_shaded = frame->surface == SINEW_SURFACE_SHADED;
  if (list->has_history) history_begin(&list->history);
  if (!draw_source_count(frame, &count, error)) return false;
  if (!array_reserve((void **)&list->boxes, &list->box_capacity, count, sizeof *list->boxes))
    return error_memory(error, "a frame", (size_t)count * sizeof *list->boxes);
  list->box_count = count;
  if (!draw_source_for_each(list, frame, measure, NULL, error)) return false;
  view v = view_of(frame, &list->bounds, limits->shadow_size);
  list->shadows_end = end_of_shadows(list, &v, limits->shadow_size);
  list->bounds = bounds_empty();
  draw_budget_begin(&list->budget, limits->most_vertices);
  if (!draw_source_for_each(list, frame, weigh, &v, error)) return false;
  draw_budget_cut(&list->budget);
  return draw_source_for_each(list, frame, gather, &v, error) && finish(list, error);
}

bool draw_list_build_mesh(draw_list *list, const sinew_draw_item *item, int mesh, int texel_limit, sinew_error *error) {
  draw_source s = draw_source_of_item(item);
  begin(list, texel_limit);
  draw_budget_begin(&list->budget, 0);
  return draw_source_check(&s, error) && pack_skins(list, &s, error) &&
         add_mesh(list, &s, mesh, (part){.seen = true}, error) && finish(list, error);
}

int64_t draw_list_bytes(const draw_list *list) {
  int64_t texels = texel_pages_total(&list->palettes) + texel_pages_total(&list->morph_lists);
  return texels * 4 * (int64_t)sizeof(float) + list->entry_count * (int64_t)sizeof(draw_instance);
}

void draw_list_release(draw_list *list) {
  texel_pages_release(&list->palettes);
  texel_pages_release(&list->morph_lists);
  history_release(&list->history);
  glDeleteBuffers(1, &list->instances);
  glDeleteBuffers(1, &list->skinned);
  mem_free(list->calls);
  mem_free(list->entries);
  mem_free(list->order);
  mem_free(list->boxes);
  mem_free(list->positions);
  draw_budget_release(&list->budget);
  *list = (draw_list){0};
}
