/* Finds joints by their role in a body. */
#include "base/memory/memory.h"
#include "model/model.h"
#include "model/names/humanoid.h"
#include "model/retarget/retarget_map.h"

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
