#include "host/panels/change.h"

#include "base/memory/array.h"
#include "base/memory/hash_index.h"
#include "base/text.h"
#include "host/host.h"

#include <sinew/actor_modifiers.h>
#include <sinew/crowd.h>
#include <sinew/event.h>
#include <sinew/graph.h>
#include <sinew/playing.h>

#include <stdio.h>
#include <string.h>

/* ---- names of things, and finding things by name ---- */

typedef const char *name_of(const sinew_host *host, const sinew_edit *of, int index, char *room, size_t size);

static const char *actor_name(const sinew_host *host, const sinew_edit *of, int index, char *room, size_t size) {
  (void)of, (void)room, (void)size;
  bool there = index < sinew_stage_actor_count(host->stage);
  return there ? sinew_actor_name(host->stage, sinew_stage_actor(host->stage, index)) : NULL;
}

static const char *layer_name(const sinew_host *host, const sinew_edit *of, int index, char *room, size_t size) {
  (void)room, (void)size;
  bool there = index < sinew_actor_layer_count(host->stage, of->actor);
  return there ? sinew_actor_layer_name(host->stage, of->actor, index) : NULL;
}

static const char *action_name(const sinew_host *host, const sinew_edit *of, int index, char *room, size_t size) {
  (void)room, (void)size;
  sinew_play_def s;
  bool there = index < sinew_actor_action_count(host->stage, of->actor, of->layer);
  if (!there || !sinew_action_read_state(host->stage, sinew_actor_action(host->stage, of->actor, of->layer, index), &s))
    return NULL;
  return sinew_clip_name(sinew_model_clip(sinew_actor_model(host->stage, of->actor), s.clip));
}

static const char *modifier_name(const sinew_host *host, const sinew_edit *of, int index, char *room, size_t size) {
  (void)room, (void)size;
  bool there = index < sinew_actor_modifier_count(host->stage, of->actor);
  return there ? sinew_actor_modifier_name(host->stage, of->actor, index) : NULL;
}

static const char *node_name(const sinew_host *host, const sinew_edit *of, int index, char *room, size_t size) {
  bool there = index < sinew_actor_node_count(host->stage, of->actor, of->layer);
  if (there) graph_node_name(host->stage, of->actor, of->layer, index, room, size);
  return there ? room : NULL;
}

static const char *clip_name(const sinew_host *host, const sinew_edit *of, int index, char *room, size_t size) {
  (void)room, (void)size;
  const sinew_model *model = sinew_actor_model(host->stage, of->actor);
  bool there = model && index >= 0 && index < sinew_model_clip_count(model);
  return there ? sinew_clip_name(sinew_model_clip(model, index)) : NULL;
}

/* `layer` is the clip. */
static const char *marker_name(const sinew_host *host, const sinew_edit *of, int index, char *room, size_t size) {
  int count = 0;
  const sinew_marker *markers =
      clip_name(host, of, of->layer, room, size)
          ? sinew_stage_markers(host->stage, sinew_actor_model(host->stage, of->actor), of->layer, &count)
          : NULL;
  return index >= 0 && index < count ? markers[index].name : NULL;
}

static const char *crowd_name(const sinew_host *host, const sinew_edit *of, int index, char *room, size_t size) {
  (void)of, (void)room, (void)size;
  bool there = index < sinew_stage_crowd_count(host->stage);
  return there ? sinew_crowd_name(host->stage, sinew_stage_crowd(host->stage, index)) : NULL;
}

/* The machine of a transition; −1: none. */
static int machine_of(const sinew_host *host, const sinew_edit *of, int transition) {
  sinew_node_def n;
  for (int i = 0; sinew_actor_node(host->stage, of->actor, of->layer, i, &n); i++) {
    int position = transition - n.first_transition;
    if (n.kind == SINEW_NODE_MACHINE && position >= 0 && position < n.transition_count) return i;
  }
  return -1;
}

static const char *transition_name(const sinew_host *host, const sinew_edit *of, int index, char *room, size_t size) {
  sinew_transition_def t;
  char from[RECORDED_NAME / 4] = "*", to[RECORDED_NAME / 4];
  int machine = machine_of(host, of, index);
  if (machine < 0 || !sinew_actor_transition_def(host->stage, of->actor, of->layer, index, &t)) return NULL;
  if (t.from >= 0) graph_state_name(host->stage, of->actor, of->layer, machine, t.from, from, sizeof from);
  graph_state_name(host->stage, of->actor, of->layer, machine, t.to, to, sizeof to);
  text_format(room, size, "%s -> %s", from, to);
  return room;
}

/* The name of the index-th item, and how many items before it have the same name. */
static void say(const sinew_host *host, const sinew_edit *of, name_of *names, int index, char out[RECORDED_NAME],
                int *before) {
  char room[RECORDED_NAME];
  const char *name = names(host, of, index, room, sizeof room);
  snprintf(out, RECORDED_NAME, "%s", name ? name : "");
  *before = 0;
  for (int i = 0; i < index; i++) {
    name = names(host, of, i, room, sizeof room);
    if (name && strcmp(name, out) == 0) ++*before;
  }
}

/* Its index; −1: there is none. */
static int find(const sinew_host *host, const sinew_edit *of, name_of *names, const char *wanted, int before) {
  char room[RECORDED_NAME];
  const char *name;
  for (int i = 0; (name = names(host, of, i, room, sizeof room)) != NULL; i++)
    if (strcmp(name, wanted) == 0 && before-- == 0) return i;
  return -1;
}

static int index_of_actor(const sinew_host *host, sinew_actor actor) {
  for (int i = 0; i < sinew_stage_actor_count(host->stage); i++)
    if (sinew_stage_actor(host->stage, i).id == actor.id) return i;
  return -1;
}

static int index_of_action(const sinew_host *host, const sinew_edit *of) {
  for (int i = 0; i < sinew_actor_action_count(host->stage, of->actor, of->layer); i++)
    if (sinew_actor_action(host->stage, of->actor, of->layer, i).id == of->action.id) return i;
  return -1;
}

/* The names of the things that an edit's `layer` counts; NULL: none. */
static name_of *parts_of(sinew_edit_kind kind) {
  bool layer = kind == SINEW_EDIT_LAYER || kind == SINEW_EDIT_ACTION || kind == SINEW_EDIT_SAMPLE ||
               kind == SINEW_EDIT_NODE || kind == SINEW_EDIT_TRANSITION;
  return layer ? layer_name : kind == SINEW_EDIT_MARKER ? clip_name : NULL;
}

/* The names of the things that an edit identifies by index; NULL: none. */
static name_of *names_of(sinew_edit_kind kind) {
  if (kind == SINEW_EDIT_SAMPLE || kind == SINEW_EDIT_NODE) return node_name;
  if (kind == SINEW_EDIT_TRANSITION) return transition_name;
  if (kind == SINEW_EDIT_MARKER) return marker_name;
  if (kind == SINEW_EDIT_CROWD) return crowd_name;
  return kind == SINEW_EDIT_MODIFIER ? modifier_name : NULL;
}

static bool has_actor(sinew_edit_kind kind) {
  return kind != SINEW_EDIT_VIEW && kind != SINEW_EDIT_CAMERA && kind != SINEW_EDIT_LIGHT && kind != SINEW_EDIT_CROWD &&
         kind != SINEW_EDIT_KEPT;
}

/* The stage knows an action's layer; the edit does not. */
static sinew_edit with_layer(const sinew_host *host, const sinew_edit *of) {
  sinew_edit out = *of;
  sinew_play_def s;
  if (of->kind == SINEW_EDIT_ACTION && sinew_action_read_state(host->stage, of->action, &s)) out.layer = s.layer;
  return out;
}

static void address(const sinew_host *host, const sinew_edit *edit, recorded_change *s) {
  const sinew_edit of = with_layer(host, edit);
  int unused, actor = has_actor(of.kind) ? index_of_actor(host, of.actor) : 0;
  if (actor < 0) return;
  if (has_actor(of.kind)) say(host, &of, actor_name, actor, s->actor, &s->actors_before);
  if (parts_of(of.kind)) say(host, &of, parts_of(of.kind), of.layer, s->part, &unused);
  if (of.kind == SINEW_EDIT_ACTION)
    say(host, &of, action_name, index_of_action(host, &of), s->detail, &s->details_before);
  if (names_of(of.kind)) say(host, &of, names_of(of.kind), of.index, s->detail, &s->details_before);
}

static bool resolve(const sinew_host *host, const recorded_change *s, sinew_edit *of) {
  int actor = has_actor(of->kind) ? find(host, of, actor_name, s->actor, s->actors_before) : 0, detail = 0;
  if (actor < 0) return false;
  if (has_actor(of->kind)) of->actor = sinew_stage_actor(host->stage, actor);
  if (parts_of(of->kind)) of->layer = find(host, of, parts_of(of->kind), s->part, 0);
  if (of->layer < 0) return false;
  if (of->kind == SINEW_EDIT_ACTION) {
    detail = find(host, of, action_name, s->detail, s->details_before);
    if (detail >= 0) of->action = sinew_actor_action(host->stage, of->actor, of->layer, detail);
  }
  if (names_of(of->kind)) detail = of->index = find(host, of, names_of(of->kind), s->detail, s->details_before);
  return detail >= 0;
}

/* ---- making them ---- */

typedef bool apply_op(sinew_host *host, const sinew_edit *of, const recorded_change *s);

static int find_param(const sinew_host *host, const sinew_edit *of, const char *name) {
  for (int i = 0; i < sinew_actor_param_count(host->stage, of->actor); i++)
    if (strcmp(sinew_actor_param_name(host->stage, of->actor, i), name) == 0) return i;
  return -1;
}

/* The first value is the kind of thing to which the field belongs. */
static bool apply_control(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  const float values[3] = {(float)s->values[1], (float)s->values[2], (float)s->values[3]};
  sinew_control c;
  for (int i = 0; host->app.control && host->app.control(host->app.user, of, i, &c); i++) {
    if (strcmp(c.name, s->field) != 0) continue;
    host->app.set_control(host->app.user, of, i, values);
    return true;
  }
  return false;
}

static bool apply_param(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  int param = find_param(host, of, s->field);
  return param >= 0 && sinew_actor_set_param(host->stage, of->actor, param, s->values[0]);
}

/* Only one space's parameters are pinned at a time. */
static bool apply_pin(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  graph_panel *panel = &host->graph;
  int param = find_param(host, of, s->field);
  bool known = false, room = panel->pinned_count < (int)(sizeof panel->pinned / sizeof *panel->pinned);
  if (param < 0 || !sinew_actor_pin_param(host->stage, of->actor, param, s->values[0])) return false;
  for (int i = 0; i < panel->pinned_count; i++) known |= panel->pinned[i] == param;
  panel->pinned_actor = of->actor;
  if (!known && room) panel->pinned[panel->pinned_count++] = param;
  return true;
}

static bool apply_unpin(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  (void)of, (void)s;
  graph_panel *panel = &host->graph;
  bool any = false;
  for (int i = 0; i < panel->pinned_count; i++)
    any |= sinew_actor_unpin_param(host->stage, panel->pinned_actor, panel->pinned[i]);
  panel->pinned_count = 0;
  return any;
}

static bool apply_morph(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  return sinew_actor_set_morph(host->stage, of->actor, s->field, (float)s->values[0]);
}

static bool apply_visible(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  sinew_actor_set_visible(host->stage, of->actor, s->values[0] != 0);
  return true;
}

static bool apply_opacity(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  sinew_actor_set_opacity(host->stage, of->actor, (float)s->values[0]);
  return true;
}

static bool apply_time(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  sinew_play_def state;
  if (!sinew_action_read_state(host->stage, of->action, &state)) return false;
  state.time = s->values[0];
  return sinew_action_set_state(host->stage, of->action, &state);
}

static bool apply_action(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  sinew_play_def state;
  if (!sinew_action_read_state(host->stage, of->action, &state)) return false;
  state.weight = (float)s->values[0];
  state.speed = s->values[1];
  state.paused = s->values[2] != 0;
  return sinew_action_set_state(host->stage, of->action, &state);
}

static bool apply_weight(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  return sinew_actor_set_layer_weight(host->stage, of->actor, of->layer, (float)s->values[0]);
}

static bool apply_space(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  sinew_layer_def def = sinew_actor_layer(host->stage, of->actor, of->layer);
  def.space = s->values[0] != 0 ? SINEW_LAYER_MODEL : SINEW_LAYER_LOCAL;
  return sinew_actor_set_layer(host->stage, of->actor, of->layer, &def);
}

static int find_joint(const sinew_host *host, const sinew_edit *of, const char *path) {
  const sinew_model *model = sinew_actor_model(host->stage, of->actor);
  return model && path[0] ? sinew_model_find_joint(model, path) : -1;
}

static bool apply_mask(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  int joint = find_joint(host, of, s->field);
  return joint > 0 && mask_apply(host, of->actor, of->layer, joint, (float)s->values[0], s->values[1] != 0);
}

static bool apply_bearing(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  sinew_modifier_state state;
  if (!sinew_actor_read_modifier_state(host->stage, of->actor, of->index, &state)) return false;
  state.weight = (float)s->values[0];
  return sinew_actor_set_modifier_state(host->stage, of->actor, of->index, &state);
}

static bool apply_target(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  sinew_modifier_state state;
  if (!sinew_actor_read_modifier_state(host->stage, of->actor, of->index, &state)) return false;
  state.target = (sinew_vec3){(float)s->values[0], (float)s->values[1], (float)s->values[2]};
  return sinew_actor_set_modifier_state(host->stage, of->actor, of->index, &state);
}

static bool apply_offset(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  sinew_actor to;
  sinew_transform offset;
  sinew_error ignored;
  int joint;
  const double *v = s->values;
  if (!sinew_actor_attachment(host->stage, of->actor, &to, &joint, &offset)) return false;
  offset.translation = (sinew_vec3){(float)v[0], (float)v[1], (float)v[2]};
  offset.rotation = (sinew_quat){(float)v[3], (float)v[4], (float)v[5], (float)v[6]};
  return sinew_actor_attach(host->stage, of->actor, to, joint, &offset, &ignored);
}

static bool apply_seek(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  return sinew_actor_seek_node(host->stage, of->actor, of->layer, of->index, s->values[0]);
}

static bool apply_sample(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  return sinew_actor_set_node(host->stage, of->actor, of->layer, of->index, s->values[0], s->values[1]);
}

static bool apply_selection(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  int joint = s->field[0] ? find_joint(host, of, s->field) : recorded_change_whole(s->values[0]);
  sinew_host_select(host, joint < 0 ? (sinew_actor){0} : of->actor, joint < 0 ? 0 : joint);
  return true;
}

static bool apply_view(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  (void)of;
  sinew_view_options *view = &host->view;
  const struct {
    const char *field;
    bool *option;
  } flags[] = {{"wireframe", &view->wireframe}, {"skeleton", &view->skeleton},   {"names", &view->names},
               {"axes", &view->axes},           {"bind_pose", &view->bind_pose}, {"bounds", &view->bounds},
               {"root_path", &view->root_path}, {"contacts", &view->contacts},   {"ground", &view->ground},
               {"scale", &view->scale},         {"stats", &view->stats},         {"paused", &view->paused}};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (strcmp(s->field, flags[i].field) == 0) *flags[i].option = s->values[0] != 0;
  if (strcmp(s->field, "speed") == 0) view->speed = (float)s->values[0];
  int surface = strcmp(s->field, "surface") == 0 ? recorded_change_whole(s->values[0]) : -1;
  if (surface >= 0 && surface < SINEW_SURFACE_COUNT) view->surface = (sinew_surface)surface;
  if (strcmp(s->field, "joint") == 0) text_format(view->joint, sizeof view->joint, "%s", s->detail);
  return true;
}

static bool apply_line(sinew_host *host, const sinew_edit *of, const recorded_change *s) {
  char answer[512];
  (void)of;
  return host->app.evaluate && host->app.evaluate(host->app.user, s->field, answer, sizeof answer);
}

enum { CHANGE_UNPIN = CHANGE_SELECTION + 1, CHANGE_VIEW, CHANGE_LINE };

static const struct {
  const char *name;
  sinew_edit_kind of;
  int values; /* at least */
  apply_op *apply;
} kinds[] = {
    [CHANGE_CONTROL] = {"control", SINEW_EDIT_ACTOR, 4, apply_control},
    [CHANGE_PARAM] = {"param", SINEW_EDIT_ACTOR, 1, apply_param},
    [CHANGE_PIN] = {"pin", SINEW_EDIT_ACTOR, 1, apply_pin},
    [CHANGE_MORPH] = {"morph", SINEW_EDIT_ACTOR, 1, apply_morph},
    [CHANGE_VISIBLE] = {"visible", SINEW_EDIT_ACTOR, 1, apply_visible},
    [CHANGE_OPACITY] = {"opacity", SINEW_EDIT_ACTOR, 1, apply_opacity},
    [CHANGE_TIME] = {"time", SINEW_EDIT_ACTION, 1, apply_time},
    [CHANGE_ACTION] = {"action", SINEW_EDIT_ACTION, 3, apply_action},
    [CHANGE_WEIGHT] = {"weight", SINEW_EDIT_LAYER, 1, apply_weight},
    [CHANGE_SPACE] = {"space", SINEW_EDIT_LAYER, 1, apply_space},
    [CHANGE_MASK] = {"mask", SINEW_EDIT_LAYER, 2, apply_mask},
    [CHANGE_BEARING] = {"bearing", SINEW_EDIT_MODIFIER, 1, apply_bearing},
    [CHANGE_TARGET] = {"target", SINEW_EDIT_MODIFIER, 3, apply_target},
    [CHANGE_OFFSET] = {"offset", SINEW_EDIT_ATTACHMENT, 7, apply_offset},
    [CHANGE_SEEK] = {"seek", SINEW_EDIT_SAMPLE, 1, apply_seek},
    [CHANGE_SAMPLE] = {"sample", SINEW_EDIT_SAMPLE, 2, apply_sample},
    [CHANGE_SELECTION] = {"selection", SINEW_EDIT_ACTOR, 1, apply_selection},
    [CHANGE_UNPIN] = {"unpin", SINEW_EDIT_VIEW, 0, apply_unpin},
    [CHANGE_VIEW] = {"view", SINEW_EDIT_VIEW, 1, apply_view},
    [CHANGE_LINE] = {"line", SINEW_EDIT_VIEW, 0, apply_line},
};

/* Selecting nothing is not a missing actor. */
static bool apply(sinew_host *host, int kind, const recorded_change *s) {
  const bool control = kind == CHANGE_CONTROL && s->count > 0;
  const int of_kind = control ? recorded_change_whole(s->values[0]) : (int)kinds[kind].of;
  if (of_kind < 0 || of_kind > SINEW_EDIT_KEPT) return false;
  sinew_edit of = {.kind = (sinew_edit_kind)of_kind};
  bool none = kind == CHANGE_SELECTION && !s->actor[0];
  if (s->count < kinds[kind].values || (!none && !resolve(host, s, &of))) return false;
  return kinds[kind].apply(host, &of, s);
}

/* ---- live, and again ---- */

static bool replays(const sinew_host *host) { return host->replay != NULL; }

static void record(sinew_host *host, const recorded_change *s) {
  if (host->log) run_log_write_set(host->log, s);
}

static void set_kind(recorded_change *s, int kind) { snprintf(s->kind, sizeof s->kind, "%s", kinds[kind].name); }

static bool make(sinew_host *host, int kind, recorded_change *s) {
  s->when = host->telling;
  set_kind(s, kind);
  if (replays(host)) return true;
  bool made = apply(host, kind, s);
  if (made) record(host, s);
  return made;
}

bool change_make(sinew_host *host, change_kind kind, const sinew_edit *of, const char *field, const double *values,
                 int count) {
  recorded_change s = {.count = count};
  sinew_edit mine = *of;
  if (kind != CHANGE_CONTROL) mine.kind = kinds[kind].of;
  address(host, &mine, &s);
  snprintf(s.field, sizeof s.field, "%s", field ? field : "");
  for (int i = 0; i < count && i < RECORDED_VALUES; i++) s.values[i] = values[i];
  return make(host, (int)kind, &s);
}

bool change_unpin(sinew_host *host) {
  recorded_change s = {.count = 0};
  return host->graph.pinned_count > 0 && make(host, CHANGE_UNPIN, &s);
}

void change_view(sinew_host *host, const char *field, double value) {
  recorded_change s = {.count = 1, .values = {value}};
  snprintf(s.field, sizeof s.field, "%s", field);
  make(host, CHANGE_VIEW, &s);
}

void change_view_joint(sinew_host *host, const char *path) {
  recorded_change s = {.count = 1};
  snprintf(s.field, sizeof s.field, "joint");
  snprintf(s.detail, sizeof s.detail, "%s", path);
  make(host, CHANGE_VIEW, &s);
}

/* A line that fails may have had effects before. */
bool change_line(sinew_host *host, const char *line, char *answer, size_t size) {
  recorded_change s = {.when = host->telling};
  answer[0] = '\0';
  if (replays(host)) return true;
  set_kind(&s, CHANGE_LINE);
  snprintf(s.field, sizeof s.field, "%s", line);
  record(host, &s);
  return host->app.evaluate(host->app.user, line, answer, size);
}

bool change_told(sinew_host *host, const char *label, bool changed, double *values, int count) {
  recorded_change s = {.when = SET_TOLD, .kind = "widget", .count = count};
  if (!label || (!changed && !replays(host))) return false;
  if (replays(host)) {
    changed = run_log_take_set(host->replay, SET_TOLD, "widget", label, &s) && s.count == count;
    if (changed && count > 0) memcpy(values, s.values, (size_t)count * sizeof *values);
  } else {
    snprintf(s.field, sizeof s.field, "%s", label);
    if (count > 0) memcpy(s.values, values, (size_t)count * sizeof *values);
  }
  if (changed) record(host, &s);
  return changed;
}

/* Labels may differ in each frame: beyond a limit, the one unused for longest makes room. */
static told_open *add_open(sinew_host *host) {
  enum { MOST = 256 };
  if (host->open_count < MOST)
    return array_grow((void **)&host->opens, &host->open_count, &host->open_capacity, sizeof *host->opens);
  told_open *oldest = host->opens;
  for (int i = 1; i < host->open_count; i++)
    if (host->opens[i].frame < oldest->frame) oldest = host->opens + i;
  return oldest;
}

/* Equal labels have separate states, in the order in which they appear in a frame. */
static told_open *find_open(sinew_host *host, const char *label, int *before) {
  uint64_t hash = fnv_add(FNV_BEGIN, label, strlen(label));
  told_open *same = NULL;
  *before = 0;
  for (int i = 0; i < host->open_count && !same; i++) {
    told_open *o = host->opens + i;
    if (o->hash == hash && o->frame == host->frame) ++*before;
    else if (o->hash == hash) same = o;
  }
  if (!same && (same = add_open(host))) *same = (told_open){.hash = hash, .is_new = true};
  if (same) same->frame = host->frame;
  return same;
}

bool change_told_open(sinew_host *host, const char *label, bool is_open) {
  static recorded_change s; /* large */
  if (!label || (!host->log && !host->replay)) return is_open;
  int before;
  told_open *known = find_open(host, label, &before);
  if (!known) return is_open;
  if (replays(host)) {
    if (run_log_take_set(host->replay, SET_TOLD, "open", label, &s) && s.count == 1) is_open = s.values[0] != 0;
    else if (!known->is_new) is_open = known->is_open;
  }
  if (host->log && (known->is_new || known->is_open != is_open)) {
    s = (recorded_change){.when = SET_TOLD, .kind = "open", .details_before = before, .count = 1};
    s.values[0] = is_open;
    snprintf(s.field, sizeof s.field, "%s", label);
    record(host, &s);
  }
  known->is_open = is_open;
  known->is_new = false;
  return is_open;
}

void changes_replay(sinew_host *host, int when) {
  static recorded_change s; /* large */
  while (host->replay && run_log_take_set(host->replay, when, NULL, NULL, &s)) {
    record(host, &s);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
      if (strcmp(kinds[kind].name, s.kind) == 0) {
        apply(host, (int)kind, &s);
        break;
      }
  }
}
