#include "cli/info/space_hint.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* Metres: the limits for any character; the usual limits for a person or an animal; the most likely size. */
static const double least_size = 0.03, most_size = 30, least_usual = 0.8, most_usual = 3, usual = 1.7;
/* Fractions of the distance from the feet to the head, along an axis that points up. */
static const double upright = 0.5, lies_along = 0.9;

typedef struct stature {
  sinew_vec3 low, high; /* metres, y up */
  sinew_vec3 feet_to_head;
  bool has_roles, has_skin;
} stature;

/* ---- the body ---- */

static sinew_mat3x4 position_of(const sinew_model *model, int joint) {
  sinew_mat3x4 at = sinew_mat3x4_identity();
  for (; joint >= 0; joint = sinew_model_joint_parent(model, joint)) {
    sinew_transform rest = sinew_model_joint_rest(model, joint);
    sinew_mat3x4 local = sinew_mat3x4_from_transform(&rest);
    at = sinew_mat3x4_multiply(&local, &at);
  }
  return at;
}

static sinew_vec3 place_of(const sinew_model *model, int joint) {
  sinew_mat3x4 at = position_of(model, joint);
  return (sinew_vec3){at.m[3], at.m[7], at.m[11]};
}

static bool has_vertices(const sinew_model *model) {
  for (int i = 0; i < sinew_model_mesh_count(model); i++)
    if (sinew_model_mesh(model, i).vertex_count > 0) return true;
  return false;
}

static bool has_skin(const sinew_model *model) {
  for (int i = 0; i < sinew_model_skin_count(model); i++)
    if (sinew_model_skin(model, i).count > 1) return true;
  return false;
}

/* Joints come after their parents. */
static void find_joint_bounds(const sinew_model *model, stature *b) {
  int count = sinew_model_joint_count(model);
  sinew_mat3x4 *at = malloc((size_t)count * sizeof *at);
  for (int i = 0; at && i < count; i++) {
    sinew_transform rest = sinew_model_joint_rest(model, i);
    sinew_mat3x4 local = sinew_mat3x4_from_transform(&rest);
    at[i] = i > 0 ? sinew_mat3x4_multiply(at + sinew_model_joint_parent(model, i), &local) : local;
    sinew_vec3 p = {at[i].m[3], at[i].m[7], at[i].m[11]};
    if (i <= 1) b->low = b->high = p;
    b->low = (sinew_vec3){fminf(b->low.x, p.x), fminf(b->low.y, p.y), fminf(b->low.z, p.z)};
    b->high = (sinew_vec3){fmaxf(b->high.x, p.x), fmaxf(b->high.y, p.y), fmaxf(b->high.z, p.z)};
  }
  free(at);
}

static stature find_stature(const sinew_model *model) {
  stature b = {.has_skin = has_skin(model)};
  int roles[SINEW_ROLES];
  sinew_model_roles(model, roles);
  int head = roles[SINEW_ROLE_HEAD], left = roles[SINEW_ROLE_LEFT_FOOT], right = roles[SINEW_ROLE_RIGHT_FOOT];
  b.has_roles = head >= 0 && left >= 0 && right >= 0;
  if (has_vertices(model)) sinew_model_bounds(model, &b.low, &b.high);
  else find_joint_bounds(model, &b);
  if (!b.has_roles) return b;
  sinew_vec3 h = place_of(model, head), l = place_of(model, left), r = place_of(model, right);
  b.feet_to_head = (sinew_vec3){h.x - (l.x + r.x) / 2, h.y - (l.y + r.y) / 2, h.z - (l.z + r.z) / 2};
  return b;
}

/* ---- its unit ---- */

typedef struct file_unit {
  double metres;
  const char *name;
} file_unit;

/* The most common unit that gives `size` the usual size of a person or an animal, else the one that comes nearest. */
static file_unit choose_unit(double size) {
  static const file_unit units[] = {{1, "metres"},
                                    {0.01, "centimetres"},
                                    {0.0254, "inches"},
                                    {0.001, "millimetres"},
                                    {1e-4, "tenths of millimetres"}};
  file_unit best = units[0];
  for (int i = 0; i < (int)(sizeof units / sizeof *units); i++) {
    double metres = size * units[i].metres;
    if (metres >= least_usual && metres <= most_usual) return units[i];
    if (fabs(log(metres / usual)) < fabs(log(size * best.metres / usual))) best = units[i];
  }
  return best;
}

double space_hint_unit(const sinew_model *model, char text[SPACE_HINT]) {
  stature b = find_stature(model);
  double size = (double)fmaxf(b.high.x - b.low.x, fmaxf(b.high.y - b.low.y, b.high.z - b.low.z));
  if ((!b.has_skin && !b.has_roles) || !(size > 0) || (size >= least_size && size <= most_size)) return 0;
  file_unit unit = choose_unit(size / (double)sinew_model_joint_rest(model, 0).scale.x);
  text_format(text, SPACE_HINT, "It is %.3g m large, which is %s for a character. Is its file in %s?", size,
              size > 1 ? "much" : "little", unit.name);
  return unit.metres;
}

/* ---- the up axis ---- */

const char *space_hint_up(const sinew_model *model, char text[SPACE_HINT]) {
  static const char *const names[] = {"+x", "+y", "+z", "-x", "-y", "-z"};
  stature b = find_stature(model);
  sinew_vec3 v = b.feet_to_head;
  float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
  if (!b.has_roles || !(length > 0) || (double)(v.y / length) > upright) return NULL;
  sinew_transform root = sinew_model_joint_rest(model, 0);
  root.translation = (sinew_vec3){0, 0, 0};
  sinew_mat3x4 turn = sinew_mat3x4_from_transform(&root);
  for (int axis = 0; axis < 3; axis++) {
    float scale = axis == 0 ? root.scale.x : axis == 1 ? root.scale.y : root.scale.z;
    float along = (v.x * turn.m[axis] + v.y * turn.m[4 + axis] + v.z * turn.m[8 + axis]) / (scale * length);
    if (fabs((double)along) < lies_along) continue;
    const char *up = names[axis + (along < 0 ? 3 : 0)];
    text_format(text, SPACE_HINT, "Its head is not above its feet. Does %s point up in its file?", up);
    return up;
  }
  return NULL;
}

/* ---- where its front is ---- */

const char *space_hint_front(const sinew_model *model, char text[SPACE_HINT]) {
  sinew_vec3 front = sinew_model_front(model);
  const char *name = front.x > 0 ? "+x" : front.x < 0 ? "-x" : front.z < 0 ? "-z" : NULL;
  if (!name || space_hint_up(model, text)) return NULL;
  text_format(text, SPACE_HINT, "It faces %s, and characters here face +z.", name);
  return name;
}
