#include "host/drawing/lines.h"
#include "host/edit/change.h"
#include "host/host.h"
#include "host/picking/picking.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- choosing ---- */

void selection_change(sinew_host *host, sinew_actor actor, int joint) {
  char path[SINEW_JOINT_PATH] = "", field[SINEW_JOINT_PATH + 8];
  const sinew_model *model = joint >= 0 ? sinew_actor_model(host->stage, actor) : NULL;
  if (model) sinew_model_joint_path(model, joint, path, sizeof path);
  snprintf(field, sizeof field, "joint.%s", path);
  change_make(host, &(sinew_edit){.kind = SINEW_EDIT_ACTOR, .actor = actor, .field = field}, &(double){joint}, 1);
}

static void choose_at(sinew_host *host, float x, float y) {
  sinew_actor actor;
  int joint;
  bool hit = pick_at(host, x, y, &actor, &joint);
  selection_change(host, hit ? actor : (sinew_actor){0}, hit ? joint : -1);
}

static bool has_ctrl(const sinew_host *host) {
  const bool *keys = host->input.keys;
  return keys[input_find_key("left_ctrl")] || keys[input_find_key("right_ctrl")];
}

static bool is_on_chosen(sinew_host *host, float x, float y) {
  sinew_actor actor;
  int joint;
  return pick_at(host, x, y, &actor, &joint) && actor.id == host->selection.actor.id;
}

/* A drag turns the camera, so a click, while the scene is paused, is a press without movement. */
bool picking_button(sinew_host *host, int button, bool down) {
  const float still = 4;
  float x = host->input.mouse_x, y = host->input.mouse_y, *pressed = host->selection.pressed;
  if (button != 1) return false;
  if (down && gizmo_press(host, x, y)) return true;
  if (down && host->selection.painted && is_on_chosen(host, x, y)) {
    mask_begin_stroke(host);
    return host->selection.paints = true;
  }
  if (down && has_ctrl(host)) return choose_at(host, x, y), true;
  bool was_pressed = pressed[0] >= 0 && !down;
  bool clicked = was_pressed && fabsf(pressed[0] - x) <= still && fabsf(pressed[1] - y) <= still;
  pressed[0] = down && host->view.paused ? x : -1;
  pressed[1] = y;
  if (clicked) choose_at(host, x, y);
  return false;
}

bool picking_release(sinew_host *host, int button) {
  selection *s = &host->selection;
  bool held = button == 1 && (s->drag.is_on || s->paints);
  if (!held) return false;
  gizmo_move(host);
  s->drag.is_on = s->paints = false;
  return true;
}

/* A mask is painted only while the panel that shows it is open. */
void picking_update(sinew_host *host) {
  selection *s = &host->selection;
  if (!s->shows_joints || s->painted >= sinew_actor_layer_count(host->stage, s->actor)) s->painted = 0;
  if (s->painted == 0) s->paints = false;
  mask_paint(host);
  gizmo_move(host);
}

/* ---- showing ---- */

static const uint8_t chosen_color[4] = {255, 166, 60, 255};

static void draw_line(sinew_host *host, sinew_vec3 a, sinew_vec3 b, const uint8_t color[4]) {
  sinew_line line = {.a = a, .b = b};
  memcpy(line.color, color, sizeof line.color);
  line_list_add(&host->lines_on_top, &line);
}

static sinew_vec3 joint_position(const sinew_mat3x4 *world, const sinew_mat3x4 *joint) {
  return sinew_mat3x4_transform_point(world, (sinew_vec3){joint->m[3], joint->m[7], joint->m[11]});
}

/* The size of the box of the joints. */
static float size_of(const sinew_mat3x4 *joints, int count) {
  sinew_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 1; i < count; i++) {
    low.x = fminf(low.x, joints[i].m[3]), high.x = fmaxf(high.x, joints[i].m[3]);
    low.y = fminf(low.y, joints[i].m[7]), high.y = fmaxf(high.y, joints[i].m[7]);
    low.z = fminf(low.z, joints[i].m[11]), high.z = fmaxf(high.z, joints[i].m[11]);
  }
  float size = fmaxf(fmaxf(high.x - low.x, high.y - low.y), high.z - low.z);
  return isfinite(size) ? size : 0;
}

/* A diamond about the joint, and lines to the joints below it. */
static void draw_joint(sinew_host *host, const sinew_mat3x4 *world, const sinew_mat3x4 *joints, float size) {
  const sinew_model *model = sinew_actor_model(host->stage, host->selection.actor);
  int chosen = host->selection.joint;
  sinew_vec3 at = joint_position(world, &joints[chosen]), tips[6];
  float r = 0.02f * size;
  for (int i = 0; i < 6; i++) {
    float d = i % 2 ? r : -r;
    tips[i] = (sinew_vec3){at.x + (i / 2 == 0 ? d : 0), at.y + (i / 2 == 1 ? d : 0), at.z + (i / 2 == 2 ? d : 0)};
  }
  for (int i = 0; i < 6; i++)
    for (int k = i + 1; k < 6; k++)
      if (i / 2 != k / 2) draw_line(host, tips[i], tips[k], chosen_color);
  for (int i = chosen + 1; i < sinew_model_joint_count(model); i++)
    if (sinew_model_joint_parent(model, i) == chosen)
      draw_line(host, at, joint_position(world, &joints[i]), chosen_color);
}

void selection_draw(sinew_host *host) {
  sinew_actor actor;
  int joint;
  const sinew_mat3x4 *joints;
  if (!host->renderer || !sinew_host_selected(host, &actor, &joint)) return;
  if (!(joints = sinew_actor_joints(host->stage, actor))) return;
  sinew_transform transform = sinew_actor_transform(host->stage, actor);
  sinew_mat3x4 world = sinew_mat3x4_from_transform(&transform);
  int count = sinew_model_joint_count(sinew_actor_model(host->stage, actor));
  draw_joint(host, &world, joints, size_of(joints, count));
  gizmos_draw(host);
}
