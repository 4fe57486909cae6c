#include "host/panels/inspector.h"

#include "base/memory/memory.h"
#include "base/text.h"
#include "host/edit/change.h"
#include "host/host.h"

#include <sinew/actor_modifiers.h>
#include <sinew/crowd.h>
#include <sinew/curve.h>
#include <sinew/event.h>
#include <sinew/graph.h>
#include <sinew/playing.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the panel shows: the chosen actor. */
typedef struct desk {
  sinew_host *host;
  ui *ui;
  sinew_stage *stage;
  sinew_actor actor;
  sinew_model *model;
} desk;

static const char *clip_name(const desk *d, int clip) { return sinew_clip_name(sinew_model_clip(d->model, clip)); }

/* ---- changes: copied as Lua, or written into the script ---- */

/* True if everything was written; the rest stays, with the reason, for Copy as Lua. */
static bool write_change(sinew_host *host, change *c) {
  char answer[512] = "no literal in the script sets it", text[1024];
  bool whole = c->edit_count > 0;
  for (int i = 0; i < c->edit_count;) {
    bool written = host->app.write(host->app.user, c->edits + i, answer, sizeof answer);
    if (written) change_remove_edit(c, i), sinew_host_toast(host, answer);
    else whole = false, i++;
  }
  text_format(text, sizeof text, "%.300s: %.500s (Copy as Lua has it)", c->target, answer);
  if (!whole) sinew_host_toast(host, text);
  return whole;
}

static void apply(sinew_host *host) {
  mask_forget_strokes(host); /* from now on Ctrl+Z undoes the write */
  change_list *changes = &host->inspector.changes;
  for (int i = 0; i < changes->count;)
    if (write_change(host, changes->changes + i)) changes_remove(changes, i);
    else i++;
}

/* The line that Apply would write for the latest change. */
static void draw_place(sinew_host *host) {
  inspector *panel = &host->inspector;
  const change *c = panel->changes.count > 0 ? &panel->changes.changes[panel->changes.count - 1] : NULL;
  char asked[sizeof panel->asked];
  bool none = !host->app.write || !c || c->edit_count == 0;
  if (none) ui_label(host->ui, " "); /* so that nothing moves under the mouse when it comes */
  if (none) return;
  sinew_edit edit = c->edits[c->edit_count - 1];
  text_format(asked, sizeof asked, "%.80s %.40s %g %d", c->line, edit.field, edit.value, c->edit_count);
  if (strcmp(asked, panel->asked) != 0) {
    memcpy(panel->asked, asked, sizeof asked);
    edit.shows = true;
    host->app.write(host->app.user, &edit, panel->place, sizeof panel->place);
  }
  ui_label(host->ui, panel->place);
}

static void draw_changes(sinew_host *host) {
  change_list *changes = &host->inspector.changes;
  char text[64];
  if (ui_button(host->ui, "Copy as Lua")) {
    char *lua = changes_as_lua(changes);
    if (lua) sinew_host_set_clipboard(host, lua);
    mem_free(lua);
  }
  if (host->app.write && ui_button(host->ui, "Apply")) apply(host);
  if (ui_button(host->ui, "Forget")) changes_clear(changes);
  snprintf(text, sizeof text, "%d %s", changes->count, text_plural(changes->count, "change", "changes"));
  ui_label(host->ui, text);
  draw_place(host);
}

/* ---- the actor ---- */

static const char *name_of(const desk *d, int index) {
  return sinew_actor_name(d->stage, sinew_stage_actor(d->stage, index));
}

/* Whether a clip or a graph moves it. */
static bool is_moved(const sinew_stage *stage, sinew_actor actor) {
  sinew_node_def root;
  bool acts = false;
  for (int layer = 0; layer < sinew_actor_layer_count(stage, actor); layer++)
    acts = acts || sinew_actor_action_count(stage, actor, layer) > 0 || sinew_actor_node(stage, actor, layer, 0, &root);
  return acts;
}

/* Nobody has chosen one yet: the first that moves, because props and stages stand before the hero in many scenes. */
static sinew_actor first_mover(const sinew_stage *stage) {
  for (int i = 0; i < sinew_stage_actor_count(stage); i++)
    if (is_moved(stage, sinew_stage_actor(stage, i))) return sinew_stage_actor(stage, i);
  return sinew_stage_actor(stage, 0);
}

static void choose_actor(desk *d) {
  enum { MOST = 256 };
  const char *names[MOST];
  int all = sinew_stage_actor_count(d->stage), count = all < MOST ? all : MOST, chosen = 0;
  sinew_actor *actor = &d->host->inspector.actor;
  if (!sinew_actor_model(d->stage, *actor)) *actor = first_mover(d->stage);
  for (int i = 0; i < count; i++) {
    names[i] = name_of(d, i);
    if (sinew_stage_actor(d->stage, i).id == actor->id) chosen = i;
  }
  if (count > 0) ui_combo(d->ui, "actor", names, count, &chosen);
  d->actor = *actor = sinew_stage_actor(d->stage, chosen);
  d->model = sinew_actor_model(d->stage, d->actor);
}

static void draw_actor(desk *d) {
  sinew_edit of = {.kind = SINEW_EDIT_ACTOR, .actor = d->actor};
  controls_draw(d->host, &of);
  of.kind = SINEW_EDIT_ROOT, controls_draw_tree(d->host, "root motion", &of);
  of.kind = SINEW_EDIT_ATTACHMENT, controls_draw_tree(d->host, "attachment", &of);
  of.kind = SINEW_EDIT_MODEL, controls_draw_tree(d->host, "model", &of);
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

/* Changing a marker may move all markers of the clip. */
static void draw_markers(const desk *d, int clip) {
  const sinew_marker *markers;
  int count = 0;
  for (int i = 0; markers = sinew_stage_markers(d->stage, d->model, clip, &count), i < count; i++) {
    char label[128];
    text_format(label, sizeof label, "marker %.100s", markers[i].name);
    controls_draw_tree(d->host, label,
                       &(sinew_edit){.kind = SINEW_EDIT_MARKER, .actor = d->actor, .layer = clip, .index = i});
  }
}

static void draw_action(desk *d, sinew_action action) {
  sinew_play_def s;
  sinew_playing playing;
  if (!sinew_action_read_state(d->stage, action, &s)) return;
  sinew_action_playing(d->stage, action, &playing);
  draw_playing(d, clip_name(d, s.clip), &playing);
  const sinew_edit of = {.kind = SINEW_EDIT_ACTION, .actor = d->actor, .action = action, .field = "time"};
  if (draw_time(d, s.clip, &s.time)) change_make(d->host, &of, &s.time, 1);
  controls_draw(d->host, &of);
  draw_markers(d, s.clip);
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

static void draw_layer(desk *d, int layer) {
  int count = sinew_actor_action_count(d->stage, d->actor, layer);
  if (!ui_begin_tree(d->ui, sinew_actor_layer_name(d->stage, d->actor, layer), true)) return;
  if (layer > 0) controls_draw(d->host, &(sinew_edit){.kind = SINEW_EDIT_LAYER, .actor = d->actor, .layer = layer});
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

static void set_named(const desk *d, const char *table, const char *name, float value) {
  char field[LUA_TEXT];
  lua_format(field, sizeof field, "%s.%s", table, name);
  const sinew_edit of = {.kind = SINEW_EDIT_ACTOR, .actor = d->actor, .field = field};
  panel_change(d->host, &of, &(double){(double)value}, 1);
}

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
    if (ui_drag(d->ui, name, &value, 0.01f, -INFINITY, INFINITY)) set_named(d, "params", name, value);
  }
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
  if (!plays || !(playing.normalized_weight > 0) || !draw_time(d, n->clip, &playing.time)) return;
  const sinew_edit of = {.kind = SINEW_EDIT_SAMPLE, .actor = d->actor, .layer = layer, .index = node, .field = "time"};
  change_make(d->host, &of, &playing.time, 1);
}

static void draw_normalized_weight(const desk *d, int layer, int node) {
  char text[128];
  sinew_playing playing;
  if (!sinew_actor_node_playing(d->stage, d->actor, layer, node, &playing) || !(playing.normalized_weight > 0)) return;
  text_format(text, sizeof text, "%.0f %%, phase %.2f", (double)playing.normalized_weight * 100, playing.phase);
  ui_label(d->ui, text);
}

static void draw_node_fields(const desk *d, int layer, int node) {
  controls_draw_tree(d->host, "values",
                     &(sinew_edit){.kind = SINEW_EDIT_NODE, .actor = d->actor, .layer = layer, .index = node});
}

static void draw_transitions(const desk *d, int layer, const sinew_node_def *machine) {
  for (int i = 0; i < machine->transition_count; i++) {
    char label[160];
    sinew_edit of = {.kind = SINEW_EDIT_TRANSITION, .actor = d->actor, .layer = layer};
    of.index = machine->first_transition + i;
    if (graph_transition_name(d->stage, d->actor, layer, of.index, " → ", label, sizeof label))
      controls_draw_tree(d->host, label, &of);
  }
}

static void draw_node(desk *d, int layer, int node) {
  char label[256];
  sinew_node_def n;
  if (!sinew_actor_node(d->stage, d->actor, layer, node, &n)) return;
  graph_node_label(d->stage, d->actor, layer, node, label, sizeof label);
  if (n.child_count == 0) draw_clip_node(d, layer, node, label, &n), draw_node_fields(d, layer, node);
  if (n.child_count == 0 || !ui_begin_tree(d->ui, label, true)) return;
  draw_normalized_weight(d, layer, node);
  draw_node_fields(d, layer, node);
  if (n.kind == SINEW_NODE_MACHINE) draw_machine(d, layer, node), draw_transitions(d, layer, &n);
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
      if (ui_slider(d->ui, name, &weight, 0, 1)) set_named(d, "morphs", name, weight);
    }
  }
  return count;
}

static void draw_modifier(desk *d, int modifier) {
  const char *name = sinew_actor_modifier_name(d->stage, d->actor, modifier);
  if (!ui_begin_tree(d->ui, name, true)) return;
  controls_draw(d->host, &(sinew_edit){.kind = SINEW_EDIT_MODIFIER, .actor = d->actor, .index = modifier});
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
  char path[SINEW_JOINT_PATH];
  int count = sinew_model_joint_count(d->model) - 1, chosen = sinew_model_find_joint(d->model, joint) - 1;
  if (count > MOST) count = MOST;
  for (int i = 0; i < count; i++) names[i] = sinew_model_joint_name(d->model, i + 1);
  if (!ui_combo(d->ui, "joint", names, count, &chosen)) return;
  sinew_model_joint_path(d->model, chosen + 1, path, sizeof path);
  panel_change(d->host, &(sinew_edit){.kind = SINEW_EDIT_VIEW, .field = "joint", .text = path}, NULL, 0);
}

static void draw_views(desk *d) {
  controls_draw(d->host, &(sinew_edit){.kind = SINEW_EDIT_VIEW});
  if (d->model && d->host->view.surface == SINEW_SURFACE_WEIGHT) draw_joint(d);
}

static void draw_scene(desk *d) {
  for (int light = 0; light < 2; light++) {
    if (!ui_begin_tree(d->ui, light ? "light" : "camera", true)) continue;
    controls_draw(d->host, &(sinew_edit){.kind = light ? SINEW_EDIT_LIGHT : SINEW_EDIT_CAMERA});
    ui_end_tree(d->ui);
  }
  for (int i = 0; i < sinew_stage_crowd_count(d->stage); i++)
    controls_draw_tree(d->host, sinew_crowd_name(d->stage, sinew_stage_crowd(d->stage, i)),
                       &(sinew_edit){.kind = SINEW_EDIT_CROWD, .index = i});
  ui_separator(d->ui);
  controls_draw(d->host, &(sinew_edit){.kind = SINEW_EDIT_KEPT});
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
  draw_changes(host);
  if (ui_begin_tabs(d.ui, "parts")) {
    if (d.model) {
      draw_tab(&d, "Play", draw_play);
      draw_tab(&d, "Graph", draw_graphs);
      draw_tab(&d, "Pose", draw_pose);
      draw_tab(&d, "Actor", draw_actor);
    }
    draw_tab(&d, "Views", draw_views);
    if (host->app.control) draw_tab(&d, "Scene", draw_scene);
    ui_end_tabs(d.ui);
  }
  ui_end_region(d.ui);
}

void inspector_release(inspector *i) { changes_clear(&i->changes); }
