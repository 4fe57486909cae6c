#include "cli/info/facts.h"
#include "cli/view/view.h"

#include <stdio.h>
#include <string.h>

static void draw_findings(viewer *v) {
  char text[FACTS_FINDING];
  for (int i = 0; i < SINEW_FINDINGS; i++) {
    facts_finding_text(v->model, (sinew_finding_kind)i, text);
    sinew_ui_text(v->host, text);
  }
}

/* A role that is given twice moves to the other joint. */
void view_set_role(viewer *v, int joint, int role) {
  const char *name = sinew_model_joint_name(v->model, joint);
  sinew_load_options own = v->load ? *v->load : sinew_load_options_default();
  int count = 0;
  sinew_joint_role kept[SINEW_ROLES];
  char joints[SINEW_ROLES][sizeof *v->role_joints];
  for (int i = 0; i < own.role_count && count + 1 < SINEW_ROLES; i++) {
    bool replaced = role >= 0 && strcmp(own.roles[i].role, sinew_role_name((sinew_role)role)) == 0;
    if (replaced || strcmp(own.roles[i].joint, name) == 0) continue;
    snprintf(joints[count], sizeof *joints, "%s", own.roles[i].joint);
    kept[count++].role = own.roles[i].role;
  }
  if (role >= 0)
    snprintf(joints[count], sizeof *joints, "%s", name), kept[count++].role = sinew_role_name((sinew_role)role);
  for (int i = 0; i < count; i++) {
    memcpy(v->role_joints[i], joints[i], sizeof *joints);
    v->roles[i] = (sinew_joint_role){kept[i].role, v->role_joints[i]};
  }
  own.roles = v->roles, own.role_count = count;
  v->own = own;
  v->load = &v->own;
  view_reload(v);
}

static int role_of(const viewer *v, int joint) {
  int joints[SINEW_ROLES];
  sinew_model_roles(v->model, joints);
  for (int i = 0; i < SINEW_ROLES; i++)
    if (joints[i] == joint) return i;
  return -1;
}

static void offer_roles(viewer *v, int joint) {
  const char *names[SINEW_ROLES + 1] = {"none"};
  char label[300];
  int role = role_of(v, joint), chosen = role + 1;
  for (int i = 0; i < SINEW_ROLES; i++) names[i + 1] = sinew_role_name((sinew_role)i);
  snprintf(label, sizeof label, "role of %.250s", sinew_model_joint_name(v->model, joint));
  if (sinew_ui_combo(v->host, label, names, SINEW_ROLES + 1, &chosen) && chosen != role + 1)
    view_set_role(v, joint, chosen - 1);
}

void view_draw_body(viewer *v) {
  sinew_actor actor;
  int joint;
  sinew_ui_separator(v->host);
  draw_findings(v);
  if (sinew_host_selected(v->host, &actor, &joint) && actor.id == v->actor.id && joint > 0) offer_roles(v, joint);
  else sinew_ui_text(v->host, "Ctrl+click a joint to give it a role");
}
