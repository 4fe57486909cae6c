#include "host/drawing/lines.h"

#include "base/memory/memory.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

void line_list_release(line_list *list) {
  mem_free(list->lines);
  *list = (line_list){0};
}

void line_list_clear(line_list *list) { list->count = 0; }

static bool is_drawable(sinew_vec3 p) { return isfinite(p.x) && isfinite(p.y) && isfinite(p.z); }

void line_list_add(line_list *list, const sinew_line *line) {
  if (list->count == SINEW_MAX_LINES || !is_drawable(line->a) || !is_drawable(line->b)) return;
  sinew_line *added = array_grow((void **)&list->lines, &list->count, &list->capacity, sizeof *added);
  if (added) *added = *line;
}

/* An actor's joints as lines: a bone is a slim octahedron from a joint to its child, or a line where it is as short as
 * a finger's; a root below the hips is three axes. */

static const uint8_t bone_color[4] = {255, 178, 92, 255};
static const uint8_t joint_color[4] = {120, 220, 255, 255};

/* ---- which joints ---- */

static bool mark_skins(const sinew_model *model, uint8_t *marks) {
  bool any = false;
  for (int s = 0; s < sinew_model_skin_count(model); s++) {
    sinew_skin_view skin = sinew_model_skin(model, s);
    if (skin.count < 2) continue;
    for (int i = 0; i < skin.count; i++) marks[skin.joints[i]] = 1;
    any = any || skin.count > 0;
  }
  return any;
}

/* A joint between two bound joints belongs to the skeleton even if it moves no vertex itself. */
static void mark_between(const sinew_model *model, uint8_t *marks) {
  for (int joint = sinew_model_joint_count(model) - 1; joint > 0; joint--) {
    if (!marks[joint]) continue;
    int above = sinew_model_joint_parent(model, joint);
    while (above > 0 && !marks[above]) above = sinew_model_joint_parent(model, above);
    if (above <= 0) continue;
    for (int j = sinew_model_joint_parent(model, joint); j != above; j = sinew_model_joint_parent(model, j))
      marks[j] = 1;
  }
}

/* Marks joints that have a marked child with 2. */
static void mark_inner(const sinew_model *model, uint8_t *marks) {
  for (int joint = sinew_model_joint_count(model) - 1; joint > 0; joint--) {
    int parent = sinew_model_joint_parent(model, joint);
    if (marks[joint] && parent > 0 && marks[parent]) marks[parent] = 2;
  }
}

void skeleton_mark(const sinew_model *model, uint8_t *marks) {
  size_t count = (size_t)sinew_model_joint_count(model);
  memset(marks, 0, count);
  if (mark_skins(model, marks)) mark_between(model, marks);
  else if (count > 1) memset(marks + 1, 1, count - 1);
  mark_inner(model, marks);
}

/* ---- lines ---- */

static void add_line(line_list *list, sinew_vec3 a, sinew_vec3 b, const uint8_t color[4]) {
  sinew_line line = {.a = a, .b = b};
  memcpy(line.color, color, 4);
  line_list_add(list, &line);
}

static void add_bone(line_list *list, sinew_vec3 from, sinew_vec3 to, float thin) {
  sinew_vec3 d = vec3_sub(to, from),
             helper = fabsf(d.y) > 0.9f * vec3_length(d) ? (sinew_vec3){1, 0, 0} : (sinew_vec3){0, 1, 0};
  float length = vec3_length(d);
  if (!(length > 0)) return;
  if (length < thin) {
    add_line(list, from, to, bone_color);
    return;
  }
  sinew_vec3 side = vec3_unit(vec3_cross(d, helper), helper);
  sinew_vec3 other = vec3_scale(vec3_cross(d, side), 1 / length), middle = vec3_lerp(from, to, 0.14f);
  float r = 0.045f * length;
  sinew_vec3 ring[4] = {vec3_add_scaled(middle, r, side), vec3_add_scaled(middle, r, other),
                        vec3_add_scaled(middle, -r, side), vec3_add_scaled(middle, -r, other)};
  for (int i = 0; i < 4; i++) {
    add_line(list, from, ring[i], bone_color);
    add_line(list, ring[i], to, bone_color);
    add_line(list, ring[i], ring[(i + 1) % 4], bone_color);
  }
}

/* Draws a small cross at a joint without children, a quarter as long as the bone that leads to it. */
static void add_end(line_list *list, sinew_vec3 at, float size) {
  add_line(list, vec3_add_scaled(at, -size, (sinew_vec3){1, 0, 0}), vec3_add_scaled(at, size, (sinew_vec3){1, 0, 0}),
           joint_color);
  add_line(list, vec3_add_scaled(at, -size, (sinew_vec3){0, 1, 0}), vec3_add_scaled(at, size, (sinew_vec3){0, 1, 0}),
           joint_color);
  add_line(list, vec3_add_scaled(at, -size, (sinew_vec3){0, 0, 1}), vec3_add_scaled(at, size, (sinew_vec3){0, 0, 1}),
           joint_color);
}

static sinew_vec3 position(const sinew_mat3x4 *world, const sinew_mat3x4 *joint) {
  return sinew_mat3x4_transform_point(world, (sinew_vec3){joint->m[3], joint->m[7], joint->m[11]});
}

static void add_root(line_list *list, const sinew_mat3x4 *world, const sinew_mat3x4 *joint, float size) {
  static const uint8_t colors[3][4] = {{235, 64, 52, 255}, {92, 200, 70, 255}, {64, 120, 245, 255}};
  sinew_mat3x4 placed = sinew_mat3x4_multiply(world, joint);
  sinew_vec3 at = {placed.m[3], placed.m[7], placed.m[11]};
  for (int axis = 0; axis < 3; axis++) {
    sinew_vec3 along = {placed.m[axis], placed.m[4 + axis], placed.m[8 + axis]};
    add_line(list, at, vec3_add_scaled(at, size, vec3_unit(along, (sinew_vec3){0})), colors[axis]);
  }
}

/* The first marked child of a joint, or 0; `count`: of all. */
static int marked_child(const sinew_model *model, const uint8_t *marks, int joint, int *count) {
  int first = 0;
  *count = 0;
  for (int i = joint + 1; i < sinew_model_joint_count(model); i++) {
    if (!marks[i] || sinew_model_joint_parent(model, i) != joint) continue;
    first = first ? first : i;
    ++*count;
  }
  return first;
}

/* A joint above the hips that stands for the whole: nothing is above it, and below it is one joint that branches. */
static bool is_root(const sinew_model *model, const uint8_t *marks, int joint) {
  int parent = sinew_model_joint_parent(model, joint), children, branches;
  if (parent > 0 && marks[parent]) return false;
  int hips = marked_child(model, marks, joint, &children);
  if (children != 1) return false;
  (void)marked_child(model, marks, hips, &branches);
  return branches > 1;
}

/* The size of the model in the world. */
static float size_of(const sinew_model *model, const sinew_transform *transform) {
  sinew_vec3 low, high;
  sinew_model_bounds(model, &low, &high);
  return vec3_distance(low, high) * fabsf(transform->scale.y);
}

void skeleton_lines_add(line_list *list, const sinew_model *model, const uint8_t *marks,
                        const sinew_transform *transform, const sinew_mat3x4 *joints) {
  sinew_mat3x4 world = sinew_mat3x4_from_transform(transform);
  float size = size_of(model, transform);
  for (int i = 1; i < sinew_model_joint_count(model); i++) {
    if (!marks[i]) continue;
    int parent = sinew_model_joint_parent(model, i);
    bool has_bone = parent > 0 && marks[parent] && !is_root(model, marks, parent);
    if (is_root(model, marks, i)) add_root(list, &world, &joints[i], 0.06f * size);
    sinew_vec3 at = position(&world, &joints[i]), from = has_bone ? position(&world, &joints[parent]) : at;
    if (has_bone) add_bone(list, from, at, 0.025f * size);
    float length = vec3_distance(at, from);
    if (marks[i] == 1) add_end(list, at, length > 0 ? 0.12f * length : 0.02f);
  }
}
