#include "level/level.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "math/quat.h"

static const float tolerance = 1e-4f; /* metres, of a sweep */
static const float tangential =
    1e-4f; /* a way that leads towards a triangle by less than this part of it passes along it */

static sinew_vec3 along(const sinew_quat *rotation, sinew_vec3 v) { return quat_rotate(*rotation, v); }

static sinew_vec3 against(const sinew_quat *rotation, sinew_vec3 v) {
  return quat_rotate(quat_conjugate(*rotation), v);
}

sinew_vec3 part_to_world(const level_part *part, sinew_vec3 point) {
  return vec3_add(part->position, along(&part->rotation, point));
}

sinew_vec3 part_from_world(const level_part *part, sinew_vec3 point) {
  return against(&part->rotation, vec3_sub(point, part->position));
}

/* ---- parts ---------------------------------------------------------------------------------------------------- */

sinew_level *sinew_level_create(sinew_error *error) {
  sinew_level *level = mem_alloc_zeroed(sizeof *level);
  if (!level) error_memory(error, "a level", sizeof *level);
  return level;
}

static void free_part(level_part *part) {
  mem_free(part->triangles), mem_free(part->sources);
  bvh_free(&part->tree);
}

void sinew_level_destroy(sinew_level *level) {
  if (!level) return;
  for (int i = 0; i < level->count; i++) free_part(&level->parts[i]);
  mem_free(level->parts);
  mem_free(level);
}

static sinew_vec3 scaled(sinew_vec3 a, sinew_vec3 scale) {
  return (sinew_vec3){a.x * scale.x, a.y * scale.y, a.z * scale.z};
}

static bool corner(const sinew_triangles *from, int index, sinew_vec3 scale, sinew_vec3 *point, sinew_error *error) {
  uint32_t vertex = from->indices[index];
  if (vertex >= (uint32_t)from->vertex_count)
    return error_set(error, "indices[%d] is %u, but there are %d vertices", index, vertex, from->vertex_count);
  const float *p = &from->positions[3 * vertex];
  *point = scaled((sinew_vec3){p[0], p[1], p[2]}, scale);
  if (!vec3_is_finite(*point) || vec3_length(*point) > 1e6f)
    return error_set(error, "the position of vertex %u is not within 1,000 km", vertex);
  return true;
}

/* Copies those with an area. */
static bool take_triangles(level_part *part, const sinew_triangles *from, sinew_vec3 scale, sinew_error *error) {
  for (int i = 0; i + 2 < from->index_count; i += 3) {
    triangle t;
    if (!corner(from, i, scale, &t.a, error) || !corner(from, i + 1, scale, &t.b, error) ||
        !corner(from, i + 2, scale, &t.c, error))
      return false;
    sinew_vec3 normal = triangle_normal(&t);
    if (vec3_dot(normal, normal) == 0) continue;
    part->sources[part->count] = i / 3, part->triangles[part->count++] = t;
  }
  return part->count > 0 || error_set(error, "no triangle has an area");
}

static bool make_part(level_part *part, const sinew_triangles *from, sinew_vec3 scale, sinew_error *error) {
  int most = from->index_count / 3;
  if (most < 1) return error_set(error, "it has no triangles");
  part->triangles = mem_alloc_array((size_t)most, sizeof *part->triangles);
  part->sources = mem_alloc_array((size_t)most, sizeof *part->sources);
  if (!part->triangles || !part->sources)
    return error_memory(error, "triangles", (size_t)most * sizeof *part->triangles);
  if (!take_triangles(part, from, scale, error)) return false;
  return bvh_build(&part->tree, part->triangles, part->count) ||
         error_memory(error, "a tree of boxes", (size_t)part->count * (sizeof(bvh_node) + sizeof(bvh_group)));
}

int sinew_level_add(sinew_level *level, const sinew_triangles *triangles, const sinew_transform *place,
                    sinew_error *error) {
  level_part part = {.solid = true};
  if (!make_part(&part, triangles, place->scale, error)) {
    free_part(&part);
    return -1;
  }
  level_part *added = array_grow((void **)&level->parts, &level->count, &level->capacity, sizeof part);
  if (!added) {
    free_part(&part);
    error_memory(error, "a part of a level", sizeof part);
    return -1;
  }
  *added = part;
  sinew_level_place(level, level->count - 1, place);
  return level->count - 1;
}

void sinew_level_place(sinew_level *level, int part, const sinew_transform *place) {
  level->parts[part].position = place->translation;
  level->parts[part].rotation = sinew_quat_normalize(place->rotation);
}

void sinew_level_set_solid(sinew_level *level, int part, bool solid) { level->parts[part].solid = solid; }

int sinew_level_part_count(const sinew_level *level) { return level->count; }

/* ---- questions: each is asked of a part in the part's own space ---------------------------------------------------
 */

typedef struct question {
  const level_part *part;
  int index; /* of the part */
  sinew_vec3 from, axis, way;
  float radius;
  sinew_hit *hit;
  bool found;
} question;

static sinew_vec3 towards(sinew_vec3 v, sinew_vec3 side) { return vec3_dot(v, side) < 0 ? vec3_scale(v, -1) : v; }

/* The distance is the part of the way, for now. */
static void answer(question *q, int index, float time, sinew_vec3 point, sinew_vec3 normal) {
  const level_part *part = q->part;
  sinew_vec3 face = towards(triangle_normal(&part->triangles[index]), normal);
  *q->hit = (sinew_hit){q->index,
                        part->sources[index],
                        time,
                        part_to_world(part, point),
                        along(&part->rotation, normal),
                        along(&part->rotation, face)};
  q->found = true;
}

static void ray_group(void *user, const bvh_group *group, const bvh_course *course, float *most) {
  (void)course;
  question *q = user;
  const float from[3] = {q->from.x, q->from.y, q->from.z}, way[3] = {q->way.x, q->way.y, q->way.z};
  float times[BVH_WIDE];
  level_kernels_current()->meet(group, from, way, times);
  for (int i = 0; i < BVH_WIDE; i++) {
    if (!(times[i] <= *most) || group->triangle[i] < 0) continue;
    *most = times[i];
    sinew_vec3 normal = towards(triangle_normal(&q->part->triangles[group->triangle[i]]), vec3_scale(q->way, -1));
    answer(q, group->triangle[i], times[i], vec3_add_scaled(q->from, times[i], q->way), normal);
  }
}

/* Where the capsule has the triangle's inside between its ends, the way out is along the face, to the side of its
 * middle. */
static sinew_vec3 way_out(const question *q, const triangle *t, sinew_vec3 from, const nearest *n, float *distance) {
  *distance = vec3_length(n->apart);
  if (*distance > 1e-9f) return vec3_scale(n->apart, 1 / *distance);
  sinew_vec3 middle = vec3_add_scaled(from, 0.5f, q->axis);
  return towards(triangle_normal(t), vec3_sub(middle, t->a));
}

static float lower(float a, float b) { return a < b ? a : b; }

/* Whether all of a capsule's way is on one side of a triangle's plane. */
static bool stays_clear(const question *q, const triangle *t) {
  float reach = q->radius + tolerance;
  sinew_vec3 normal = vec3_cross(vec3_sub(t->b, t->a), vec3_sub(t->c, t->a));
  float begin = vec3_dot(vec3_sub(q->from, t->a), normal), tall = vec3_dot(q->axis, normal),
        gone = vec3_dot(q->way, normal);
  float low = begin + lower(tall, 0) + lower(gone, 0), high = begin - lower(-tall, 0) - lower(-gone, 0);
  float apart = low > 0 ? low : high < 0 ? high : 0;
  return apart * apart > reach * reach * vec3_dot(normal, normal);
}

/* Conservative advancement: a plane at right angles to the shortest connection of two convex shapes separates them, so
 * that no contact comes before the capsule has crossed it. */
static void sweep_triangle(question *q, int index, float *most) {
  const triangle *t = &q->part->triangles[index];
  if (stays_clear(q, t)) return;
  float length = vec3_length(q->way), time = 0;
  for (int i = 0; i < 64; i++) {
    sinew_vec3 from = vec3_add_scaled(q->from, time, q->way);
    nearest n = triangle_nearest(t, from, vec3_add(from, q->axis));
    float distance;
    sinew_vec3 normal = way_out(q, t, from, &n, &distance);
    float closing = -vec3_dot(q->way, normal), gap = distance - q->radius;
    if (!(closing > tangential * length)) return;
    if (gap <= tolerance) {
      *most = time;
      answer(q, index, time, n.on_triangle, normal);
      return;
    }
    time += gap / closing;
    if (!(time < *most)) return;
  }
}

static void sweep_group(void *user, const bvh_group *group, const bvh_course *course, float *most) {
  float times[BVH_WIDE];
  level_kernels_current()->enter(&group->boxes, course, *most, times);
  for (int i = 0; i < BVH_WIDE; i++)
    if (times[i] <= *most) sweep_triangle(user, group->triangle[i], most);
}

typedef struct deepest_contact {
  question q;
  float depth;
  sinew_vec3 out;
} deepest_contact;

static void deepest_group(void *user, const bvh_group *group, const bvh_course *course, float *most) {
  float times[BVH_WIDE];
  level_kernels_current()->enter(&group->boxes, course, *most, times);
  deepest_contact *deepest = user;
  const question *q = &deepest->q;
  for (int i = 0; i < BVH_WIDE; i++) {
    if (times[i] > *most) continue;
    const triangle *t = &q->part->triangles[group->triangle[i]];
    if (stays_clear(q, t)) continue;
    nearest n = triangle_nearest(t, q->from, vec3_add(q->from, q->axis));
    float distance;
    sinew_vec3 out = way_out(q, t, q->from, &n, &distance);
    if (q->radius - distance <= deepest->depth) continue;
    deepest->depth = q->radius - distance, deepest->out = along(&q->part->rotation, out);
  }
}

/* Half of what the capsule reaches to each side of its middle. */
static sinew_vec3 extent_of(const question *q) {
  return (sinew_vec3){0.5f * fabsf(q->axis.x) + q->radius, 0.5f * fabsf(q->axis.y) + q->radius,
                      0.5f * fabsf(q->axis.z) + q->radius};
}

/* A question in world space, as the part sees it. */
static question question_of(const sinew_level *level, int index, sinew_vec3 from, sinew_vec3 axis, sinew_vec3 way,
                            float radius, sinew_hit *hit) {
  const level_part *part = &level->parts[index];
  return (question){
      part, index, part_from_world(part, from), against(&part->rotation, axis), against(&part->rotation, way), radius,
      hit,  false};
}

static bool ask(const sinew_level *level, sinew_vec3 from, sinew_vec3 axis, float radius, sinew_vec3 way,
                bvh_visitor *visit, sinew_hit *hit) {
  float length = vec3_length(way), most = 1;
  if (!(length > 0) || !isfinite(length) || !vec3_is_finite(from) || !vec3_is_finite(axis)) return false;
  bool found = false;
  for (int i = 0; i < level->count; i++) {
    if (!level->parts[i].solid) continue;
    question q = question_of(level, i, from, axis, way, radius, hit);
    sinew_vec3 extent = extent_of(&q);
    if (radius > 0) extent = vec3_add(extent, (sinew_vec3){tolerance, tolerance, tolerance});
    bvh_visit(&q.part->tree, vec3_add_scaled(q.from, 0.5f, q.axis), q.way, extent, &most, visit, &q);
    found |= q.found;
  }
  if (found) hit->distance = most * length;
  return found;
}

bool sinew_level_ray(const sinew_level *level, sinew_vec3 from, sinew_vec3 to, sinew_hit *hit) {
  return ask(level, from, (sinew_vec3){0, 0, 0}, 0, vec3_sub(to, from), ray_group, hit);
}

bool sinew_level_sweep(const sinew_level *level, sinew_vec3 from, sinew_vec3 axis, float radius, sinew_vec3 way,
                       sinew_hit *hit) {
  return ask(level, from, axis, radius, way, sweep_group, hit);
}

bool level_deepest(const sinew_level *level, sinew_vec3 from, sinew_vec3 axis, float radius, float least, float *depth,
                   sinew_vec3 *out) {
  deepest_contact deepest = {.depth = least};
  for (int i = 0; i < level->count; i++) {
    if (!level->parts[i].solid) continue;
    deepest.q = question_of(level, i, from, axis, (sinew_vec3){0, 0, 0}, radius, NULL);
    const question *q = &deepest.q;
    float most = 1;
    bvh_visit(&q->part->tree, vec3_add_scaled(q->from, 0.5f, q->axis), q->way, extent_of(q), &most, deepest_group,
              &deepest);
  }
  *depth = deepest.depth, *out = deepest.out;
  return deepest.depth > least;
}

/* The lowest point that a part reaches: of the eight corners of its root's boxes. */
static float lowest_of(const level_part *part) {
  const bvh_boxes *b = &part->tree.nodes[0].boxes;
  float lowest = INFINITY;
  for (int lane = 0; lane < BVH_WIDE; lane++) {
    if (b->low[0][lane] > b->high[0][lane]) continue;
    for (int c = 0; c < 8; c++) {
      sinew_vec3 p = {c & 1 ? b->high[0][lane] : b->low[0][lane], c & 2 ? b->high[1][lane] : b->low[1][lane],
                      c & 4 ? b->high[2][lane] : b->low[2][lane]};
      lowest = fminf(lowest, part_to_world(part, p).y);
    }
  }
  return lowest;
}

bool sinew_level_ground(const sinew_level *level, float x, float z, float y, sinew_hit *hit) {
  float lowest = y;
  for (int i = 0; i < level->count; i++)
    if (level->parts[i].solid) lowest = fminf(lowest, lowest_of(&level->parts[i]));
  return sinew_level_ray(level, (sinew_vec3){x, y, z}, (sinew_vec3){x, lowest - 1, z}, hit);
}
