#include "host/panels/inspector.h"

#include "base/text.h"
#include "host/host.h"

#include <sinew/actor_modifiers.h>
#include <sinew/curve.h>
#include <sinew/graph.h>
#include <sinew/playing.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What one panel shows: the chosen actor, and its name in Lua. */
typedef struct desk {
  sinew_host *host;
  ui *ui;
  sinew_stage *stage;
  sinew_actor actor;
  sinew_model *model;
  char name[LUA_TEXT];
} desk;

static const char *clip_name(const desk *d, int clip) { return sinew_clip_name(sinew_model_clip(d->model, clip)); }

/* ---- changes ---- */

/* Sets a field of the actor. */
static void set_of_actor(const desk *d, change_kind kind, const char *field, double value) {
  change_make(d->host, kind, &(sinew_edit){.actor = d->actor}, field, &value, 1);
}

static void note(const desk *d, const char *target, const char *value) {
  changes_note(&d->host->inspector.changes, target, value);
}

/* Notes the latest change of a target as an edit of the script. */
static void note_edit(const desk *d, const char *target, const sinew_edit *edit) {
  sinew_edit mine = *edit;
  mine.actor = d->actor;
  changes_note_edit(&d->host->inspector.changes, target, &mine);
}

/* hero .params .speed = 1.25, also as an edit of the script. */
static void note_number(const desk *d, const char *table, const char *field, double value, const sinew_edit *edit) {
  char key[LUA_TEXT], target[3 * LUA_TEXT], text[32];
  lua_key(key, field);
  lua_format(target, sizeof target, "%s%s%s", d->name, table, key);
  text_format(text, sizeof text, "%.6g", value);
  note(d, target, text);
  sinew_edit mine = *edit;
  mine.value = value;
  note_edit(d, target, &mine);
}

/* hero.params.speed, hero.morphs.Smile */
static void note_named(const desk *d, const char *table, const char *name, double value) {
  char dotted[LUA_TEXT], field[LUA_TEXT];
  lua_format(dotted, sizeof dotted, ".%s", table);
  lua_format(field, sizeof field, "%s.%s", table, name);
  note_number(d, dotted, name, value, &(sinew_edit){.field = field});
}

/* sinew.view.joint = "Head"; hero.visible = true */
static void note_text(const desk *d, sinew_edit_kind kind, const char *field, const char *value) {
  char target[2 * LUA_TEXT];
  lua_format(target, sizeof target, "%s.%s", kind == SINEW_EDIT_VIEW ? "sinew.view" : d->name, field);
  note(d, target, value);
  note_edit(d, target, &(sinew_edit){.kind = kind, .field = field, .text = value});
}

static void note_flag(const desk *d, sinew_edit_kind kind, const char *field, bool value) {
  note_text(d, kind, field, value ? "true" : "false");
}

/* An action has no name: the line is the call that plays it with these options. */
static void action_call(const desk *d, const sinew_play_def *s, char out[3 * LUA_TEXT]) {
  char clip[LUA_TEXT], layer[LUA_TEXT];
  lua_string(clip, clip_name(d, s->clip));
  lua_string(layer, sinew_actor_layer_name(d->stage, d->actor, s->layer));
  lua_format(out, 3 * LUA_TEXT, "%s:play(%s, { layer = %s", d->name, clip, layer);
}

static void note_action(const desk *d, sinew_action action, const char *field, const sinew_play_def *s) {
  char target[3 * LUA_TEXT], line[4 * LUA_TEXT];
  action_call(d, s, target);
  lua_format(line, sizeof line, "%s, weight = %.6g, speed = %.6g })", target, (double)s->weight, s->speed);
  changes_note_line(&d->host->inspector.changes, target, line);
  double value = strcmp(field, "speed") == 0 ? s->speed : (double)s->weight;
  note_edit(d, target, &(sinew_edit){.kind = SINEW_EDIT_ACTION, .action = action, .field = field, .value = value});
}

/* ---- the actor ---- */

static const char *name_of(const desk *d, int index) {
  return sinew_actor_name(d->stage, sinew_stage_actor(d->stage, index));
}

static void choose_actor(desk *d) {
  enum { MOST = 256 };
  const char *names[MOST];
  int all = sinew_stage_actor_count(d->stage), count = all < MOST ? all : MOST, chosen = 0;
  sinew_actor *actor = &d->host->inspector.actor;
  for (int i = 0; i < count; i++) {
    names[i] = name_of(d, i);
    if (sinew_stage_actor(d->stage, i).id == actor->id) chosen = i;
  }
  if (count > 0) ui_combo(d->ui, "actor", names, count, &chosen);
  d->actor = *actor = sinew_stage_actor(d->stage, chosen);
  d->model = sinew_actor_model(d->stage, d->actor);
  if (d->model) lua_actor(d->name, sinew_actor_name(d->stage, d->actor));
}

static void draw_actor(desk *d) {
  bool visible = sinew_actor_is_visible(d->stage, d->actor);
  float opacity = sinew_actor_opacity(d->stage, d->actor);
  if (ui_checkbox(d->ui, "visible", &visible)) {
    set_of_actor(d, CHANGE_VISIBLE, NULL, visible);
    note_flag(d, SINEW_EDIT_ACTOR, "visible", visible);
  }
  if (ui_slider(d->ui, "opacity", &opacity, 0, 1)) {
    set_of_actor(d, CHANGE_OPACITY, NULL, (double)opacity);
    note_number(d, "", "opacity", (double)opacity, &(sinew_edit){.field = "opacity"});
  }
}

static void draw_actor_fields(desk *d) {
  controls_draw(d->host, &(sinew_edit){.kind = SINEW_EDIT_ACTOR, .actor = d->actor}, d->name);
  actor_fields_draw(d->host, d->actor, d->name);
}

/* ---- layers and actions ---- */

/* True if the time was changed. */
static bool draw_time(const desk *d, int clip, double *time) {
  int marks = 0;
  sinew_timeline line = {sinew_clip_duration(sinew_model_clip(d->model, clip)), NULL, 0};
  line.marks = sinew_stage_markers(d->stage, d->model, clip, &marks);
  line.mark_count = marks;
  return ui_timeline(d->ui, "time", &line, time);
}

/* A clip's normalised weight and phase: its sync group may play it faster than its own speed. */
static void draw_playing(const desk *d, const char *label, const sinew_playing *playing) {
  char text[64];
  ui_bar(d->ui, label, playing->normalized_weight);
  if (!(playing->normalized_weight > 0)) return;
  text_format(text, sizeof text, "phase %.2f, %.3g s per second", playing->phase, playing->speed);
  ui_label(d->ui, text);
}

static bool draw_action_fields(desk *d, sinew_action action, const sinew_play_def *s) {
  char call[3 * LUA_TEXT];
  action_call(d, s, call);
  return controls_draw(d->host, &(sinew_edit){.kind = SINEW_EDIT_ACTION, .actor = d->actor, .action = action}, call);
}

static void draw_action(desk *d, sinew_action action) {
  sinew_play_def s;
  sinew_playing playing;
  if (!sinew_action_read_state(d->stage, action, &s)) return;
  sinew_action_playing(d->stage, action, &playing);
  draw_playing(d, clip_name(d, s.clip), &playing);
  const sinew_edit of = {.actor = d->actor, .action = action};
  if (draw_time(d, s.clip, &s.time)) change_make(d->host, CHANGE_TIME, &of, NULL, &s.time, 1);
  if (draw_action_fields(d, action, &s)) {
    markers_draw(d->host, d->actor, s.clip);
    return;
  }
  float speed = (float)s.speed;
  bool weighed = ui_slider(d->ui, "weight", &s.weight, 0, 1);
  bool sped = ui_slider(d->ui, "speed", &speed, -2, 2);
  if (sped) s.speed = (double)speed;
  bool paused = ui_checkbox(d->ui, "paused", &s.paused);
  const double values[3] = {(double)s.weight, s.speed, s.paused};
  if (weighed || sped || paused) change_make(d->host, CHANGE_ACTION, &of, NULL, values, 3);
  if (weighed || sped) note_action(d, action, sped ? "speed" : "weight", &s);
}

static void note_layer(const desk *d, int layer, float weight) {
  char name[LUA_TEXT], target[3 * LUA_TEXT], value[32];
  lua_string(name, sinew_actor_layer_name(d->stage, d->actor, layer));
  lua_format(target, sizeof target, "%s:layer(%s).weight", d->name, name);
  text_format(value, sizeof value, "%.6g", (double)weight);
  note(d, target, value);
  note_edit(d, target,
            &(sinew_edit){.kind = SINEW_EDIT_LAYER, .layer = layer, .field = "weight", .value = (double)weight});
}

static void draw_transition(const desk *d, const char *from, const char *to, const sinew_transition_state *t) {
  static const char *const kinds[] = {"crossfade", "frozen", "inertial"};
  char text[256];
  text_format(text, sizeof text, "%.60s → %.60s", from, to);
  ui_bar(d->ui, text, t->progress);
  text_format(text, sizeof text, "%s, %.2f of %.2f s", kinds[t->kind], t->time, t->fade);
  ui_label(d->ui, text);
}

static void draw_change(const desk *d, int layer) {
  sinew_transition_state t;
  if (!sinew_actor_transition(d->stage, d->actor, layer, -1, &t)) return;
  draw_transition(d, t.from < 0 ? "rest" : clip_name(d, t.from), t.to < 0 ? "rest" : clip_name(d, t.to), &t);
}

static void draw_layer_fields(desk *d, int layer) {
  char name[LUA_TEXT], call[3 * LUA_TEXT];
  float weight = sinew_actor_layer(d->stage, d->actor, layer).weight;
  lua_string(name, sinew_actor_layer_name(d->stage, d->actor, layer));
  lua_format(call, sizeof call, "%s:layer(%s, {", d->name, name);
  if (controls_draw(d->host, &(sinew_edit){.kind = SINEW_EDIT_LAYER, .actor = d->actor, .layer = layer}, call)) return;
  if (ui_slider(d->ui, "layer weight", &weight, 0, 1) &&
      change_make(d->host, CHANGE_WEIGHT, &(sinew_edit){.actor = d->actor, .layer = layer}, NULL,
                  &(double){(double)weight}, 1))
    note_layer(d, layer, weight);
}

static void draw_layer(desk *d, int layer) {
  int count = sinew_actor_action_count(d->stage, d->actor, layer);
  if (!ui_begin_tree(d->ui, sinew_actor_layer_name(d->stage, d->actor, layer), true)) return;
  if (layer > 0) draw_layer_fields(d, layer);
  draw_change(d, layer);
  for (int i = 0; i < count; i++) {
    if (i > 0) ui_separator(d->ui);
    draw_action(d, sinew_actor_action(d->stage, d->actor, layer, i));
  }
  if (sinew_actor_has_graph(d->stage, d->actor, layer)) ui_label(d->ui, "a graph plays: see Graph");
  else if (count == 0) ui_label(d->ui, "nothing plays");
  ui_end_tree(d->ui);
}

/* Draws the curves of the playing clips. */
static void draw_curves(const desk *d) {
  enum { MOST = 64 };
  const char *name;
  char text[128];
  for (int i = 0, drawn = 0; i < MOST && (name = sinew_stage_curve_name(d->stage, d->model, i)) != NULL; i++) {
    double value = sinew_actor_curve(d->stage, d->actor, name, 0);
    if (value == 0 && sinew_actor_curve(d->stage, d->actor, name, 1) == 1) continue;
    if (drawn++ == 0) ui_separator(d->ui);
    text_format(text, sizeof text, "curve %s: %.3g", name, value);
    ui_label(d->ui, text);
  }
}

static void draw_play(desk *d) {
  for (int layer = 0; layer < sinew_actor_layer_count(d->stage, d->actor); layer++) draw_layer(d, layer);
  draw_curves(d);
}

/* ---- graphs ---- */

static void draw_params(desk *d) {
  for (int i = 0; i < sinew_actor_param_count(d->stage, d->actor); i++) {
    const char *name = sinew_actor_param_name(d->stage, d->actor, i);
    float value = (float)sinew_actor_param(d->stage, d->actor, i);
    bool pinned;
    double seen = sinew_actor_seen_param(d->stage, d->actor, i, &pinned);
    if (pinned) {
      char text[128];
      text_format(text, sizeof text, "%s is pinned at %.3g: Esc frees it", name, seen);
      ui_label(d->ui, text);
      continue;
    }
    /* a parameter has no declared range, so no slider */
    if (!ui_drag(d->ui, name, &value, 0.01f, -INFINITY, INFINITY)) continue;
    set_of_actor(d, CHANGE_PARAM, name, (double)value);
    note_named(d, "params", name, (double)value);
  }
}

/* Its name and its kind. */
static void node_label(const desk *d, const sinew_node_def *n, int layer, int node, char *out, size_t size) {
  char name[128];
  const char *what = n->kind == SINEW_NODE_CLIP ? clip_name(d, n->clip) : graph_kind_name(n->kind);
  graph_node_name(d->stage, d->actor, layer, node, name, sizeof name);
  if (n->key) lua_format(out, size, "%s (%s)", name, what);
  else lua_format(out, size, "%s", name);
}

typedef char state_text[64];

static const char *state_name(const desk *d, int layer, int machine, int state, state_text out) {
  graph_state_name(d->stage, d->actor, layer, machine, state, out, sizeof(state_text));
  return out;
}

static void draw_machine(desk *d, int layer, int node) {
  char text[640];
  state_text name;
  sinew_machine_state s;
  if (!sinew_actor_machine(d->stage, d->actor, layer, node, &s)) return;
  int used = text_format(text, sizeof text, "in %s for %.1f s", state_name(d, layer, node, s.state, name), s.time);
  for (int i = 0; i < 8 && s.history[i] >= 0; i++)
    used += text_format(text + used, sizeof text - (size_t)used, "%s%s", i == 0 ? "\nbefore: " : ", ",
                        state_name(d, layer, node, s.history[i], name));
  ui_label(d->ui, text);
}

static void draw_node_transition(desk *d, int layer, int node) {
  state_text from, to;
  sinew_transition_state t;
  if (!sinew_actor_transition(d->stage, d->actor, layer, node, &t)) return;
  draw_transition(d, state_name(d, layer, node, t.from, from), state_name(d, layer, node, t.to, to), &t);
}

/* Only playing clips can be scrubbed: others have no time. */
static void draw_clip_node(desk *d, int layer, int node, const char *label, const sinew_node_def *n) {
  sinew_playing playing;
  bool plays = sinew_actor_node_playing(d->stage, d->actor, layer, node, &playing);
  draw_playing(d, label, &playing);
  if (plays && playing.normalized_weight > 0 && draw_time(d, n->clip, &playing.time))
    change_make(d->host, CHANGE_SEEK, &(sinew_edit){.actor = d->actor, .layer = layer, .index = node}, NULL,
                &playing.time, 1);
}

static void draw_normalized_weight(const desk *d, int layer, int node) {
  char text[128];
  sinew_playing playing;
  if (!sinew_actor_node_playing(d->stage, d->actor, layer, node, &playing) || !(playing.normalized_weight > 0)) return;
  text_format(text, sizeof text, "%.0f %%, phase %.2f", (double)playing.normalized_weight * 100, playing.phase);
  ui_label(d->ui, text);
}

static void draw_node(desk *d, int layer, int node) {
  char label[256];
  sinew_node_def n;
  if (!sinew_actor_node(d->stage, d->actor, layer, node, &n)) return;
  node_label(d, &n, layer, node, label, sizeof label);
  if (n.child_count == 0)
    draw_clip_node(d, layer, node, label, &n), graph_fields_draw(d->host, d->actor, layer, node, label);
  if (n.child_count == 0 || !ui_begin_tree(d->ui, label, true)) return;
  draw_normalized_weight(d, layer, node);
  graph_fields_draw(d->host, d->actor, layer, node, label);
  if (n.kind == SINEW_NODE_MACHINE)
    draw_machine(d, layer, node), graph_fields_draw_ways(d->host, d->actor, layer, node);
  draw_node_transition(d, layer, node);
  for (int i = 0; i < n.child_count; i++) draw_node(d, layer, n.first_child + i); /* at most 16 levels: graph.h */
  ui_end_tree(d->ui);
}

static void draw_graphs(desk *d) {
  bool any = sinew_actor_param_count(d->stage, d->actor) > 0;
  draw_params(d);
  for (int layer = 0; layer < sinew_actor_layer_count(d->stage, d->actor); layer++) {
    if (!sinew_actor_has_graph(d->stage, d->actor, layer)) continue;
    any = true;
    ui_separator(d->ui);
    if (!ui_begin_tree(d->ui, sinew_actor_layer_name(d->stage, d->actor, layer), true)) continue;
    draw_node(d, layer, 0);
    ui_end_tree(d->ui);
  }
  if (!any) ui_label(d->ui, "no parameters and no graph");
}

/* ---- morphs and modifiers ---- */

static bool came_before(const sinew_model *model, int mesh, const char *name) {
  for (int m = 0; m < mesh; m++) {
    sinew_mesh_view view = sinew_model_mesh(model, m);
    for (int i = 0; i < view.morph_count; i++)
      if (strcmp(view.morphs[i].name, name) == 0) return true;
  }
  return false;
}

static int draw_morphs(desk *d) {
  int count = 0;
  for (int m = 0; m < sinew_model_mesh_count(d->model); m++) {
    sinew_mesh_view view = sinew_model_mesh(d->model, m);
    for (int i = 0; i < view.morph_count; i++) {
      const char *name = view.morphs[i].name;
      if (came_before(d->model, m, name)) continue;
      float weight = sinew_actor_morph(d->stage, d->actor, name);
      count++;
      if (!ui_slider(d->ui, name, &weight, 0, 1)) continue;
      set_of_actor(d, CHANGE_MORPH, name, (double)weight);
      note_named(d, "morphs", name, (double)weight);
    }
  }
  return count;
}

static void note_weight(const desk *d, int index, const char *modifier, float weight) {
  char key[LUA_TEXT], table[2 * LUA_TEXT];
  lua_key(key, modifier);
  lua_format(table, sizeof table, ".modifiers%s", key);
  note_number(d, table, "weight", (double)weight,
              &(sinew_edit){.kind = SINEW_EDIT_MODIFIER, .index = index, .field = "weight"});
}

static void draw_modifier_fields(desk *d, int modifier, const char *name) {
  char key[LUA_TEXT], lua[3 * LUA_TEXT];
  sinew_modifier_state s;
  lua_key(key, name);
  lua_format(lua, sizeof lua, "%s.modifiers%s", d->name, key);
  if (controls_draw(d->host, &(sinew_edit){.kind = SINEW_EDIT_MODIFIER, .actor = d->actor, .index = modifier}, lua))
    return;
  if (!sinew_actor_read_modifier_state(d->stage, d->actor, modifier, &s)) return;
  bool weighed = ui_slider(d->ui, "weight", &s.weight, 0, 1), moved = false;
  float *const target[] = {&s.target.x, &s.target.y, &s.target.z};
  static const char *const labels[] = {"target x", "target y", "target z"};
  for (int i = 0; i < 3 && sinew_actor_modifier_aims(d->stage, d->actor, modifier); i++)
    moved |= ui_drag(d->ui, labels[i], target[i], 0.005f, -INFINITY, INFINITY);
  const sinew_edit of = {.actor = d->actor, .index = modifier};
  const double at[3] = {(double)s.target.x, (double)s.target.y, (double)s.target.z};
  if (weighed) change_make(d->host, CHANGE_BEARING, &of, NULL, &(double){(double)s.weight}, 1);
  if (moved) change_make(d->host, CHANGE_TARGET, &of, NULL, at, 3);
  if (weighed) note_weight(d, modifier, name, s.weight);
  if (moved) changes_note_target(d->host, d->actor, modifier, s.target);
}

static void draw_modifier(desk *d, int modifier) {
  const char *name = sinew_actor_modifier_name(d->stage, d->actor, modifier);
  if (!ui_begin_tree(d->ui, name, true)) return;
  draw_modifier_fields(d, modifier, name);
  ui_end_tree(d->ui);
}

static void draw_pose(desk *d) {
  int morphs = draw_morphs(d), modifiers = sinew_actor_modifier_count(d->stage, d->actor);
  if (morphs > 0 && modifiers > 0) ui_separator(d->ui);
  for (int i = 0; i < modifiers; i++) draw_modifier(d, i);
  if (morphs + modifiers == 0) ui_label(d->ui, "no morph targets and no modifiers");
}

/* ---- views ---- */

/* Joint 0 has no name. */
static void draw_joint(desk *d) {
  enum { MOST = 4096 };
  const char *names[MOST];
  const char *joint = d->host->view.joint;
  char path[SINEW_JOINT_PATH], value[LUA_TEXT];
  int count = sinew_model_joint_count(d->model) - 1, chosen = sinew_model_find_joint(d->model, joint) - 1;
  if (count > MOST) count = MOST;
  for (int i = 0; i < count; i++) names[i] = sinew_model_joint_name(d->model, i + 1);
  if (!ui_combo(d->ui, "joint", names, count, &chosen)) return;
  sinew_model_joint_path(d->model, chosen + 1, path, sizeof path);
  change_view_joint(d->host, path);
  lua_string(value, path);
  note_text(d, SINEW_EDIT_VIEW, "joint", value);
}

static void draw_surface(desk *d) {
  static const char *const names[SINEW_SURFACE_COUNT] = {"shaded", "normals", "joints", "weight", "velocity"};
  char value[32];
  int chosen = (int)d->host->view.surface;
  if (!ui_combo(d->ui, "surface", names, SINEW_SURFACE_COUNT, &chosen)) return;
  change_view(d->host, "surface", chosen);
  snprintf(value, sizeof value, "\"%s\"", names[chosen]);
  note_text(d, SINEW_EDIT_VIEW, "surface", value);
}

static void draw_speed(desk *d) {
  sinew_view_options *view = &d->host->view;
  float speed = view->speed > 0 ? view->speed : 1;
  char value[32];
  if (!ui_slider(d->ui, "speed of time", &speed, 0.01f, 2)) return;
  change_view(d->host, "speed", (double)speed);
  text_format(value, sizeof value, "%.3g", (double)speed);
  note(d, "sinew.view.speed", value);
  note_edit(d, "sinew.view.speed", &(sinew_edit){.kind = SINEW_EDIT_VIEW, .field = "speed", .value = (double)speed});
}

static void draw_view_fields(desk *d) {
  sinew_view_options *view = &d->host->view;
  const struct {
    const char *field;
    bool *option;
  } views[] = {{"wireframe", &view->wireframe}, {"skeleton", &view->skeleton},   {"names", &view->names},
               {"axes", &view->axes},           {"bind_pose", &view->bind_pose}, {"bounds", &view->bounds},
               {"root_path", &view->root_path}, {"contacts", &view->contacts},   {"ground", &view->ground},
               {"scale", &view->scale},         {"stats", &view->stats},         {"paused", &view->paused}};
  for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
    char label[32];
    lua_format(label, sizeof label, "%s", views[i].field);
    for (char *c = label; *c; c++)
      if (*c == '_') *c = ' ';
    bool value = *views[i].option;
    if (!ui_checkbox(d->ui, label, &value)) continue;
    change_view(d->host, views[i].field, value);
    note_flag(d, SINEW_EDIT_VIEW, views[i].field, value);
  }
  draw_surface(d);
  draw_speed(d);
}

static void draw_views(desk *d) {
  if (!controls_draw(d->host, &(sinew_edit){.kind = SINEW_EDIT_VIEW}, "sinew.view")) draw_view_fields(d);
  if (d->model && d->host->view.surface == SINEW_SURFACE_WEIGHT) draw_joint(d);
}

/* ---- */

static void draw_tab(desk *d, const char *label, void (*draw)(desk *)) {
  if (!ui_begin_tab(d->ui, label)) return;
  draw(d);
  ui_end_tab(d->ui);
}

void inspector_draw(sinew_host *host) {
  desk d = {.host = host, .ui = host->ui, .stage = host->stage};
  if (!host->ui || !host->view.inspector || !ui_begin_region(host->ui, UI_RIGHT, "Inspector", &host->view.inspector))
    return;
  choose_actor(&d);
  if (d.model && !host->app.control) draw_actor(&d);
  changes_draw(host);
  if (ui_begin_tabs(d.ui, "parts")) {
    if (d.model) {
      draw_tab(&d, "Play", draw_play);
      draw_tab(&d, "Graph", draw_graphs);
      draw_tab(&d, "Pose", draw_pose);
      if (host->app.control) draw_tab(&d, "Actor", draw_actor_fields);
    }
    draw_tab(&d, "Views", draw_views);
    if (host->app.control && ui_begin_tab(d.ui, "Scene")) scene_fields_draw(host), ui_end_tab(d.ui);
    ui_end_tabs(d.ui);
  }
  ui_end_region(d.ui);
}

void inspector_release(inspector *i) { changes_clear(&i->changes); }
