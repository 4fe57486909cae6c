/* Finds joints by their role in a body. */
#include "base/memory/memory.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/model_space.h"
#include "model/names/humanoid.h"
#include "model/retarget/retarget_map.h"

#include <math.h>

const char *sinew_role_name(sinew_role role) {
  static const char *const names[SINEW_ROLES] = {"root",      "pelvis",     "head",      "left_hand", "right_hand",
                                                 "left_foot", "right_foot", "left_ball", "right_ball"};
  return names[role];
}

static bool is_animated(const sinew_model *model, int joint) {
  bool is = false;
  for (int i = 0; i < model->clip_count && !is; i++) is = sinew_clip_has_joint(model->clips + i, joint);
  return is;
}

static int find_root(const sinew_model *model, int pelvis) {
  int root = pelvis;
  for (int joint = pelvis; joint > 0; joint = sinew_model_joint_parent(model, joint))
    if (is_animated(model, joint)) root = joint;
  return root;
}

static void read_body(const humanoid *body, int joints[SINEW_ROLES]) {
  static const limb_slot slots[] = {LIMB_HAND, LIMB_FOOT, LIMB_TOES};
  joints[SINEW_ROLE_PELVIS] = body->hips;
  joints[SINEW_ROLE_HEAD] = body->head;
  for (int i = 0; i < 3; i++)
    for (int side = 0; side < 2; side++) joints[SINEW_ROLE_LEFT_HAND + 2 * i + side] = body->limbs[side][slots[i]];
}

bool sinew_model_roles(const sinew_model *model, int joints[SINEW_ROLES]) {
  humanoid body;
  sinew_transform *rest = mem_alloc_array((size_t)model->joint_count, sizeof *rest);
  for (int i = 0; i < SINEW_ROLES; i++) joints[i] = -1;
  if (!rest) return false;
  skeleton_view skeleton = model_skeleton(model, rest);
  bool found = humanoid_find(&skeleton, &body);
  mem_free(rest);
  if (found) read_body(&body, joints);
  joints[SINEW_ROLE_ROOT] = find_root(model, joints[SINEW_ROLE_PELVIS]);
  return found;
}

/* ---- which way a body faces ---- */

/* From joint `from` to joint `to`, level; nothing where one of them is missing. */
static sinew_vec3 level(const sinew_transform *placed, int from, int to) {
  if (from < 0 || to < 0) return (sinew_vec3){0, 0, 0};
  sinew_vec3 way = vec3_sub(placed[to].translation, placed[from].translation);
  return (sinew_vec3){way.x, 0, way.z};
}

/* From the body's right to its left. */
static sinew_vec3 across_body(const humanoid *body, const sinew_transform *placed) {
  static const limb_slot slots[] = {LIMB_THIGH, LIMB_UPPER_ARM, LIMB_FOOT, LIMB_HAND};
  sinew_vec3 across = {0, 0, 0};
  for (int i = 0; i < 4 && !(vec3_length(across) > 0); i++)
    across = level(placed, body->limbs[1][slots[i]], body->limbs[0][slots[i]]);
  return across;
}

/* Toes that point the other way show that the names exchange left and right. */
static sinew_vec3 find_front(const humanoid *body, const sinew_transform *placed) {
  static const float clear = 0.8f;
  sinew_vec3 across = across_body(body, placed), front = {-across.z, 0, across.x}, toes = {0, 0, 0}, ahead = {0, 0, 1};
  for (int side = 0; side < 2; side++)
    toes = vec3_add(toes, level(placed, body->limbs[side][LIMB_FOOT], body->limbs[side][LIMB_TOES]));
  float length = vec3_length(front), x = front.x / length, z = front.z / length;
  if (!(length > 0) || vec3_dot(toes, front) < 0) return ahead;
  if (fabsf(x) > clear) return (sinew_vec3){copysignf(1, x), 0, 0};
  return (sinew_vec3){0, 0, z < -clear ? -1 : 1};
}

sinew_vec3 sinew_model_front(const sinew_model *model) {
  humanoid body;
  sinew_vec3 front = {0, 0, 1};
  sinew_transform *rest = mem_alloc_array((size_t)model->joint_count, sizeof *rest);
  if (!rest) return front;
  skeleton_view skeleton = model_skeleton(model, rest);
  if (humanoid_find(&skeleton, &body)) {
    skeleton_to_model(&skeleton, rest, rest);
    front = find_front(&body, rest);
  }
  mem_free(rest);
  return front;
}
