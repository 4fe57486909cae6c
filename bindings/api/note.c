/* Notes: what a script does that is no mistake, and does not do what its author expects. Each is said once. */
#include "core/api.h"
#include "core/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE_END = 48 };

static const char noted_key;

/* Whether nothing was noted under this key. Now something is. */
static bool is_new(lua_State *L, const char *key) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &noted_key) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &noted_key);
  }
  bool new = lua_getfield(L, -1, key) == LUA_TNIL;
  if (new) {
    lua_pushboolean(L, 1);
    lua_setfield(L, -3, key);
  }
  lua_pop(L, 2);
  return new;
}

void note_movers(lua_State *L, const actor_record *record, const char *line) {
  static const double goes = 0.1;
  char text[2 * DECLARED_LINE + 200];
  if (record->parts[PART_ROOT].count == 0) return;
  const root_record *root = (const root_record *)record->parts[PART_ROOT].items[0];
  if (!root->last.apply || sinew_hypot(record->motor.velocity_x, record->motor.velocity_z) < goes) return;
  snprintf(text, sizeof text,
           "%s: the motor of '%.60s' and its root motion (%s) both move it, and add up: leave out the motor, or give "
           "actor:root_motion { apply = false }",
           line, record->head.name, root->head.line);
  note_once(L, text);
}

void note_held(lua_State *L, const actor_record *record, const sinew_event *event) {
  const declarations *all = &scene_of(L)->declarations;
  const char *line = declarations_action_line(all, record, event->action);
  char text[DECLARED_LINE + 240];
  bool holds =
      sinew_action_is_finished(all->stage, event->action) && !sinew_action_is_stopping(all->stage, event->action);
  if (!line || !holds) return;
  snprintf(text, sizeof text,
           "%s: '%.60s' has ended, and '%.60s' keeps its last pose: with fade_out = 0.2, what played before returns",
           line, sinew_clip_name(sinew_model_clip(declarations_actor_model(all, record), event->clip)),
           record->head.name);
  note_once(L, text);
}

void note_hurried(lua_State *L, const actor_record *record, const sinew_event *events, int count) {
  const sinew_event *e = events + count - 1;
  int entered = 0;
  char text[300];
  for (const sinew_event *o = events; o <= e; o++)
    entered += o->kind == SINEW_EVENT_ENTER && o->actor.id == e->actor.id && o->layer == e->layer && o->node == e->node;
  if (entered < SINEW_MACHINE_STEPS) return;
  snprintf(text, sizeof text,
           "a state machine of '%.60s' took %d transitions in one frame, the most it can; it is now in '%.60s'",
           record->head.name, SINEW_MACHINE_STEPS, e->to_key ? e->to_key : "");
  note_once(L, text);
}

/* Lists the names of all markers of the model; returns how many there are. */
static int list_markers(const sinew_stage *stage, const sinew_model *model, const char **names, int most) {
  int found = 0;
  for (int i = 0; i < sinew_model_clip_count(model); i++) {
    int count;
    const sinew_marker *markers = sinew_stage_markers(stage, model, i, &count);
    for (int k = 0; k < count && found < most; k++) names[found++] = markers[k].name;
  }
  return found;
}

void note_unheard(lua_State *L, const actor_record *record, const char *event, const char *line) {
  enum { NAMES = 128 };
  const declarations *all = &scene_of(L)->declarations;
  const char *names[NAMES] = {"*", "loop", "finish", "enter", "exit"};
  char text[DECLARED_LINE + 240];
  int count = 5 + list_markers(all->stage, declarations_actor_model(all, record), names + 5, NAMES - 5);
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], event) == 0) return;
  const char *near = sinew_nearest_name(event, names, count);
  snprintf(text, sizeof text, "%s: no clip of '%.60s' has a marker '%.60s', so this handler is never called%s%.60s%s",
           line, record->head.name, event, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  note_once(L, text);
}

void note_repeated(lua_State *L, const char *does, const char *instead) {
  enum { MOST = 8, FRAMES = 30 };
  sinew_scene *scene = scene_of(L);
  char line[DECLARED_LINE], text[DECLARED_LINE + 160];
  if (scene->loading) return;
  int64_t frame = sinew_host_frame(scene->host);
  int at = 0;
  scene_line(L, line);
  for (int i = 0; i < MOST; i++) {
    if (strcmp(scene->repeated[i].line, line) == 0) at = i;
    if (strcmp(scene->repeated[i].line, line) == 0) break;
    if (scene->repeated[i].frame < scene->repeated[at].frame) at = i;
  }
  bool known = strcmp(scene->repeated[at].line, line) == 0;
  if (known && scene->repeated[at].frame == frame) return;
  bool goes_on = known && scene->repeated[at].frame == frame - 1;
  scene->repeated[at].count = goes_on ? scene->repeated[at].count + 1 : 1;
  scene->repeated[at].frame = frame;
  if (!known) snprintf(scene->repeated[at].line, sizeof line, "%s", line);
  if (scene->repeated[at].count != FRAMES) return;
  snprintf(text, sizeof text, "%s: %s in each frame: %s", line, does, instead);
  note_once(L, text);
}

/* A function of ours that is itself a handler gets arguments that it need not take. */
static bool is_called_by_script(lua_State *L) {
  lua_Debug info;
  return lua_getstack(L, 1, &info) && lua_getinfo(L, "l", &info) && info.currentline > 0;
}

void note_surplus(lua_State *L, const api_member *member) {
  int most = member->most, extra = most + 1 + (member->entry->kind == API_METHOD);
  char line[DECLARED_LINE], text[DECLARED_LINE + 200];
  while (extra <= lua_gettop(L) && lua_isnil(L, extra)) extra++;
  if (extra > lua_gettop(L) || !is_called_by_script(L)) return;
  scene_line(L, line);
  const char *name = api_full_name(L, member->entry);
  if (most)
    snprintf(text, sizeof text, "%s: %s takes %d argument%s; those after have no effect", line, name, most,
             most > 1 ? "s" : "");
  else snprintf(text, sizeof text, "%s: %s takes no arguments; those given have no effect", line, name);
  lua_pop(L, 1);
  note_once(L, text);
}

void note_degrees(lua_State *L, double angle) {
  char line[DECLARED_LINE], text[DECLARED_LINE + 200];
  if (fabs(angle) < 6.3 || fmod(angle, 5) != 0 || fabs(angle) > 1e6) return;
  scene_line(L, line);
  snprintf(text, sizeof text,
           "%s: rotations are in radians, and %.0f radians are %.1f turns; math.rad(%.0f) converts degrees", line,
           angle, angle / 6.283185307179586, angle);
  note_once(L, text);
}

void note_percent(lua_State *L, const char *what, double weight) {
  char line[DECLARED_LINE], text[DECLARED_LINE + 200];
  if (fabs(weight) < 10) return;
  scene_line(L, line);
  snprintf(text, sizeof text, "%s: %.60s is %.4g; 1 is the whole of a morph target", line, what, weight);
  note_once(L, text);
}

void note_late(lua_State *L, const sinew_clip *clip, double time) {
  char line[DECLARED_LINE], text[DECLARED_LINE + 200];
  double duration = sinew_clip_duration(clip);
  if (!(time > duration + 1e-4)) return;
  scene_line(L, line);
  snprintf(text, sizeof text, "%s: %.4g s is past the end of '%.60s', which lasts %.4g s", line, time,
           sinew_clip_name(clip), duration);
  note_once(L, text);
}

void note_path(lua_State *L, const actor_record *record, const char *path) {
  char line[DECLARED_LINE], text[DECLARED_LINE + 200];
  scene_line(L, line);
  snprintf(text, sizeof text, "%s: the graph of '%.60s' has no machine '%.60s'", line, record->head.name, path);
  note_once(L, text);
}

void note_joint(lua_State *L, const char *joint) {
  const declarations *all = &scene_of(L)->declarations;
  char line[DECLARED_LINE], text[DECLARED_LINE + 200];
  int models = 0;
  for (int i = 0; i < all->actors.count; i++) {
    const sinew_model *model = declarations_actor_model(all, actor_at(all, i));
    if (!model) continue;
    if (sinew_model_find_joint(model, joint) >= 0) return;
    models++;
  }
  if (models == 0 || !joint[0]) return;
  scene_line(L, line);
  snprintf(text, sizeof text, "%s: no actor has a joint '%.60s'", line, joint);
  note_once(L, text);
}

void note_unsent(lua_State *L, const actor_record *record, const char *event) {
  enum { NAMES = 128 };
  const char *names[NAMES];
  int count = 0;
  char line[DECLARED_LINE], text[DECLARED_LINE + 400];
  for (int i = 0; i < record->parts[PART_GRAPHS].count; i++) {
    const graph_copy *copy = graph_at(record, i)->last;
    for (int k = 0; copy && k < copy->def.transition_count; k++) {
      const char *on = copy->def.transitions[k].event;
      if (on && strcmp(on, event) == 0) return;
      if (on && count < NAMES) names[count++] = on;
    }
  }
  scene_line(L, line);
  const char *near = sinew_nearest_name(event, names, count);
  snprintf(text, sizeof text, "%s: no transition of '%.60s' waits for '%.60s'%s%.60s%s", line, record->head.name, event,
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  note_once(L, text);
}

void note_change(lua_State *L, const actor_record *record, sinew_note_of of, const char *what) {
  const declarations *all = &scene_of(L)->declarations;
  sinew_metrics metrics;
  char line[DECLARED_LINE], text[SINEW_MARK_TEXT];
  if (all->loading || !record || !sinew_actor_metrics(all->stage, record->actor, &metrics)) return;
  scene_line(L, line);
  size_t size = strlen(line); /* of a long path the end */
  const char *end = line + (size > LINE_END ? size - LINE_END : 0);
  snprintf(text, sizeof text, "%.40s (%s)", what, end);
  sinew_actor_note(all->stage, record->actor, of, text);
}

void note_once(lua_State *L, const char *text) {
  if (is_new(L, text)) declarations_say(&scene_of(L)->declarations, SINEW_LOG_INFO, "%s", text);
}

void note_front(lua_State *L, const sinew_model *model, const char *line) {
  sinew_vec3 front = sinew_model_front(model);
  if (front.z > 0) return;
  const char *path = sinew_model_path(model), *slash = path ? strrchr(path, '/') : NULL;
  const char *axis = front.z < 0 ? "-z" : front.x < 0 ? "-x" : "+x";
  char text[DECLARED_LINE + 256];
  snprintf(text, sizeof text,
           "%s: '%.80s' faces %s, but motors and blend spaces of velocities expect characters that face +z: load it "
           "with { front = \"%s\" }",
           line,
           slash  ? slash + 1
           : path ? path
                  : "the model",
           axis, axis);
  note_once(L, text);
}

/* The joints of a clip with a single frame stand where they stand in its first one. */
static bool is_still(const sinew_model *model, int clip) {
  const sinew_clip *c = sinew_model_clip(model, clip);
  bool moves_joints = false;
  for (int i = 1; i < sinew_model_joint_count(model) && !moves_joints; i++) moves_joints = sinew_clip_has_joint(c, i);
  return moves_joints && sinew_clip_frame_count(c) == 0;
}

void note_still(lua_State *L, const actor_record *record, int64_t layer, int clip, const char *line) {
  const declarations *all = &scene_of(L)->declarations;
  const layer_record *l = layer ? declarations_layer(record, layer) : NULL;
  const sinew_model *model = declarations_actor_model(all, record);
  if (!l || clip < 0 || clip >= sinew_model_clip_count(model)) return;
  const layer_values *values = all->loading && l->head.next_set ? &l->next : &l->last;
  if (values->def.mode != SINEW_LAYER_ADDITIVE || values->def.reference.kind != SINEW_REFERENCE_BEGIN) return;
  if (!is_still(model, clip)) return;
  char text[DECLARED_LINE + 256];
  snprintf(
      text, sizeof text,
      "%s: '%.80s' is a single pose, and adds nothing to what is below the additive layer '%.60s': give the layer a "
      "reference that differs from it, such as reference = \"Idle\"",
      line, sinew_clip_name(sinew_model_clip(model, clip)), declarations_layer_name(record, layer));
  note_once(L, text);
}

/* How far the root of the rig is from where it was when the clip began, in metres over the ground; 0 where the rig has
 * no root. */
static double distance_travelled(const sinew_model *model, int clip) {
  int joints[SINEW_ROLES];
  if (!sinew_model_roles(model, joints) || joints[SINEW_ROLE_ROOT] < 0) return 0;
  sinew_transform root = sinew_transform_identity();
  const sinew_clip *c = sinew_model_clip(model, clip);
  sinew_root_track track = {model, c, joints[SINEW_ROLE_ROOT], SINEW_ROOT_X | SINEW_ROOT_Z};
  sinew_root_motion(&(sinew_root_motion_job){.track = track, .to = sinew_clip_duration(c), .output = &root});
  return sinew_hypot((double)root.translation.x, (double)root.translation.z) / sinew_model_metre(model);
}

void note_travelling(lua_State *L, const actor_record *record, const sinew_event *event) {
  static const double far = 0.3; /* a step to the side */
  const declarations *all = &scene_of(L)->declarations;
  const sinew_model *model = declarations_actor_model(all, record);
  char key[64], text[DECLARED_LINE + 256];
  if (event->layer > 0 || record->parts[PART_ROOT].count > 0 || event->clip < 0 ||
      event->clip >= sinew_model_clip_count(model))
    return;
  snprintf(key, sizeof key, "travelling %p %d", (const void *)model, event->clip);
  if (!is_new(L, key)) return;
  double distance = distance_travelled(model, event->clip);
  if (!(distance > far)) return;
  snprintf(
      text, sizeof text,
      "%s: '%.60s' jumps back by %.2f m each time '%.60s' begins again, because the clip travels: actor:root_motion() "
      "moves the actor with it",
      record->head.line, record->head.name, distance, sinew_clip_name(sinew_model_clip(model, event->clip)));
  note_once(L, text);
}
