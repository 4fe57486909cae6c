#include "declare/counterpart.h"
#include "declare/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The order of what the load does not declare. */
enum { TO_SWEEP = -2, SWEPT = -1 };

static bool is_running(const world *w, sinew_action action) {
  return sinew_action_is_valid(w->stage, action) && !sinew_action_is_stopping(w->stage, action);
}

static const char *layer_name(const actor_record *record, int64_t layer) {
  const layer_record *found = layer ? world_layer(record, layer) : NULL;
  return found ? found->name : "base";
}

/* 'hero arm "Wave"', or without the base layer 'hero "Walk"'. */
static void note(world *w, const actor_record *record, const play_record *play, const char *what) {
  const char *layer = play->layer ? layer_name(record, play->layer) : "";
  world_note(w, "%s%s%s \"%s\"%s", record->name, layer[0] ? " " : "", layer, play->name, what);
}

static void note_changes(world *w, const actor_record *record, const play_record *play, bool alive) {
  char changes[320], line[360];
  if (!kind_tell(&kind_action, &play->last, record->model, &play->next, record->model, changes, sizeof changes)) return;
  snprintf(line, sizeof line, ": %s%s", changes, alive ? "" : " (it has ended)");
  note(w, record, play, line);
}

static void begin_again(world *w, actor_record *record, play_record *play) {
  sinew_error error;
  play_values asked = play->last;
  play->last = play->next;
  if (!world_start_play(w, record, play, play->next.fade, &error))
    sinew_log(SINEW_LOG_WARNING, "%s: %s", play->line, error.message);
  play->last = asked;
  record->changed = true;
  note(w, record, play, " plays again");
}

static void apply_changes(world *w, actor_record *record, play_record *play) {
  play_values living = play->last;
  bool alive = world_living_play(w, play->action, &living);
  double time = living.time;
  note_changes(w, record, play, alive);
  if (play->last.stopped && !play->next.stopped && !is_running(w, play->action)) {
    begin_again(w, record, play);
    return;
  }
  unsigned effects = kind_merge(&kind_action, &play->last, &play->next, &living);
  if (!alive) return;
  if (isnan(living.time)) living.time = time;
  if (play->last.sync[0] && !living.sync[0]) living.speed = play->next.speed; /* the group's pace is over */
  if (effects & (1u << FIELD_LIVE | 1u << FIELD_REJOIN)) {
    world_apply_play(w, play->action, &living);
    world_note_leaving(w, play->action, &living);
    record->changed = true;
  }
  if (play->next.stopped && !play->last.stopped) sinew_action_stop(w->stage, play->action, play->next.stop_fade);
}

static void end_next(play_record *play) {
  play->last = play->next;
  play->clip = play->next_clip;
  play->last_set = true;
  play->next_set = false;
  world_copy(play->line, sizeof play->line, play->next_line);
}

static void commit_kept(world *w, actor_record *record) {
  for (int i = 0; i < record->play_count; i++) {
    play_record *play = record->plays[i];
    if (!play->next_set || !play->last_set) continue;
    apply_changes(w, record, play);
    end_next(play);
    play->swept_at = -1;
  }
}

/* The state of what goes is kept in the record, so that its return can go on from there. */
static bool sweep(world *w, actor_record *record, int64_t layer) {
  bool any = false;
  for (int i = 0; i < record->play_count; i++) {
    play_record *play = record->plays[i];
    if (play->order != TO_SWEEP || play->layer != layer) continue;
    bool alive = world_hold_play(w, play, true);
    play->order = SWEPT;
    play->last_set = false;
    if (alive) sinew_action_stop(w->stage, play->action, play->last.fade);
    any = any || alive;
    record->changed = record->changed || alive;
    note(w, record, play, " is gone");
  }
  return any;
}

/* A crossfade that the file declares later is what a fresh start would end with. */
static bool is_covered(const world *w, const actor_record *record, const play_record *play) {
  for (int i = 0; i < record->play_count; i++) {
    const play_record *other = record->plays[i];
    if (other->layer == play->layer && other->order > play->order && other->last_set &&
        other->last.way == PLAY_CROSSFADES && is_running(w, other->action)) {
      return true;
    }
  }
  return false;
}

static bool is_new(const play_record *play) { return play->next_set && !play->last_set; }

static play_record *next_new(const actor_record *record, int64_t layer) {
  play_record *first = NULL;
  for (int i = 0; i < record->play_count; i++) {
    play_record *play = record->plays[i];
    bool fresh = is_new(play) && play->layer == layer;
    if (fresh && (!first || play->order < first->order)) first = play;
  }
  return first;
}

/* What comes back goes on from where it was, with what has been declared otherwise since on top. */
static play_values resumed(const play_record *play) {
  play_values values = play->held;
  kind_merge(&kind_action, &play->last, &play->next, &values);
  if (isnan(values.time)) values.time = play->held.time;
  return values;
}

/* ---- where the clip of a new one played before ---- */

/* One that goes, of the same clip on another layer: the edit has moved it. */
static bool take_moved(world *w, actor_record *record, play_record *play) {
  for (int i = 0; i < record->play_count; i++) {
    play_record *other = record->plays[i];
    if (other->order != TO_SWEEP || other->clip != play->next_clip || !world_hold_play(w, other, true)) continue;
    char line[256];
    play->last = other->last;
    play->held = other->held;
    play->held_ended = false;
    play->swept_at = other->swept_at;
    play->joins = true;
    other->order = SWEPT;
    other->last_set = false;
    sinew_action_stop(w->stage, other->action, 0);
    snprintf(line, sizeof line, ": layer %s → %s", layer_name(record, other->layer), layer_name(record, play->layer));
    note(w, record, play, line);
    note_changes(w, record, play, true);
    return true;
  }
  return false;
}

/* A graph of the layer that goes: its clip goes on as an action. */
static void take_from_graph(world *w, const actor_record *record, play_record *play) {
  const graph_record *graph = world_find_graph(record, play->layer);
  int layer = world_layer_index(w, record, play->layer);
  double time;
  if (!graph || !graph->held || layer < 0 || !isnan(play->next.time)) return;
  if (!sinew_actor_held_time(w->stage, record->actor, layer, play->next_clip, &time)) return;
  play->last = play->held = play->next;
  play->held.time = time;
  play->held_ended = false;
  play->swept_at = sinew_host_time(w->host);
  play->joins = true;
  note(w, record, play, " goes on without its graph");
}

static void find_origins(world *w, actor_record *record) {
  for (int i = 0; i < record->play_count; i++) {
    play_record *play = record->plays[i];
    if (is_new(play) && play->swept_at < 0 && !take_moved(w, record, play)) take_from_graph(w, record, play);
  }
}

static void start(world *w, actor_record *record, play_record *play, bool noted) {
  sinew_error error;
  bool held = play->swept_at >= 0, ended = held && play->held_ended;
  bool joins = held && play->joins;
  play_values asked = play->next, values = held && !ended ? resumed(play) : asked;
  end_next(play);
  play->swept_at = -1;
  play->joins = false;
  play->last = values;
  record->changed = true;
  if (!ended && !is_covered(w, record, play) && !world_start_play(w, record, play, joins ? 0 : asked.fade, &error)) {
    sinew_log(SINEW_LOG_WARNING, "%s: %s", play->line, error.message);
  }
  play->last = asked;
  if (noted && !joins) note(w, record, play, held ? " is back" : " plays");
}

/* What went had replaced a crossfade that is still declared: that one plays again. */
static void revive(world *w, actor_record *record, int64_t layer) {
  play_record *latest = NULL;
  for (int i = 0; i < record->play_count; i++) {
    play_record *play = record->plays[i];
    if (play->layer != layer || !play->last_set || play->order < 0) continue;
    if (is_running(w, play->action)) return;
    if (!latest || play->order > latest->order) latest = play;
  }
  sinew_error error;
  if (latest && latest->last.loop == SINEW_LOOP_FOREVER && !latest->last.stopped) {
    world_start_play(w, record, latest, latest->last.fade, &error);
    note(w, record, latest, " plays again");
  }
}

static void commit_layer_plays(world *w, actor_record *record, int64_t layer, bool noted) {
  bool gone = sweep(w, record, layer);
  bool started = false;
  for (play_record *play = next_new(record, layer); play; play = next_new(record, layer)) {
    start(w, record, play, noted);
    started = true;
  }
  if (gone && !started) revive(w, record, layer);
}

static void mark_swept(actor_record *record) {
  for (int i = 0; i < record->play_count; i++) {
    play_record *play = record->plays[i];
    if (play->last_set && !play->next_set) play->order = TO_SWEEP;
  }
}

void world_commit_plays(world *w, actor_record *record) {
  bool noted = record->declared;
  mark_swept(record);
  commit_kept(w, record);
  find_origins(w, record);
  commit_layer_plays(w, record, 0, noted);
  for (int i = 0; i < record->layer_count; i++) commit_layer_plays(w, record, record->layers[i]->id, noted);
}

void world_rollback_plays(world *w, actor_record *record) {
  int kept = 0;
  for (int i = 0; i < record->play_count; i++) {
    play_record *play = record->plays[i];
    play->next_set = false;
    if (play->last_set || play->swept_at >= 0) {
      record->plays[kept++] = play;
    } else {
      world_free(w, play);
    }
  }
  record->play_count = kept;
}
