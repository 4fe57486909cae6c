#include "host/edit/change.h"

#include "base/text.h"
#include "host/edit/fields.h"
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

static const char *transition_name(const sinew_host *host, const sinew_edit *of, int index, char *room, size_t size) {
  return graph_transition_name(host->stage, of->actor, of->layer, index, " -> ", room, size) ? room : NULL;
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

static void write_address(const sinew_host *host, const sinew_edit *edit, recorded_change *s) {
  const sinew_edit of = with_layer(host, edit);
  int unused, actor = has_actor(of.kind) ? index_of_actor(host, of.actor) : 0;
  if (actor < 0) return;
  if (has_actor(of.kind)) say(host, &of, actor_name, actor, s->actor, &s->actors_before);
  if (parts_of(of.kind)) say(host, &of, parts_of(of.kind), of.layer, s->part, &unused);
  if (of.kind == SINEW_EDIT_ACTION)
    say(host, &of, action_name, index_of_action(host, &of), s->detail, &s->details_before);
  if (names_of(of.kind)) say(host, &of, names_of(of.kind), of.index, s->detail, &s->details_before);
}

static bool read_address(const sinew_host *host, const recorded_change *s, sinew_edit *of) {
  bool named = has_actor(of->kind) && s->actor[0]; /* not for a selection of nothing */
  int actor = named ? find(host, of, actor_name, s->actor, s->actors_before) : 0, detail = 0;
  if (actor < 0) return false;
  if (named) of->actor = sinew_stage_actor(host->stage, actor);
  if (parts_of(of->kind)) of->layer = find(host, of, parts_of(of->kind), s->part, 0);
  if (of->layer < 0) return false;
  if (of->kind == SINEW_EDIT_ACTION) {
    detail = find(host, of, action_name, s->detail, s->details_before);
    if (detail >= 0) of->action = sinew_actor_action(host->stage, of->actor, of->layer, detail);
  }
  if (names_of(of->kind)) detail = of->index = find(host, of, names_of(of->kind), s->detail, s->details_before);
  return detail >= 0;
}

/* ---- live, and again ---- */

static const char edit_kind[] = "edit", line_kind[] = "line";

static void record(sinew_host *host, const recorded_change *s) {
  if (host->log) run_log_write_set(host->log, s);
}

/* The first value is the kind of the object. */
static bool apply(sinew_host *host, const recorded_change *s) {
  const int kind = s->count > 0 ? recorded_change_whole(s->values[0]) : -1;
  if (kind < 0 || kind > SINEW_EDIT_KEPT) return false;
  sinew_edit of = {
      .kind = (sinew_edit_kind)kind, .field = s->field, .text = kind == SINEW_EDIT_VIEW ? s->detail : NULL};
  return read_address(host, s, &of) && edit_set(host, &of, s->values + 1, s->count - 1);
}

bool change_make(sinew_host *host, const sinew_edit *of, const double *values, int count) {
  recorded_change s = {.when = host->telling, .count = 1 + count, .values = {of->kind}};
  if (host->replay) return true;
  snprintf(s.kind, sizeof s.kind, "%s", edit_kind);
  snprintf(s.field, sizeof s.field, "%s", of->field);
  if (of->text) snprintf(s.detail, sizeof s.detail, "%s", of->text);
  write_address(host, of, &s);
  for (int i = 0; i < count && i + 1 < RECORDED_VALUES; i++) s.values[i + 1] = values[i];
  bool made = apply(host, &s);
  if (made) record(host, &s);
  return made;
}

bool change_unpin(sinew_host *host) {
  const sinew_edit pins = {.kind = SINEW_EDIT_VIEW, .field = "pins"};
  return host->graph.pinned_count > 0 && change_make(host, &pins, NULL, 0);
}

static bool evaluate(sinew_host *host, const char *line, char *answer, size_t size) {
  return host->app.evaluate && host->app.evaluate(host->app.user, line, answer, size);
}

/* A line that fails may have had effects before. */
bool change_line(sinew_host *host, const char *line, char *answer, size_t size) {
  recorded_change s = {.when = host->telling};
  answer[0] = '\0';
  if (host->replay) return true;
  snprintf(s.kind, sizeof s.kind, "%s", line_kind);
  snprintf(s.field, sizeof s.field, "%s", line);
  record(host, &s);
  return evaluate(host, line, answer, size);
}

void changes_replay(sinew_host *host, int when) {
  static recorded_change s, edit; /* large */
  char answer[512];
  while (host->replay && run_log_take_set(host->replay, when, NULL, NULL, &s)) {
    record(host, &s);
    if (strcmp(s.kind, line_kind) == 0) evaluate(host, s.field, answer, sizeof answer);
    for (int part = 0; recorded_change_edit(&s, part, &edit); part++) apply(host, &edit);
  }
}
