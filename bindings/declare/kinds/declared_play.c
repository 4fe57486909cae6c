#include "declare/counterpart.h"
#include "declare/declarations.h"

#include <math.h>
#include <string.h>

/* ---- what lives ---- */

bool declarations_living_play(const declarations *all, sinew_action action, sinew_play_def *def) {
  sinew_play_def living;
  if (!sinew_action_read_state(all->stage, action, &living)) return false;
  *def = living;
  return true;
}

void declarations_apply_play(declarations *all, sinew_action action, const sinew_play_def *def) {
  sinew_play_def now, next = *def;
  if (!sinew_action_read_state(all->stage, action, &now)) return;
  if (isnan(next.time)) next.time = now.time;
  next.back = now.back && next.time == now.time; /* a jump continues forwards */
  if (!sinew_action_set_state(all->stage, action, &next))
    declarations_say(all, SINEW_LOG_WARNING, "an action stays as it is: an actor has 8 sync groups at most");
}

bool declarations_start_play(declarations *all, actor_record *record, play_record *play, const play_values *values,
                             double fade, sinew_error *error) {
  int layer = declarations_layer_index(all, record, play->layer);
  sinew_play_def def = values->def;
  def.clip = play->clip, def.layer = layer, def.fade = fade;
  if (layer < 0) return declarations_fail(error, "the layer of the action has been removed");
  play->action = sinew_actor_play(all->stage, record->actor, &def, error);
  if (!play->action.id) return false;
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

static bool play_next(declarations *all, actor_record *record, int clip, int64_t layer, const sinew_play_def *def,
                      const char *line, action_handle *handle, sinew_error *error) {
  play_record *play = find_play(all, record, clip, layer);
  if (!play) play = add_play(all, record, clip, layer, error);
  if (!play) return false;
  play->next = (play_values){.def = *def};
  play->next_clip = clip;
  declaration_set(all, &play->head, line);
  handle->play = play->head.id;
  return true;
}

/* If the allocation fails, the line is simply not recorded. */
static void note_line(declarations *all, sinew_action action, const sinew_play_def *asked, const char *line) {
  action_line *note = action.id ? declarations_allocate(all, sizeof *note) : NULL;
  if (!note) return;
  note->action = action;
  note->asked = *asked;
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

bool declarations_play(declarations *all, actor_record *record, int clip, int64_t layer, const sinew_play_def *asked,
                       const char *line, action_handle *handle, sinew_error *error) {
  *handle = (action_handle){.actor = record->head.id, .clip = clip};
  if (all->loading) return play_next(all, record, clip, layer, asked, line, handle, error);
  int index = declarations_layer_index(all, record, layer);
  if (index < 0) return declarations_fail(error, "the layer has been removed");
  sinew_play_def def = *asked;
  def.clip = clip, def.layer = index;
  handle->action = sinew_actor_play(all->stage, record->actor, &def, error);
  note_line(all, handle->action, asked, line);
  return handle->action.id != 0;
}

/* The call that began an action, and its options; NULL if it is not known. */
static const sinew_play_def *find_asked(const declarations *all, const actor_record *record, sinew_action action,
                                        action_handle *handle) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    const play_record *play = play_at(record, i);
    if (play->action.id != action.id) continue;
    handle->play = play->head.id;
    return &play->last.def;
  }
  for (int i = 0; i < all->line_count; i++)
    if (all->lines[i]->action.id == action.id) return &all->lines[i]->asked;
  return NULL;
}

static sinew_action find_leading(const declarations *all, const actor_record *record, int layer) {
  for (int i = sinew_actor_action_count(all->stage, record->actor, layer) - 1; i >= 0; i--) {
    sinew_action action = sinew_actor_action(all->stage, record->actor, layer, i);
    if (!sinew_action_is_stopping(all->stage, action)) return action;
  }
  return (sinew_action){0};
}

bool declarations_leading_play(const declarations *all, const actor_record *record, int clip, int64_t layer,
                               const sinew_play_def *def, action_handle *handle) {
  sinew_play_def state;
  int index = all->loading ? -1 : declarations_layer_index(all, record, layer);
  bool loops = def->solo && (def->loop == SINEW_LOOP_FOREVER || def->loop == SINEW_LOOP_PING_PONG);
  sinew_action action = index >= 0 && loops ? find_leading(all, record, index) : (sinew_action){0};
  if (!sinew_action_read_state(all->stage, action, &state) || state.clip != clip) return false;
  *handle = (action_handle){.actor = record->head.id, .action = action, .clip = clip};
  const sinew_play_def *asked = find_asked(all, record, action, handle);
  bool same = asked != NULL && asked->solo == def->solo;
  for (const store_field *f = kind_action.fields; same && f->name; f++) same = field_same(f, asked, def);
  return same;
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
  play->kept_ended = !declarations_living_play(all, play->action, &play->kept.def) ||
                     sinew_action_is_stopping(all->stage, play->action);
  return !play->kept_ended;
}

const sinew_clip *declarations_action_clip(const declarations *all, const action_handle *handle) {
  const actor_record *record = declarations_actor(all, handle->actor);
  const play_record *play = declarations_play_record(all, handle);
  const sinew_model *model = record ? declarations_actor_model(all, record) : NULL;
  sinew_play_def state;
  int clip = play ? (play->head.next_set ? play->next_clip : play->clip) : handle->clip;
  if (!play && sinew_action_read_state(all->stage, handle->action, &state)) clip = state.clip;
  bool known = model && clip >= 0 && clip < sinew_model_clip_count(model);
  return known ? sinew_model_clip(model, clip) : NULL;
}

/* The time at which an action that has not started will start. */
static double first_time(const declarations *all, const action_handle *handle, const sinew_play_def *def) {
  const sinew_clip *clip = declarations_action_clip(all, handle);
  if (!isnan(def->time)) return def->time;
  if (def->speed >= 0 || !clip) return isnan(def->from) ? 0 : def->from;
  return isnan(def->to) ? sinew_clip_duration(clip) : def->to;
}

bool declarations_action_values(const declarations *all, const action_handle *handle, sinew_play_def *def) {
  const play_record *play = declarations_play_record(all, handle);
  *def = play && play->head.next_set ? play->next.def : sinew_play_def_default();
  if (play && play->head.next_set && !play->head.declared) {
    def->time = first_time(all, handle, def);
    return !play->next.stopped;
  }
  if (!declarations_living_play(all, declarations_living_action(all, handle), def)) {
    if (play) *def = play->last.def;
    return false;
  }
  double time = def->time;
  if (play && play->head.next_set) kind_merge(&kind_action, &play->last, &play->next, def);
  if (isnan(def->time)) def->time = time;
  return true;
}

void declarations_set_action(declarations *all, const action_handle *handle, const sinew_play_def *def) {
  play_record *play = declarations_play_record(all, handle);
  if (all->loading && play && play->head.next_set) play->next.def = *def;
  else declarations_apply_play(all, declarations_living_action(all, handle), def);
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
