#include "declare/world.h"

#include <math.h>
#include <string.h>

play_values world_play_default(void) {
  sinew_play_def def = sinew_play_def_default();
  return (play_values){.fade = def.fade,
                       .fade_out = -1,
                       .speed = def.speed,
                       .weight = def.weight,
                       .loop = def.loop,
                       .loop_count = 1,
                       .solo = def.solo,
                       .from = def.from,
                       .to = def.to};
}

static sinew_play_def stage_def(const play_values *values, int clip, int layer) {
  sinew_play_def def = sinew_play_def_default();
  def.clip = clip;
  def.layer = layer;
  def.fade = values->fade;
  def.loop = values->loop;
  def.loop_count = values->loop_count;
  def.speed = values->speed;
  def.weight = values->weight;
  def.solo = values->solo;
  def.from = values->from;
  def.to = values->to;
  def.ease = values->ease;
  def.kind = values->kind;
  def.sync_group = values->sync[0] ? values->sync : NULL;
  if (values->timed) def.time = values->time;
  return def;
}

/* What the def of a new action cannot say. */
static void set_paused(world *w, sinew_action action, bool paused) {
  sinew_action_state state;
  if (!paused || !sinew_action_get(w->stage, action, &state)) return;
  state.paused = true;
  sinew_action_set(w->stage, action, &state);
}

/* More than there is room for would hold their ends: no harm but a pose that stays. */
static void note_leaving(world *w, sinew_action action, const play_values *values) {
  bool ends = values->loop == SINEW_LOOP_ONCE || values->loop == SINEW_LOOP_COUNT;
  if (!action.id || values->fade_out < 0 || !ends || w->leaving_count == WORLD_LEAVING) return;
  w->leaving[w->leaving_count++] = (leaving_action){action, values->fade_out, values->to};
}

/* So that it is gone when its clip is: the fade begins that much earlier. */
static bool is_leaving(const world *w, const leaving_action *leaving) {
  sinew_action_state state;
  sinew_model *model = sinew_actor_model(w->stage, sinew_action_actor(w->stage, leaving->action));
  if (sinew_action_is_finished(w->stage, leaving->action)) return true;
  if (!model || !sinew_action_get(w->stage, leaving->action, &state) || state.speed <= 0) return false;
  double end = fmin(sinew_clip_duration(sinew_model_clip(model, state.clip)), leaving->end);
  bool last = state.loop == SINEW_LOOP_ONCE || state.loops >= state.loop_count - 1;
  return last && state.time >= end - leaving->fade * state.speed;
}

void world_update_leaving(world *w) {
  int kept = 0;
  for (int i = 0; i < w->leaving_count; i++) {
    leaving_action leaving = w->leaving[i];
    bool alive = sinew_action_is_valid(w->stage, leaving.action);
    bool goes = alive && is_leaving(w, &leaving);
    if (goes) sinew_action_stop(w->stage, leaving.action, leaving.fade);
    if (alive && !goes) w->leaving[kept++] = leaving;
  }
  w->leaving_count = kept;
}

bool world_start_play(world *w, actor_record *record, play_record *play, double fade, sinew_error *error) {
  int layer = world_layer_index(w, record, play->layer);
  sinew_play_def def = stage_def(&play->last, play->clip, layer);
  def.fade = fade;
  if (layer < 0) return world_fail(error, "the layer of the action has been removed");
  play->action = sinew_actor_play(w->stage, record->actor, &def, error);
  if (!play->action.id) return false;
  set_paused(w, play->action, play->last.paused);
  note_leaving(w, play->action, &play->last);
  if (play->last.stopped) sinew_action_stop(w->stage, play->action, play->last.stop_fade);
  return true;
}

/* The same clip, or in another model the one of the same name. */
static play_record *find_play(const world *w, const actor_record *record, int clip, int64_t layer) {
  const sinew_model *model = world_actor_model(w, record);
  const char *name = sinew_clip_name(sinew_model_clip(model, clip));
  for (int i = 0; i < record->play_count; i++) {
    play_record *play = record->plays[i];
    bool same = model == record->model ? play->clip == clip : strncmp(play->name, name, sizeof play->name - 1) == 0;
    if (same && play->layer == layer && !play->next_set) return play;
  }
  return NULL;
}

static play_record *add_play(world *w, actor_record *record, int clip, int64_t layer, sinew_error *error) {
  play_record *play = world_allocate(w, sizeof *play);
  if (!play || !world_append(w, &record->plays, &record->play_count, &record->play_capacity, play)) {
    world_free(w, play);
    world_fail(error, "out of memory for an action");
    return NULL;
  }
  play->id = ++w->next_id;
  play->clip = clip;
  world_copy(play->name, sizeof play->name, sinew_clip_name(sinew_model_clip(world_actor_model(w, record), clip)));
  play->layer = layer;
  play->swept_at = -1;
  return play;
}

static bool play_next(world *w, actor_record *record, int clip, int64_t layer, const play_values *values,
                      const char *line, action_handle *handle, sinew_error *error) {
  play_record *play = find_play(w, record, clip, layer);
  if (!play) play = add_play(w, record, clip, layer, error);
  if (!play) return false;
  play->next = *values;
  play->next_set = true;
  play->next_clip = clip;
  play->order = ++w->order;
  world_copy(play->next_line, sizeof play->next_line, line);
  handle->play = play->id;
  return true;
}

/* Without memory nobody knows it. */
static void note_line(world *w, sinew_action action, const char *line) {
  action_line *note = action.id ? world_allocate(w, sizeof *note) : NULL;
  if (!note) return;
  note->action = action;
  world_copy(note->line, sizeof note->line, line);
  if (!world_append(w, &w->lines, &w->line_count, &w->line_capacity, note)) world_free(w, note);
}

const char *world_action_line(const world *w, const actor_record *record, sinew_action action) {
  for (int i = 0; i < record->play_count; i++)
    if (record->plays[i]->action.id == action.id) return record->plays[i]->line;
  for (int i = 0; i < w->line_count; i++)
    if (w->lines[i]->action.id == action.id) return w->lines[i]->line;
  return NULL;
}

void world_forget_lines(world *w, bool all) {
  int kept = 0;
  for (int i = 0; i < w->line_count; i++) {
    if (!all && sinew_action_is_valid(w->stage, w->lines[i]->action)) w->lines[kept++] = w->lines[i];
    else world_free(w, w->lines[i]);
  }
  w->line_count = kept;
}

bool world_play(world *w, actor_record *record, int clip, int64_t layer, const play_values *values, const char *line,
                action_handle *handle, sinew_error *error) {
  *handle = (action_handle){.actor = record->id, .clip = clip};
  if (w->loading) return play_next(w, record, clip, layer, values, line, handle, error);
  int index = world_layer_index(w, record, layer);
  if (index < 0) return world_fail(error, "the layer has been removed");
  sinew_play_def def = stage_def(values, clip, index);
  handle->action = sinew_actor_play(w->stage, record->actor, &def, error);
  set_paused(w, handle->action, values->paused);
  note_leaving(w, handle->action, values);
  note_line(w, handle->action, line);
  return handle->action.id != 0;
}

play_record *world_play_record(const world *w, const action_handle *handle) {
  actor_record *record = handle->play ? world_actor(w, handle->actor) : NULL;
  for (int i = 0; record && i < record->play_count; i++)
    if (record->plays[i]->id == handle->play) return record->plays[i];
  return NULL;
}

sinew_action world_living_action(const world *w, const action_handle *handle) {
  const play_record *play = world_play_record(w, handle);
  return play ? play->action : handle->action;
}

static bool living_values(const world *w, sinew_action action, play_values *values) {
  sinew_action_state state;
  if (!sinew_action_get(w->stage, action, &state)) return false;
  values->speed = state.speed;
  values->time = state.time;
  values->weight = state.weight;
  values->loop = state.loop;
  values->loop_count = state.loop_count;
  values->paused = state.paused;
  return true;
}

bool world_hold_play(const world *w, play_record *play, bool running) {
  bool alive = living_values(w, play->action, &play->held);
  if (running && sinew_action_is_stopping(w->stage, play->action)) alive = false;
  play->held_ended = !alive;
  play->swept_at = sinew_host_time(w->host);
  return alive;
}

void world_merge_play(const play_record *play, play_values *values) {
  const play_values *last = &play->last, *next = &play->next;
  if (next->speed != last->speed) values->speed = next->speed;
  if (next->weight != last->weight) values->weight = next->weight;
  if (next->time != last->time || next->timed != last->timed) values->time = next->time;
  if (next->paused != last->paused) values->paused = next->paused;
  if (next->loop != last->loop || next->loop_count != last->loop_count) {
    values->loop = next->loop;
    values->loop_count = next->loop_count;
  }
}

bool world_action_values(const world *w, const action_handle *handle, play_values *values) {
  const play_record *play = world_play_record(w, handle);
  *values = (play_values){.loop_count = 1};
  if (play && play->next_set && !play->last_set) {
    *values = play->next;
    return !play->next.stopped;
  }
  if (!living_values(w, world_living_action(w, handle), values)) return false;
  if (play && play->next_set) world_merge_play(play, values);
  return true;
}

void world_set_action(world *w, const action_handle *handle, const play_values *values) {
  play_record *play = world_play_record(w, handle);
  sinew_action_state state;
  if (w->loading && play && play->next_set) {
    play->next = *values;
    return;
  }
  if (!sinew_action_get(w->stage, world_living_action(w, handle), &state)) return;
  state.speed = values->speed;
  state.time = values->time;
  state.weight = values->weight;
  state.loop = values->loop;
  state.loop_count = values->loop_count;
  state.paused = values->paused;
  sinew_action_set(w->stage, world_living_action(w, handle), &state);
}

bool world_action_done(const world *w, const action_handle *handle) {
  const play_record *play = world_play_record(w, handle);
  if (play && play->next_set && !play->last_set) return false;
  sinew_action action = world_living_action(w, handle);
  return !sinew_action_is_valid(w->stage, action) || sinew_action_is_finished(w->stage, action);
}

void world_stop_action(world *w, const action_handle *handle, double fade) {
  play_record *play = world_play_record(w, handle);
  if (w->loading && play && play->next_set) {
    play->next.stopped = true;
    play->next.stop_fade = fade;
  } else {
    sinew_action_stop(w->stage, world_living_action(w, handle), fade);
  }
}
