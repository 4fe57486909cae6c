#include "import/source/fbx/geometry/fbx_shape.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

enum { MOST_SHAPES = 64 }; /* of one channel */

/* ---- weights ---- */

double fbx_rest_percent(const fbx_scene *scene, const fbx_object *channel) {
  double percent = fbx_property(channel, "DeformPercent", 0);
  if (!fbx_has_property(channel, "DeformPercent"))
    percent = fbx_number(fbx_child(channel->record, "DeformPercent"), 0, 0);
  if (!fbx_is_named(channel->record, "Shape")) return percent;
  const fbx_object *blend = fbx_first_owner(scene, channel, FBX_BLEND);
  const fbx_object *geometry = blend ? fbx_first_owner(scene, blend, FBX_GEOMETRY) : NULL;
  const fbx_object *model = geometry ? fbx_first_owner(scene, geometry, FBX_MODEL) : NULL;
  double of_model = model ? fbx_property(model, channel->name, 0) : 0;
  return geometry ? fbx_property(geometry, channel->name, of_model) : 0;
}

/* The two neighbours of a percentage among the shapes of one side, 0 being the base; past the last, the line through
 * the last two continues. `order` lists shapes from 0 outwards. */
static void share(const double *full, const int *order, int count, double percent, double *weights) {
  double before = 0;
  for (int i = 0; i < count; i++) {
    double here = full[order[i]];
    if (i + 1 < count && (here < 0 ? -percent : percent) > fabs(here)) {
      before = here;
      continue;
    }
    double part = here != before ? (percent - before) / (here - before) : i == 0 ? percent / 100 : 1;
    weights[order[i]] += part;
    if (i > 0) weights[order[i - 1]] += 1 - part;
    return;
  }
}

void fbx_shape_weights(const double *full, int count, double percent, double *weights) {
  int order[MOST_SHAPES], n = 0;
  memset(weights, 0, (size_t)count * sizeof *weights);
  bool negative = percent < 0 && full[0] < 0;
  for (int i = 0; i < count; i++) {
    int shape = negative ? count - 1 - i : i; /* `full` ascends */
    if (negative ? full[shape] < 0 : full[shape] >= 0) order[n++] = shape;
  }
  share(full, order, n, percent, weights);
}

/* ---- shapes ---- */

typedef struct shape_source {
  fbx_scene *scene;
  const fbx_spread *spread;
  const double *linear;
  int32_t *points;
  double *moves, *normals;
  size_t count, normal_count;
  double largest; /* squared */
} shape_source;

static void add_difference(const shape_source *s, size_t i, const double *from, double factor, float *to) {
  double d[3] = {factor * from[3 * i], factor * from[3 * i + 1], factor * from[3 * i + 2]}, out[3];
  memcpy(out, d, sizeof d);
  for (int r = 0; s->linear && r < 3; r++)
    out[r] = s->linear[4 * r] * d[0] + s->linear[4 * r + 1] * d[1] + s->linear[4 * r + 2] * d[2];
  const fbx_spread *spread = s->spread;
  size_t point = (size_t)s->points[i];
  for (uint32_t k = spread->first[point]; k < spread->first[point + 1]; k++)
    for (size_t c = 0; c < 3; c++) to[3 * (size_t)spread->vertices[k] + c] += (float)out[c];
}

static bool has_normals(const shape_source *s) {
  for (size_t i = 0; i < 3 * s->normal_count; i++)
    if (s->normals[i] != 0) return true;
  return false;
}

/* `parts`: the fraction of the target for each point, as Blender writes it; or NULL. */
static bool fill_morph(shape_source *s, int vertex_count, const double *parts, raw_morph *morph) {
  raw_model *raw = s->scene->raw;
  bool normals = has_normals(s);
  morph->positions = raw_alloc(raw, 3 * (size_t)vertex_count, sizeof(float));
  if (normals) morph->normals = raw_alloc(raw, 3 * (size_t)vertex_count, sizeof(float));
  if (!morph->positions || (normals && !morph->normals)) return false;
  for (size_t i = 0; i < s->count; i++) {
    const double *d = s->moves + 3 * i;
    if (s->points[i] < 0 || (size_t)s->points[i] >= s->spread->point_count) continue;
    s->largest = fmax(s->largest, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    add_difference(s, i, s->moves, parts ? parts[i] / 100 : 1, morph->positions);
    if (normals && i < s->normal_count) add_difference(s, i, s->normals, parts ? parts[i] / 100 : 1, morph->normals);
  }
  return true;
}

static bool read_shape(shape_source *s, const fbx_record *record, int vertex_count, const double *parts,
                       size_t part_count, raw_morph *morph) {
  fbx_file *file = s->scene->file;
  size_t numbers = 0, normals = 0;
  s->points = NULL;
  s->moves = s->normals = NULL;
  bool read = fbx_int32s(file, fbx_child(record, "Indexes"), &s->points, &s->count) &&
              fbx_doubles(file, fbx_child(record, "Vertices"), &s->moves, &numbers) &&
              fbx_doubles(file, fbx_child(record, "Normals"), &s->normals, &normals);
  if (numbers / 3 < s->count) s->count = numbers / 3;
  s->normal_count = normals / 3 < s->count ? normals / 3 : s->count;
  if (parts && part_count < s->count) s->count = part_count;
  read = read && fill_morph(s, vertex_count, parts, morph);
  mem_free(s->points);
  mem_free(s->moves);
  mem_free(s->normals);
  return read;
}

/* ---- channels ---- */

typedef struct shape_entry {
  const fbx_object *shape;
  double full;
} shape_entry;

/* Blender writes the weights of a vertex group instead of a single percentage: one for each point of the shape. */
static bool are_parts(const fbx_scene *scene, int shapes, const double *full, size_t full_count, size_t points) {
  if (shapes != 1 || full_count != points || full_count == 0) return false;
  if (scene->made_by_blender) return true;
  bool within = full_count > 1 || full[0] != 100;
  for (size_t i = 0; i < full_count; i++) within &= full[i] >= 0 && full[i] <= 100;
  return within;
}

static size_t count_points(const fbx_record *shape, fbx_file *file, bool *read) {
  int32_t *points;
  size_t count;
  *read = fbx_int32s(file, fbx_child(shape, "Indexes"), &points, &count);
  mem_free(points);
  return count;
}

static int list_shapes(const fbx_scene *scene, const fbx_object *channel, const double *full, size_t full_count,
                       shape_entry *list) {
  const fbx_object *shape;
  int count = 0;
  for (int cursor = 0; count < MOST_SHAPES && (shape = fbx_next_child(scene, channel, FBX_SHAPE, &cursor, NULL));) {
    shape_entry entry = {shape, (size_t)count < full_count && isfinite(full[count]) ? full[count] : 100};
    list[count++] = entry;
  }
  for (int i = 1; i < count; i++) /* by their percentages */
    for (int k = i; k > 0 && list[k - 1].full > list[k].full; k--) {
      shape_entry swapped = list[k];
      list[k] = list[k - 1];
      list[k - 1] = swapped;
    }
  return count;
}

static char *morph_name(fbx_scene *scene, const fbx_object *channel, const shape_entry *entry, int count) {
  size_t size = strlen(channel->name) + strlen(entry->shape->name) + 2;
  const char *own = channel->name[0] ? channel->name : entry->shape->name;
  if (count == 1) return raw_string(scene->raw, own);
  char *name = raw_alloc(scene->raw, size, 1);
  if (name) strcat(strcat(strcpy(name, channel->name), " "), entry->shape->name);
  return name;
}

static bool add_channel(shape_source *s, const fbx_object *channel, int mesh, const shape_entry *list, int count,
                        const double *parts, size_t part_count, fbx_blends *blends) {
  fbx_scene *scene = s->scene;
  raw_mesh *m = scene->raw->meshes + mesh;
  double *full = fbx_take(scene->file, (size_t)count, sizeof *full), weights[MOST_SHAPES];
  fbx_blend_channel *kept =
      raw_grow(&scene->file->memory, (void **)&blends->items, &blends->count, &blends->capacity, sizeof *kept);
  if (!full || !kept) return false;
  *kept = (fbx_blend_channel){(int)(channel - scene->objects), mesh, m->morph_count, count, full, 0};
  for (int i = 0; i < count; i++) full[i] = parts ? 100 : list[i].full;
  fbx_shape_weights(full, count, fbx_rest_percent(scene, channel), weights);
  s->largest = 0;
  for (int i = 0; i < count; i++) {
    raw_morph *morph = m->morphs + m->morph_count++;
    morph->name = morph_name(scene, channel, list + i, count);
    morph->weight = (float)weights[i];
    if (!morph->name || !read_shape(s, list[i].shape->record, m->vertex_count, parts, part_count, morph)) return false;
  }
  kept->largest = sqrt(s->largest);
  return true;
}

static bool read_channel(shape_source *s, const fbx_object *channel, int mesh, fbx_blends *blends) {
  shape_entry list[MOST_SHAPES];
  double *full;
  size_t full_count;
  bool read = true;
  if (!fbx_doubles(s->scene->file, fbx_child(channel->record, "FullWeights"), &full, &full_count)) return false;
  int count = list_shapes(s->scene, channel, full, full_count, list);
  size_t points = count == 1 ? count_points(list[0].shape->record, s->scene->file, &read) : 0;
  bool parts = are_parts(s->scene, count, full, full_count, points);
  read = read && (count == 0 || add_channel(s, channel, mesh, list, count, parts ? full : NULL, full_count, blends));
  mem_free(full);
  return read;
}

static int count_shapes(const fbx_scene *scene, const fbx_object *geometry) {
  const fbx_object *blend, *channel;
  int count = 0;
  for (int b = 0; (blend = fbx_next_child(scene, geometry, FBX_BLEND, &b, NULL));)
    for (int c = 0; (channel = fbx_next_child(scene, blend, FBX_CHANNEL, &c, NULL));) count += channel->child_count;
  return count;
}

bool fbx_read_shapes(fbx_scene *scene, const fbx_object *geometry, int mesh, const fbx_spread *spread,
                     const double *linear, fbx_blends *blends) {
  shape_source s = {.scene = scene, .spread = spread, .linear = linear};
  raw_mesh *m = scene->raw->meshes + mesh;
  const fbx_object *blend, *channel;
  m->morphs = raw_alloc(scene->raw, (size_t)count_shapes(scene, geometry), sizeof *m->morphs);
  if (!m->morphs) return false;
  for (int b = 0; (blend = fbx_next_child(scene, geometry, FBX_BLEND, &b, NULL));)
    for (int c = 0; (channel = fbx_next_child(scene, blend, FBX_CHANNEL, &c, NULL));)
      if (!read_channel(&s, channel, mesh, blends)) return false;
  return true;
}
