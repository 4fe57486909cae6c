#include "declare/counterpart.h"
#include "declare/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_running(const world *w, sinew_action action) {
  return sinew_action_is_valid(w->stage, action) && !sinew_action_is_stopping(w->stage, action);
}

static const char *layer_name(const actor_record *record, int64_t layer) {
  const layer_record *found = layer ? world_layer(record, layer) : NULL;
  return found ? found->head.name : "base";
}

/* 'hero arm "Wave"', or without the base layer 'hero "Walk"'. */
static void note(world *w, const actor_record *record, const play_record *play, const char *what) {
  const char *layer = play->layer ? layer_name(record, play->layer) : "";
  world_note(w, "%s%s%s \"%s\"%s", record->head.name, layer[0] ? " " : "", layer, play->head.name, what);
}

static void note_changes(world *w, const actor_record *record, const play_record *play, bool alive) {
  char changes[320], line[360];
  if (!kind_tell(&kind_action, &play->last, record->model, &play->next, record->model, changes, sizeof changes)) return;
  snprintf(line, sizeof line, ": %s%s", changes, alive ? "" : " (it has ended)");
  note(w, record, play, line);
}

static void start(world *w, actor_record *record, play_record *play, const play_values *values, double fade) {
  sinew_error error;
  record->changed = true;
  if (!world_start_play(w, record, play, values, fade, &error))
    sinew_log(SINEW_LOG_WARNING, "%s: %s", play->head.next_set ? play->head.next_line : play->head.line, error.message);
}

static void apply_changes(world *w, actor_record *record, play_record *play) {
  play_values living = play->last;
  bool alive = world_living_play(w, play->action, &living);
  double time = living.time;
  note_changes(w, record, play, alive);
  if (play->last.stopped && !play->next.stopped && !is_running(w, play->action)) {
    start(w, record, play, &play->next, play->next.fade);
    note(w, record, play, " plays again");
    return;
  }
  unsigned effects = kind_merge(&kind_action, &play->last, &play->next, &living);
  if (!alive) return;
  if (isnan(living.time)) living.time = time;
  if (play->last.sync[0] && !living.sync[0]) living.speed = play->next.speed; /* the group's pace is over */
  if (effects & (1u << FIELD_LIVE | 1u << FIELD_REJOIN)) {
    world_apply_play(w, play->action, &living);
    record->changed = true;
  }
  if (play->next.stopped && !play->last.stopped) sinew_action_stop(w->stage, play->action, play->next.stop_fade);
}

/* On a layer that goes it is seen until that has faded out. */
static double leaving_time(const actor_record *record, const play_record *play) {
  const layer_record *layer = world_layer(record, play->layer);
  return layer && layer->head.fate == FATE_GOES ? fmax(play->last.fade, 2 * WORLD_LAYER_FADE) : play->last.fade;
}

/* The state of what goes is kept in the record, so that its return can go on from there. */
static void remove_play(world *w, actor_record *record, declaration *d) {
  play_record *play = (play_record *)d;
  if (world_keep_play(w, play)) {
    sinew_action_stop(w->stage, play->action, leaving_time(record, play));
    record->changed = true;
  }
  note(w, record, play, " is gone");
}

/* A crossfade that the file declares later is what a fresh start would end with. */
static bool is_covered(const world *w, const actor_record *record, const play_record *play) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    const play_record *other = play_at(record, i);
    bool later = other->layer == play->layer && other->head.order > play->head.order && other->head.declared;
    if (later && other->last.way == PLAY_CROSSFADES && is_running(w, other->action)) return true;
  }
  return false;
}

/* What comes back goes on from where it was, with what has been declared otherwise since on top. */
static play_values resumed(const play_record *play) {
  play_values values = play->kept;
  kind_merge(&kind_action, &play->last, &play->next, &values);
  if (isnan(values.time)) values.time = play->kept.time;
  values.back = values.back && values.time == play->kept.time;
  return values;
}

/* ---- where the clip of a new one played before ---- */

/* One that goes, of the same clip on another layer: the edit has moved it. */
static bool take_moved(world *w, actor_record *record, play_record *play) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *other = play_at(record, i);
    bool same = other->head.fate == FATE_GOES && other->clip == play->next_clip && world_keep_play(w, other);
    char line[256];
    if (!same) continue;
    play->last = other->last;
    play->kept = other->kept;
    play->joins = true;
    sinew_action_stop(w->stage, other->action, 0);
    other->head.declared = false;
    other->head.fate = FATE_NONE;
    other->head.removed_at = sinew_host_time(w->host);
    snprintf(line, sizeof line, ": layer %s → %s", layer_name(record, other->layer), layer_name(record, play->layer));
    note(w, record, play, line);
    note_changes(w, record, play, true);
    return true;
  }
  return false;
}

/* Of two that said the same the one that runs may be the one that goes: then the other is that from now on. */
static void take_twin(world *w, const actor_record *record, play_record *play) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *other = play_at(record, i);
    bool same = other->head.fate == FATE_GOES && other->clip == play->clip && other->layer == play->layer &&
                kind_same(&kind_action, &other->last, &play->last);
    if (!same || is_running(w, play->action) || !is_running(w, other->action)) continue;
    sinew_action ended = play->action;
    play->action = other->action;
    other->action = ended;
  }
}

/* A graph of the layer that goes: its clip goes on as an action. */
static void take_from_graph(world *w, const actor_record *record, play_record *play) {
  const graph_record *graph = world_find_graph(record, play->layer);
  int layer = world_layer_index(w, record, play->layer);
  double time;
  bool back;
  if (!graph || !graph->held || layer < 0 || !isnan(play->next.time)) return;
  if (!sinew_actor_held_time(w->stage, record->actor, layer, play->next_clip, &time, &back)) return;
  play->last = play->kept = play->next;
  play->kept.time = time;
  play->kept.back = back;
  play->joins = true;
  note(w, record, play, " goes on without its graph");
}

static void find_origins(world *w, actor_record *record) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *play = play_at(record, i);
    if (play->head.fate == FATE_STAYS) take_twin(w, record, play);
    if (play->head.fate == FATE_COMES && !take_moved(w, record, play)) take_from_graph(w, record, play);
  }
}

static void come(world *w, actor_record *record, play_record *play) {
  bool returns = play->head.fate == FATE_RETURNS;
  if (returns && !play->kept_ended && world_living_play(w, play->action, &play->kept)) /* it has not faded out yet */
    sinew_action_stop(w->stage, play->action, 0);
  bool goes_on = play->joins || (returns && !play->kept_ended);
  play_values values = goes_on ? resumed(play) : play->next;
  play->clip = play->next_clip;
  record->changed = true;
  if (!(returns && play->kept_ended) && !is_covered(w, record, play))
    start(w, record, play, &values, play->joins ? 0 : play->next.fade);
  if (world_tells(record) && !play->joins) note(w, record, play, returns ? " is back" : " plays");
  play->joins = false;
}

static bool apply(world *w, actor_record *record, declaration *d) {
  play_record *play = (play_record *)d;
  if (d->fate == FATE_STAYS) apply_changes(w, record, play);
  else come(w, record, play);
  play->clip = play->next_clip;
  return true;
}

/* What went had replaced a crossfade that is still declared: that one plays again. */
static void revive(world *w, actor_record *record, int64_t layer) {
  play_record *latest = NULL;
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *play = play_at(record, i);
    if (play->layer != layer || !play->head.declared) continue;
    if (is_running(w, play->action)) return;
    if (!latest || play->head.order > latest->head.order) latest = play;
  }
  if (latest && latest->last.loop == SINEW_LOOP_FOREVER && !latest->last.stopped) {
    start(w, record, latest, &latest->last, latest->last.fade);
    note(w, record, latest, " plays again");
  }
}

static bool comes_on(const actor_record *record, int64_t layer) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    const declaration *d = &play_at(record, i)->head;
    if (play_at(record, i)->layer == layer && (d->fate == FATE_COMES || d->fate == FATE_RETURNS)) return true;
  }
  return false;
}

static void finish(world *w, actor_record *record) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    const play_record *play = play_at(record, i);
    if (play->head.fate == FATE_GOES && !play->kept_ended && !comes_on(record, play->layer))
      revive(w, record, play->layer);
  }
}

const declaration_kind play_declarations = {.last = offsetof(play_record, last),
                                            .next = offsetof(play_record, next),
                                            .size = sizeof(play_values),
                                            .apply = apply,
                                            .remove = remove_play,
                                            .match = find_origins,
                                            .finish = finish,
                                            .ordered = true};
