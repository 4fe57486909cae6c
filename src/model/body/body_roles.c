/* The roles of a model's joints, and what else its body tells. */
#include "math/vec3.h"
#include "model/body/body.h"
#include "model/model.h"

const char *sinew_role_name(sinew_role role) {
  static const char *const names[SINEW_ROLES] = {"root",
                                                 "pelvis",
                                                 "head",
                                                 "left_hand",
                                                 "right_hand",
                                                 "left_foot",
                                                 "right_foot",
                                                 "left_ball",
                                                 "right_ball",
                                                 "left_upper_leg",
                                                 "right_upper_leg",
                                                 "left_lower_leg",
                                                 "right_lower_leg",
                                                 "left_shoulder",
                                                 "right_shoulder",
                                                 "left_upper_arm",
                                                 "right_upper_arm",
                                                 "left_lower_arm",
                                                 "right_lower_arm",
                                                 "left_front_foot",
                                                 "right_front_foot"};
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

/* Of a biped that names do not tell. */
static void read_feet(const model_body *b, int joints[SINEW_ROLES]) {
  for (int i = 0; i < b->foot_count && i < 4; i++) {
    const body_foot *f = b->feet + i;
    int right = f->side < 0;
    joints[(f->is_front ? SINEW_ROLE_LEFT_FRONT_FOOT : SINEW_ROLE_LEFT_FOOT) + right] = f->foot;
    if (f->is_front) continue;
    if (f->toes >= 0) joints[SINEW_ROLE_LEFT_BALL + right] = f->toes;
    if (f->thigh >= 0) joints[SINEW_ROLE_LEFT_UPPER_LEG + right] = f->thigh;
    if (f->shin >= 0) joints[SINEW_ROLE_LEFT_LOWER_LEG + right] = f->shin;
  }
}

bool sinew_model_roles(const sinew_model *model, int joints[SINEW_ROLES]) {
  static const limb_slot slots[] = {LIMB_HAND, LIMB_FOOT,     LIMB_TOES,      LIMB_THIGH,
                                    LIMB_SHIN, LIMB_CLAVICLE, LIMB_UPPER_ARM, LIMB_FOREARM};
  const humanoid *person = &model->body->person;
  for (int i = 0; i < SINEW_ROLES; i++) joints[i] = -1;
  joints[SINEW_ROLE_PELVIS] = person->hips;
  joints[SINEW_ROLE_HEAD] = person->head;
  for (int i = 0; i < 8; i++)
    for (int side = 0; side < 2; side++) joints[SINEW_ROLE_LEFT_HAND + 2 * i + side] = person->limbs[side][slots[i]];
  read_feet(model->body, joints);
  joints[SINEW_ROLE_ROOT] = model->body->root >= 0 ? model->body->root : find_root(model, person->hips);
  return true;
}

sinew_vec3 sinew_model_front(const sinew_model *model) { return model->body->front; }

sinew_finding sinew_model_finding(const sinew_model *model, sinew_finding_kind kind) {
  return model->body->findings[kind];
}
