#include "declare/world.h"

#include <math.h>
#include <string.h>

/* The order of what the load does not declare. */
enum { TO_SWEEP = -2, SWEPT = -1 };

static bool is_running(const world *w, sinew_action action) {
  return sinew_action_is_valid(w->stage, action) && !sinew_action_is_stopping(w->stage, action);
}

static void note_number(world *w, const actor_record *record, const play_record *play, const char *what, double before,
                        double after) {
  if (before != after) {
    world_note(w, "%s \"%s\" %s %g → %g", record->name, play->name, what, before, after);
  }
}

static void note_changes(world *w, const actor_record *record, const play_record *play) {
  const play_values *last = &play->last, *next = &play->next;
  note_number(w, record, play, "fade", last->fade, next->fade);
  note_number(w, record, play, "speed", last->speed, next->speed);
  note_number(w, record, play, "weight", (double)last->weight, (double)next->weight);
  note_number(w, record, play, "time", last->time, next->time);
  if (last->loop != next->loop || last->loop_count != next->loop_count) {
    world_note(w, "%s \"%s\" loops otherwise", record->name, play->name);
  }
}

static void apply_changes(world *w, actor_record *record, const play_record *play) {
  const play_values *last = &play->last, *next = &play->next;
  sinew_action_state state;
  if (!sinew_action_get(w->stage, play->action, &state)) return;
  if (next->speed != last->speed) state.speed = next->speed;
  if (next->weight != last->weight) state.weight = next->weight;
  if (next->time != last->time) state.time = next->time;
  if (next->paused != last->paused) state.paused = next->paused;
  if (next->loop != last->loop || next->loop_count != last->loop_count) {
    state.loop = next->loop;
    state.loop_count = next->loop_count;
  }
  if (next->speed != last->speed || next->weight != last->weight || next->time != last->time ||
      next->paused != last->paused || next->loop != last->loop || next->loop_count != last->loop_count) {
    sinew_action_set(w->stage, play->action, &state);
    record->changed = true;
  }
  if (next->stopped && !last->stopped) sinew_action_stop(w->stage, play->action, next->stop_fade);
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
    note_changes(w, record, play);
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
    world_note(w, "%s \"%s\" is gone", record->name, play->name);
  }
  return any;
}

/* A crossfade that the file declares later is what a fresh start would end with. */
static bool is_covered(const world *w, const actor_record *record, const play_record *play) {
  for (int i = 0; i < record->play_count; i++) {
    const play_record *other = record->plays[i];
    if (other->layer == play->layer && other->order > play->order && other->last_set && other->last.solo &&
        is_running(w, other->action)) {
      return true;
    }
  }
  return false;
}

static play_record *next_new(const actor_record *record, int64_t layer) {
  play_record *first = NULL;
  for (int i = 0; i < record->play_count; i++) {
    play_record *play = record->plays[i];
    bool fresh = play->next_set && !play->last_set && play->layer == layer;
    if (fresh && (!first || play->order < first->order)) first = play;
  }
  return first;
}

/* What comes back goes on from where it was, with what has been declared otherwise since on top. */
static play_values resumed(const play_record *play) {
  play_values values = play->next, living = play->held;
  world_merge_play(play, &living);
  values.speed = living.speed;
  values.time = living.time;
  values.weight = living.weight;
  values.loop = living.loop;
  values.loop_count = living.loop_count;
  values.paused = living.paused;
  values.timed = true;
  return values;
}

static void start(world *w, actor_record *record, play_record *play, bool noted) {
  sinew_error error;
  bool held = play->swept_at >= 0, ended = held && play->held_ended;
  double fade = record->swapped && held ? 0 : play->next.fade; /* the old model's action has gone with it */
  play_values asked = play->next, values = held && !ended ? resumed(play) : asked;
  end_next(play);
  play->swept_at = -1;
  play->last = values;
  record->changed = true;
  if (!ended && !is_covered(w, record, play) && !world_start_play(w, record, play, fade, &error)) {
    sinew_log(SINEW_LOG_WARNING, "%s: %s", play->line, error.message);
  }
  play->last = asked;
  if (noted) world_note(w, "%s plays \"%s\"", record->name, play->name);
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
