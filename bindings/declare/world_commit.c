#include "declare/counterpart.h"
#include "declare/world_crowd.h"

#include <math.h>
#include <string.h>

static const char *const field_names[ACTOR_FIELDS] = {"position", "rotation", "scale",
                                                      "visible",  "skinning", "opacity"};

void world_begin(world *w) {
  w->loading = true;
  w->order = 0;
  w->changes = w->untold = 0;
  w->summary[0] = 0;
}

/* ---- prepare: everything that can fail, and nothing that shows ---- */

static bool find_counterparts(world *w, actor_record *record, sinew_error *error) {
  int count = record->model ? sinew_model_clip_count(record->model) : 0;
  record->clips = world_allocate(w, (size_t)(count + 1) * sizeof *record->clips);
  if (!record->clips) return world_fail(error, "out of memory for actor '%s'", record->name);
  for (int i = 0; i < count; i++) record->clips[i] = counterpart_of_clip(record->model, i, record->next_model);
  return true;
}

static void forget_replacement(world *w, actor_record *record) {
  sinew_actor_destroy(w->stage, record->replacement);
  world_free(w, record->clips);
  record->replacement = (sinew_actor){0};
  record->clips = NULL;
}

static bool make_replacement(world *w, actor_record *record, sinew_error *error) {
  record->replacement = sinew_actor_create(w->stage, record->name, record->next_model, error);
  if (!record->replacement.id) return false;
  sinew_actor_set_visible(w->stage, record->replacement, false);
  return find_counterparts(w, record, error);
}

static bool prepare_actor(world *w, actor_record *record, sinew_error *error) {
  bool other_model = record->next_set && record->next_model != record->model;
  if (other_model && !make_replacement(w, record, error)) return false;
  return world_prepare_layers(w, record, error);
}

static bool prepare(world *w, sinew_error *error) {
  for (int i = 0; i < w->actor_count; i++)
    if (!prepare_actor(w, w->actors[i], error)) return false;
  return world_prepare_crowds(w, error);
}

/* ---- apply ---- */

/* Another length of the clip keeps the share of it. */
static void stretch_time(play_record *play, const sinew_model *from, const sinew_model *to, int clip) {
  double before = clip >= 0 ? sinew_clip_duration(sinew_model_clip(from, play->clip)) : 0;
  if (before > 0) play->held.time *= sinew_clip_duration(sinew_model_clip(to, clip)) / before;
}

/* Clips of another model are found again; what it lacks has ended. */
static void move_plays(actor_record *record) {
  const sinew_model *to = record->next_model;
  for (int i = 0; i < record->play_count; i++) {
    play_record *play = record->plays[i];
    if (play->clip < 0 || (!play->last_set && play->swept_at < 0)) continue; /* declared of the new one */
    int clip = record->clips[play->clip];
    stretch_time(play, record->model, to, clip);
    play->clip = clip;
    if (clip >= 0) world_copy(play->name, sizeof play->name, sinew_clip_name(sinew_model_clip(to, clip)));
  }
}

/* What it plays, its graphs and their states go on. */
static void take_model(world *w, actor_record *record) {
  sinew_error error;
  move_plays(record);
  world_move_layers(w, record, record->next_model);
  world_move_modifiers(w, record, record->replacement, record->next_model);
  world_move_root(record, record->next_model);
  world_move_graphs(w, record);
  sinew_actor_join(w->stage, record->actor, record->actor, WORLD_JOIN);
  if (!sinew_actor_take_model(w->stage, record->actor, record->replacement, record->clips, &error))
    sinew_log(SINEW_LOG_ERROR, "%s", error.message);
  else record->replacement = (sinew_actor){0};
  sinew_actor_join(w->stage, record->actor, record->actor, WORLD_JOIN);
  record->swapped = true;
  world_note(w, "%s has another model", record->name);
}

static void swap_actor(world *w, actor_record *record) {
  if (record->actor.id) {
    take_model(w, record);
  } else {
    sinew_actor_set_visible(w->stage, record->replacement, true);
    record->actor = record->replacement;
    record->replacement = (sinew_actor){0};
  }
  sinew_model_release(record->model);
  record->model = sinew_model_retain(record->next_model);
  forget_replacement(w, record);
}

static void commit_morphs(world *w, actor_record *record, bool noted) {
  double now = sinew_host_time(w->host);
  for (int i = 0; i < record->morph_count; i++) {
    morph_record *morph = record->morphs[i];
    world_property *p = &morph->value;
    const float living[4] = {sinew_actor_morph(w->stage, record->actor, morph->name)}, none = 0;
    const float *value = world_property_value(p, living, &none, now);
    if (value) sinew_actor_set_morph(w->stage, record->actor, morph->name, value[0]);
    if (value && noted) world_note_property(w, record->name, morph->name, p, 1);
    world_property_end(p, true);
  }
}

static void commit_fields(world *w, actor_record *record, bool noted) {
  double now = sinew_host_time(w->host);
  for (int i = 0; i < ACTOR_FIELDS; i++) {
    world_property *p = &record->fields[i];
    float living[4] = {0};
    world_living_actor(w, record, i, living);
    const float *value = world_property_value(p, living, world_actor_default(i), now);
    if (value) world_apply_actor(w, record, i, value);
    if (value && noted) world_note_property(w, record->name, field_names[i], p, world_actor_field_size(i));
    world_property_end(p, true);
  }
  commit_morphs(w, record, noted);
}

static void bring_back(world *w, actor_record *record) {
  if (record->swept_at < 0) return;
  sinew_actor_set_paused(w->stage, record->actor, false);
  record->swept_at = -1;
  world_note(w, "%s is back", record->name);
}

static void forget_next_model(actor_record *record) {
  sinew_model_release(record->next_model);
  record->next_model = NULL;
}

/* Whatever the save has changed in how it moves, no joint jumps. */
static void commit_motion(world *w, actor_record *record) {
  record->changed = false;
  world_commit_layers(w, record);
  world_commit_graphs(w, record);
  world_commit_plays(w, record);
  world_commit_modifiers(w, record);
  world_commit_root(w, record);
  if (record->changed && record->declared) sinew_actor_join(w->stage, record->actor, record->actor, WORLD_JOIN);
  record->swapped = false;
}

static void commit_declared(world *w, actor_record *record) {
  if (record->replacement.id) swap_actor(w, record);
  bring_back(w, record);
  commit_fields(w, record, record->declared);
  world_commit_params(w, record);
  commit_motion(w, record);
  record->fresh = !record->declared;
  if (!record->declared) world_note(w, "%s joins", record->name);
  record->declared = true;
  record->next_set = false;
  record->generation = w->generation;
  forget_next_model(record);
  world_copy(record->line, sizeof record->line, record->next_line);
}

static void sweep_actor(world *w, actor_record *record) {
  record->swept_at = sinew_host_time(w->host);
  sinew_actor_set_paused(w->stage, record->actor, true);
  world_note(w, "%s is gone", record->name);
}

static void commit_actor(world *w, actor_record *record) {
  if (record->next_set) {
    commit_declared(w, record);
  } else if (record->declared && record->swept_at < 0) {
    sweep_actor(w, record);
  } else if (!record->declared) { /* made at run time, found and changed at the top level */
    commit_fields(w, record, true);
    world_commit_params(w, record);
    commit_motion(w, record);
  }
}

/* ---- models that come later ---- */

bool world_change_model(world *w, actor_record *record, sinew_model *model, sinew_error *error) {
  record->next_model = sinew_model_retain(model);
  bool made = make_replacement(w, record, error) && world_prepare_layers(w, record, error);
  if (made) {
    swap_actor(w, record);
    sinew_actor_set_paused(w->stage, record->actor, record->swept_at >= 0);
    record->arrived = true;
    world_renew_attachments(w);
  }
  forget_replacement(w, record);
  forget_next_model(record);
  return made;
}

void world_begin_arrivals(world *w) { world_begin(w); }

static void end_arrival(world *w, actor_record *record) {
  sinew_error error;
  record->arrived = false;
  if (world_prepare_layers(w, record, &error)) {
    commit_morphs(w, record, false);
    commit_motion(w, record);
  } else {
    sinew_log(SINEW_LOG_ERROR, "%s: %s", record->name, error.message);
    world_undo_layers(w, record);
    world_rollback_plays(w, record);
    world_rollback_graphs(w, record);
  }
}

void world_end_arrivals(world *w) {
  w->loading = false;
  for (int i = 0; i < w->actor_count; i++)
    if (w->actors[i]->arrived) end_arrival(w, w->actors[i]);
}

bool world_commit(world *w, sinew_error *error) {
  if (!prepare(w, error)) return false;
  w->generation++;
  w->loading = false;
  for (int i = 0; i < w->actor_count; i++) commit_actor(w, w->actors[i]);
  world_commit_attachments(w);
  world_commit_crowds(w);
  world_commit_look(w);
  world_commit_markers(w);
  return true;
}

/* ---- rollback ---- */

static void rollback_actor(world *w, actor_record *record) {
  forget_replacement(w, record);
  if (!record->actor.id) {
    world_forget_actor(w, record);
    return;
  }
  world_undo_layers(w, record);
  world_rollback_plays(w, record);
  world_rollback_graphs(w, record);
  world_rollback_modifiers(w, record);
  record->root.next_set = record->attachment.next_set = false;
  for (int i = 0; i < record->param_count; i++) world_property_end(&record->params[i]->value, false);
  for (int i = 0; i < ACTOR_FIELDS; i++) world_property_end(&record->fields[i], false);
  for (int i = 0; i < record->morph_count; i++) world_property_end(&record->morphs[i]->value, false);
  forget_next_model(record);
  record->next_set = false;
}

void world_rollback(world *w) {
  for (int i = w->actor_count - 1; i >= 0; i--) rollback_actor(w, w->actors[i]);
  world_rollback_crowds(w);
  world_rollback_look(w);
  world_rollback_markers(w);
  w->loading = false;
}

/* ---- time ---- */

static void forget_old_plays(world *w, actor_record *record) {
  int kept = 0;
  for (int i = 0; i < record->play_count; i++) {
    play_record *play = record->plays[i];
    bool old = !play->last_set && play->swept_at >= 0 && sinew_host_time(w->host) - play->swept_at > WORLD_HOLD;
    if (old) {
      world_free(w, play);
    } else {
      record->plays[kept++] = play;
    }
  }
  record->play_count = kept;
}

/* What is swept fades out where it stands, and back in should it return. */
static void fade_actor(const world *w, actor_record *record, double dt) {
  float before = record->swept, step = (float)(dt / WORLD_SWEEP_FADE);
  record->swept = fminf(fmaxf(before + (record->swept_at >= 0 ? step : -step), 0), 1);
  if (record->swept == before) return;
  if (before == 0) record->opacity = sinew_actor_opacity(w->stage, record->actor);
  sinew_actor_set_opacity(w->stage, record->actor, record->opacity * (1 - record->swept));
}

void world_update(world *w, double dt) {
  world_update_leaving(w);
  world_update_crowds(w, dt);
  world_forget_lines(w, false);
  for (int i = w->actor_count - 1; i >= 0; i--) {
    actor_record *record = w->actors[i];
    if (record->swept_at >= 0 && sinew_host_time(w->host) - record->swept_at > WORLD_HOLD) {
      world_forget_actor(w, record);
      continue;
    }
    fade_actor(w, record, dt);
    world_update_layers(w, record, dt);
    world_update_graphs(w, record);
    forget_old_plays(w, record);
  }
}

void world_clear(world *w) {
  while (w->actor_count > 0) world_forget_actor(w, w->actors[w->actor_count - 1]);
  world_clear_crowds(w);
  world_clear_markers(w);
  world_forget_lines(w, true);
  world_clear_look(w);
}
