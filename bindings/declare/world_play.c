#include "declare/counterpart.h"
#include "declare/world.h"

#include <math.h>
#include <string.h>

play_values world_play_default(void) {
  sinew_play_def def = sinew_play_def_default();
  return (play_values){.fade = def.fade,
                       .fade_out = (double)NAN,
                       .speed = def.speed,
                       .weight = (double)def.weight,
                       .time = def.time,
                       .from = def.from,
                       .to = def.to,
                       .loop = def.loop,
                       .loop_count = 1,
                       .way = PLAY_CROSSFADES};
}

static sinew_play_def stage_def(const play_values *values, int clip, int layer) {
  return (sinew_play_def){.clip = clip,
                          .layer = layer,
                          .fade = values->fade,
                          .loop = values->loop,
                          .loop_count = values->loop_count,
                          .speed = values->speed,
                          .weight = (float)values->weight,
                          .time = values->time,
                          .from = values->from,
                          .to = values->to,
                          .fade_out = values->fade_out,
                          .ease = values->ease,
                          .kind = values->blend,
                          .sync_group = values->sync[0] ? values->sync : NULL,
                          .solo = values->way == PLAY_CROSSFADES};
}

/* ---- what lives ---- */

/* An end that is the clip's own is not said: it stays that of a model that comes later. */
bool world_living_play(const world *w, sinew_action action, play_values *values) {
  sinew_action_state state;
  if (!sinew_action_read_state(w->stage, action, &state)) return false;
  const sinew_model *model = sinew_actor_model(w->stage, sinew_action_actor(w->stage, action));
  values->speed = state.speed;
  values->time = state.time;
  values->weight = (double)state.weight;
  values->loop = state.loop;
  values->loop_count = state.loop_count;
  values->paused = state.paused;
  values->back = state.back;
  values->fade_out = state.fade_out;
  values->from = state.from > 0 ? state.from : (double)NAN;
  values->to = state.to < sinew_clip_duration(sinew_model_clip(model, state.clip)) ? state.to : (double)NAN;
  world_copy(values->sync, sizeof values->sync, state.sync_group);
  return true;
}

void world_apply_play(world *w, sinew_action action, const play_values *values) {
  sinew_action_state state;
  if (!sinew_action_read_state(w->stage, action, &state)) return;
  state.speed = values->speed;
  state.back = state.back && (isnan(values->time) || values->time == state.time); /* a jump goes on forwards */
  if (!isnan(values->time)) state.time = values->time;
  state.weight = (float)values->weight;
  state.loop = values->loop;
  state.loop_count = values->loop_count;
  state.paused = values->paused;
  state.fade_out = values->fade_out;
  state.from = values->from;
  state.to = values->to;
  state.sync_group = values->sync[0] ? values->sync : NULL;
  if (!sinew_action_set_state(w->stage, action, &state))
    sinew_log(SINEW_LOG_WARNING, "an action stays as it is: an actor has 8 sync groups at most");
}

/* What the def of a new action cannot say. */
static void begin_action(world *w, sinew_action action, const play_values *values) {
  sinew_action_state state;
  if ((!values->paused && !values->back) || !sinew_action_read_state(w->stage, action, &state)) return;
  state.paused = values->paused;
  state.back = values->back;
  sinew_action_set_state(w->stage, action, &state);
}

bool world_start_play(world *w, actor_record *record, play_record *play, const play_values *values, double fade,
                      sinew_error *error) {
  int layer = world_layer_index(w, record, play->layer);
  sinew_play_def def = stage_def(values, play->clip, layer);
  def.fade = fade;
  if (layer < 0) return world_fail(error, "the layer of the action has been removed");
  play->action = sinew_actor_play(w->stage, record->actor, &def, error);
  if (!play->action.id) return false;
  begin_action(w, play->action, values);
  if (values->stopped) sinew_action_stop(w->stage, play->action, values->stop_fade);
  return true;
}

/* The same clip, or in another model its counterpart. */
static play_record *find_play(const world *w, const actor_record *record, int clip, int64_t layer) {
  const sinew_model *model = world_actor_model(w, record);
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *play = play_at(record, i);
    bool here = play->layer == layer && !play->head.next_set;
    if (here && counterpart_of_clip(record->model, play->clip, model) == clip) return play;
  }
  return NULL;
}

static play_record *add_play(world *w, actor_record *record, int clip, int64_t layer, sinew_error *error) {
  const char *name = sinew_clip_name(sinew_model_clip(world_actor_model(w, record), clip));
  if (record->parts[PART_PLAYS].count == WORLD_PLAYS) {
    world_fail(error, "the top level plays %d clips on '%s' at most", WORLD_PLAYS, record->head.name);
    return NULL;
  }
  play_record *play = declaration_add(w, &record->parts[PART_PLAYS], sizeof *play, name);
  if (!play) {
    world_fail(error, "out of memory for an action");
    return NULL;
  }
  play->clip = clip;
  play->layer = layer;
  return play;
}

static bool play_next(world *w, actor_record *record, int clip, int64_t layer, const play_values *values,
                      const char *line, action_handle *handle, sinew_error *error) {
  play_record *play = find_play(w, record, clip, layer);
  if (!play) play = add_play(w, record, clip, layer, error);
  if (!play) return false;
  play->next = *values;
  play->next_clip = clip;
  declaration_set(w, &play->head, line);
  handle->play = play->head.id;
  return true;
}

/* If the allocation fails, the line is simply not recorded. */
static void note_line(world *w, sinew_action action, const char *line) {
  action_line *note = action.id ? world_allocate(w, sizeof *note) : NULL;
  if (!note) return;
  note->action = action;
  world_copy(note->line, sizeof note->line, line);
  if (!world_append(w, &w->lines, &w->line_count, &w->line_capacity, note)) world_free(w, note);
}

const char *world_action_line(const world *w, const actor_record *record, sinew_action action) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++)
    if (play_at(record, i)->action.id == action.id) return play_at(record, i)->head.line;
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
  *handle = (action_handle){.actor = record->head.id, .clip = clip};
  if (w->loading) return play_next(w, record, clip, layer, values, line, handle, error);
  int index = world_layer_index(w, record, layer);
  if (index < 0) return world_fail(error, "the layer has been removed");
  sinew_play_def def = stage_def(values, clip, index);
  handle->action = sinew_actor_play(w->stage, record->actor, &def, error);
  begin_action(w, handle->action, values);
  note_line(w, handle->action, line);
  return handle->action.id != 0;
}

play_record *world_play_record(const world *w, const action_handle *handle) {
  const actor_record *record = handle->play ? world_actor(w, handle->actor) : NULL;
  return record ? (play_record *)declaration_of(&record->parts[PART_PLAYS], handle->play) : NULL;
}

sinew_action world_living_action(const world *w, const action_handle *handle) {
  const play_record *play = world_play_record(w, handle);
  return play ? play->action : handle->action;
}

bool world_keep_play(const world *w, play_record *play) {
  play->kept = play->last;
  play->kept_ended =
      !world_living_play(w, play->action, &play->kept) || sinew_action_is_stopping(w->stage, play->action);
  return !play->kept_ended;
}

const sinew_clip *world_action_clip(const world *w, const action_handle *handle) {
  const actor_record *record = world_actor(w, handle->actor);
  const play_record *play = world_play_record(w, handle);
  const sinew_model *model = record ? world_actor_model(w, record) : NULL;
  sinew_action_state state;
  int clip = play ? (play->head.next_set ? play->next_clip : play->clip) : handle->clip;
  if (!play && sinew_action_read_state(w->stage, handle->action, &state)) clip = state.clip;
  bool known = model && clip >= 0 && clip < sinew_model_clip_count(model);
  return known ? sinew_model_clip(model, clip) : NULL;
}

/* Where one that has not begun will. */
static double first_time(const world *w, const action_handle *handle, const play_values *values) {
  const sinew_clip *clip = world_action_clip(w, handle);
  if (!isnan(values->time)) return values->time;
  if (values->speed >= 0 || !clip) return isnan(values->from) ? 0 : values->from;
  return isnan(values->to) ? sinew_clip_duration(clip) : values->to;
}

bool world_action_values(const world *w, const action_handle *handle, play_values *values) {
  const play_record *play = world_play_record(w, handle);
  *values = play && play->head.next_set ? play->next : world_play_default();
  if (play && play->head.next_set && !play->head.declared) {
    values->time = first_time(w, handle, values);
    return !values->stopped;
  }
  if (play) *values = play->last;
  if (!world_living_play(w, world_living_action(w, handle), values)) return false;
  double time = values->time;
  if (play && play->head.next_set) kind_merge(&kind_action, &play->last, &play->next, values);
  if (isnan(values->time)) values->time = time;
  return true;
}

void world_set_action(world *w, const action_handle *handle, const play_values *values) {
  play_record *play = world_play_record(w, handle);
  if (w->loading && play && play->head.next_set) play->next = *values;
  else world_apply_play(w, world_living_action(w, handle), values);
}

bool world_action_done(const world *w, const action_handle *handle) {
  const play_record *play = world_play_record(w, handle);
  if (play && play->head.next_set && !play->head.declared) return false;
  sinew_action action = world_living_action(w, handle);
  return !sinew_action_is_valid(w->stage, action) || sinew_action_is_finished(w->stage, action);
}

void world_stop_action(world *w, const action_handle *handle, double fade) {
  play_record *play = world_play_record(w, handle);
  if (w->loading && play && play->head.next_set) {
    play->next.stopped = true;
    play->next.stop_fade = fade;
  } else {
    sinew_action_stop(w->stage, world_living_action(w, handle), fade);
  }
}
