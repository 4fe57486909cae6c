#include "declare/counterpart.h"
#include "declare/declarations.h"

#include <math.h>
#include <string.h>

play_values declarations_play_default(void) {
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
                       .mode = PLAY_MODE_CROSSFADE};
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
                          .cycles = values->cycles,
                          .solo = values->mode == PLAY_MODE_CROSSFADE};
}

/* ---- what lives ---- */

/* A part that ends with the clip has no end of its own, so that it fits a later model. */
bool declarations_living_play(const declarations *all, sinew_action action, play_values *values) {
  sinew_action_state state;
  if (!sinew_action_read_state(all->stage, action, &state)) return false;
  const sinew_model *model = sinew_actor_model(all->stage, sinew_action_actor(all->stage, action));
  values->speed = state.speed;
  values->time = state.time;
  values->weight = (double)state.weight;
  values->loop = state.loop;
  values->loop_count = state.loop_count;
  values->cycles = state.cycles;
  values->paused = state.paused;
  values->back = state.back;
  values->fade_out = state.fade_out;
  values->from = state.from > 0 ? state.from : (double)NAN;
  values->to = state.to < sinew_clip_duration(sinew_model_clip(model, state.clip)) ? state.to : (double)NAN;
  declarations_copy(values->sync, sizeof values->sync, state.sync_group);
  return true;
}

void declarations_apply_play(declarations *all, sinew_action action, const play_values *values) {
  sinew_action_state state;
  if (!sinew_action_read_state(all->stage, action, &state)) return;
  state.speed = values->speed;
  state.back = state.back && (isnan(values->time) || values->time == state.time); /* a jump continues forwards */
  if (!isnan(values->time)) state.time = values->time;
  state.weight = (float)values->weight;
  state.loop = values->loop;
  state.loop_count = values->loop_count;
  state.cycles = values->cycles;
  state.paused = values->paused;
  state.fade_out = values->fade_out;
  state.from = values->from;
  state.to = values->to;
  state.sync_group = values->sync[0] ? values->sync : NULL;
  if (!sinew_action_set_state(all->stage, action, &state))
    declarations_say(all, SINEW_LOG_WARNING, "an action stays as it is: an actor has 8 sync groups at most");
}

/* Sets the values of a new action that sinew_play_def does not have. */
static void begin_action(declarations *all, sinew_action action, const play_values *values) {
  sinew_action_state state;
  if ((!values->paused && !values->back) || !sinew_action_read_state(all->stage, action, &state)) return;
  state.paused = values->paused;
  state.back = values->back;
  sinew_action_set_state(all->stage, action, &state);
}

bool declarations_start_play(declarations *all, actor_record *record, play_record *play, const play_values *values,
                             double fade, sinew_error *error) {
  int layer = declarations_layer_index(all, record, play->layer);
  sinew_play_def def = stage_def(values, play->clip, layer);
  def.fade = fade;
  if (layer < 0) return declarations_fail(error, "the layer of the action has been removed");
  play->action = sinew_actor_play(all->stage, record->actor, &def, error);
  if (!play->action.id) return false;
  begin_action(all, play->action, values);
  if (values->stopped) sinew_action_stop(all->stage, play->action, values->stop_fade);
  return true;
}

/* By the same clip, or in another model by its counterpart. */
static play_record *find_play(const declarations *all, const actor_record *record, int clip, int64_t layer) {
  const sinew_model *model = declarations_actor_model(all, record);
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *play = play_at(record, i);
    bool here = play->layer == layer && !play->head.next_set;
    if (here && counterpart_of_clip(record->model, play->clip, model) == clip) return play;
  }
  return NULL;
}

static play_record *add_play(declarations *all, actor_record *record, int clip, int64_t layer, sinew_error *error) {
  const char *name = sinew_clip_name(sinew_model_clip(declarations_actor_model(all, record), clip));
  if (record->parts[PART_PLAYS].count == DECLARED_PLAYS) {
    declarations_fail(error, "the top level plays %d clips on '%s' at most", DECLARED_PLAYS, record->head.name);
    return NULL;
  }
  play_record *play = declaration_add(all, &record->parts[PART_PLAYS], sizeof *play, name);
  if (!play) {
    declarations_fail(error, "out of memory for an action");
    return NULL;
  }
  play->clip = clip;
  play->layer = layer;
  return play;
}

static bool play_next(declarations *all, actor_record *record, int clip, int64_t layer, const play_values *values,
                      const char *line, action_handle *handle, sinew_error *error) {
  play_record *play = find_play(all, record, clip, layer);
  if (!play) play = add_play(all, record, clip, layer, error);
  if (!play) return false;
  play->next = *values;
  play->next_clip = clip;
  declaration_set(all, &play->head, line);
  handle->play = play->head.id;
  return true;
}

/* If the allocation fails, the line is simply not recorded. */
static void note_line(declarations *all, sinew_action action, const char *line) {
  action_line *note = action.id ? declarations_allocate(all, sizeof *note) : NULL;
  if (!note) return;
  note->action = action;
  declarations_copy(note->line, sizeof note->line, line);
  if (!declarations_append(all, &all->lines, &all->line_count, &all->line_capacity, note)) declarations_free(all, note);
}

const char *declarations_action_line(const declarations *all, const actor_record *record, sinew_action action) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++)
    if (play_at(record, i)->action.id == action.id) return play_at(record, i)->head.line;
  for (int i = 0; i < all->line_count; i++)
    if (all->lines[i]->action.id == action.id) return all->lines[i]->line;
  return NULL;
}

void declarations_forget_lines(declarations *all, bool every) {
  int kept = 0;
  for (int i = 0; i < all->line_count; i++) {
    if (!every && sinew_action_is_valid(all->stage, all->lines[i]->action)) all->lines[kept++] = all->lines[i];
    else declarations_free(all, all->lines[i]);
  }
  all->line_count = kept;
}

bool declarations_play(declarations *all, actor_record *record, int clip, int64_t layer, const play_values *values,
                       const char *line, action_handle *handle, sinew_error *error) {
  *handle = (action_handle){.actor = record->head.id, .clip = clip};
  if (all->loading) return play_next(all, record, clip, layer, values, line, handle, error);
  int index = declarations_layer_index(all, record, layer);
  if (index < 0) return declarations_fail(error, "the layer has been removed");
  sinew_play_def def = stage_def(values, clip, index);
  handle->action = sinew_actor_play(all->stage, record->actor, &def, error);
  begin_action(all, handle->action, values);
  note_line(all, handle->action, line);
  return handle->action.id != 0;
}

play_record *declarations_play_record(const declarations *all, const action_handle *handle) {
  const actor_record *record = handle->play ? declarations_actor(all, handle->actor) : NULL;
  return record ? (play_record *)declaration_of(&record->parts[PART_PLAYS], handle->play) : NULL;
}

sinew_action declarations_living_action(const declarations *all, const action_handle *handle) {
  const play_record *play = declarations_play_record(all, handle);
  return play ? play->action : handle->action;
}

bool declarations_keep_play(const declarations *all, play_record *play) {
  play->kept = play->last;
  play->kept_ended =
      !declarations_living_play(all, play->action, &play->kept) || sinew_action_is_stopping(all->stage, play->action);
  return !play->kept_ended;
}

const sinew_clip *declarations_action_clip(const declarations *all, const action_handle *handle) {
  const actor_record *record = declarations_actor(all, handle->actor);
  const play_record *play = declarations_play_record(all, handle);
  const sinew_model *model = record ? declarations_actor_model(all, record) : NULL;
  sinew_action_state state;
  int clip = play ? (play->head.next_set ? play->next_clip : play->clip) : handle->clip;
  if (!play && sinew_action_read_state(all->stage, handle->action, &state)) clip = state.clip;
  bool known = model && clip >= 0 && clip < sinew_model_clip_count(model);
  return known ? sinew_model_clip(model, clip) : NULL;
}

/* The time at which an action that has not started will start. */
static double first_time(const declarations *all, const action_handle *handle, const play_values *values) {
  const sinew_clip *clip = declarations_action_clip(all, handle);
  if (!isnan(values->time)) return values->time;
  if (values->speed >= 0 || !clip) return isnan(values->from) ? 0 : values->from;
  return isnan(values->to) ? sinew_clip_duration(clip) : values->to;
}

bool declarations_action_values(const declarations *all, const action_handle *handle, play_values *values) {
  const play_record *play = declarations_play_record(all, handle);
  *values = play && play->head.next_set ? play->next : declarations_play_default();
  if (play && play->head.next_set && !play->head.declared) {
    values->time = first_time(all, handle, values);
    return !values->stopped;
  }
  if (play) *values = play->last;
  if (!declarations_living_play(all, declarations_living_action(all, handle), values)) return false;
  double time = values->time;
  if (play && play->head.next_set) kind_merge(&kind_action, &play->last, &play->next, values);
  if (isnan(values->time)) values->time = time;
  return true;
}

void declarations_set_action(declarations *all, const action_handle *handle, const play_values *values) {
  play_record *play = declarations_play_record(all, handle);
  if (all->loading && play && play->head.next_set) play->next = *values;
  else declarations_apply_play(all, declarations_living_action(all, handle), values);
}

bool declarations_action_done(const declarations *all, const action_handle *handle) {
  const play_record *play = declarations_play_record(all, handle);
  if (play && play->head.next_set && !play->head.declared) return false;
  sinew_action action = declarations_living_action(all, handle);
  return !sinew_action_is_valid(all->stage, action) || sinew_action_is_finished(all->stage, action);
}

void declarations_stop_action(declarations *all, const action_handle *handle, double fade) {
  play_record *play = declarations_play_record(all, handle);
  if (all->loading && play && play->head.next_set) {
    play->next.stopped = true;
    play->next.stop_fade = fade;
  } else {
    sinew_action_stop(all->stage, declarations_living_action(all, handle), fade);
  }
}

static void stop_declared(actor_record *record, int64_t layer, double fade) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *play = play_at(record, i);
    if (play->layer != layer || !play->head.next_set) continue;
    play->next.stopped = true;
    play->next.stop_fade = fade;
  }
}

void declarations_stop_layer(declarations *all, actor_record *record, int64_t layer, double fade) {
  int index = declarations_layer_index(all, record, layer);
  if (all->loading) {
    stop_declared(record, layer, fade);
    return;
  }
  /* Without a fade they are gone at once. */
  for (int i = sinew_actor_action_count(all->stage, record->actor, index) - 1; i >= 0; i--)
    sinew_action_stop(all->stage, sinew_actor_action(all->stage, record->actor, index, i), fade);
}
