#include "declare/counterpart.h"
#include "declare/world_crowd.h"

#include <math.h>
#include <string.h>

/* The parts of an actor in the order in which they are committed; what hangs from others comes last. */
static const declaration_kind *const kinds[PARTS] = {
    [PART_PROPERTIES] = &actor_properties.declared,
    [PART_MORPHS] = &morph_properties.declared,
    [PART_PARAMS] = &param_properties.declared,
    [PART_LAYERS] = &layer_declarations,
    [PART_GRAPHS] = &graph_declarations,
    [PART_PLAYS] = &play_declarations,
    [PART_MODIFIERS] = &modifier_declarations,
    [PART_ROOT] = &root_declarations,
    [PART_ATTACHMENT] = &attachment_declarations,
};

bool world_tells(const actor_record *record) { return record->head.declared || record->head.runtime; }

void world_begin(world *w) {
  w->loading = true;
  w->renamed++;
  w->order = 0;
  w->changes = w->untold = 0;
  w->summary[0] = 0;
}

/* ---- prepare: everything that can fail, and nothing that shows ---- */

/* Many actors change from one model to another together: `before` is one that has just done so, or NULL. */
static bool find_counterparts(world *w, actor_record *record, const actor_record *before, sinew_error *error) {
  int count = record->model ? sinew_model_clip_count(record->model) : 0;
  record->clips = world_allocate(w, (size_t)(count + 1) * sizeof *record->clips);
  if (!record->clips) return world_fail(error, "out of memory for actor '%s'", record->head.name);
  bool same = before && before->clips && before->model == record->model && before->next_model == record->next_model;
  if (same) memcpy(record->clips, before->clips, (size_t)count * sizeof *record->clips);
  else if (record->model) counterparts_of_clips(record->model, record->next_model, record->clips);
  return true;
}

static void forget_replacement(world *w, actor_record *record) {
  sinew_actor_destroy(w->stage, record->replacement);
  world_free(w, record->clips);
  record->replacement = (sinew_actor){0};
  record->clips = NULL;
}

static bool make_replacement(world *w, actor_record *record, const actor_record *before, sinew_error *error) {
  record->replacement = sinew_actor_create(w->stage, record->head.name, record->next_model, error);
  if (!record->replacement.id) return false;
  sinew_actor_set_visible(w->stage, record->replacement, false);
  return find_counterparts(w, record, before, error);
}

static bool prepare_actor(world *w, actor_record *record, const actor_record *before, sinew_error *error) {
  bool other_model = record->head.next_set && record->next_model != record->model;
  if (other_model && !make_replacement(w, record, before, error)) return false;
  return world_prepare_layers(w, record, error);
}

static bool prepare(world *w, sinew_error *error) {
  for (int i = 0; i < w->actors.count; i++)
    if (!prepare_actor(w, actor_at(w, i), i > 0 ? actor_at(w, i - 1) : NULL, error)) return false;
  return world_prepare_crowds(w, error);
}

/* ---- apply ---- */

/* Another length of the clip keeps the share of it. */
static void stretch_time(play_record *play, const sinew_model *from, const sinew_model *to, int clip) {
  double before = clip >= 0 ? sinew_clip_duration(sinew_model_clip(from, play->clip)) : 0;
  if (before > 0) play->kept.time *= sinew_clip_duration(sinew_model_clip(to, clip)) / before;
}

/* Clips of another model are found again; what it lacks has ended. */
static void move_plays(actor_record *record) {
  const sinew_model *to = record->next_model;
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *play = play_at(record, i);
    bool known = play->head.declared || declaration_is_kept(&play->head);
    if (play->clip < 0 || !known) continue; /* declared of the new one */
    int clip = record->clips[play->clip];
    stretch_time(play, record->model, to, clip);
    play->clip = clip;
    if (clip >= 0) world_copy(play->head.name, sizeof play->head.name, sinew_clip_name(sinew_model_clip(to, clip)));
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
  world_note(w, "%s has another model", record->head.name);
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

static void commit_parts(world *w, actor_record *record, int first, int last) {
  for (int i = first; i <= last; i++) declaration_commit(w, record, kinds[i], &record->parts[i]);
}

/* Whatever the save has changed in how it moves, no joint jumps. */
static void commit_motion(world *w, actor_record *record) {
  record->changed = false;
  commit_parts(w, record, PART_LAYERS, PART_ROOT);
  if (record->changed && record->head.declared) sinew_actor_join(w->stage, record->actor, record->actor, WORLD_JOIN);
  record->swapped = false;
}

/* One that a callback has made may be found and changed at the top level. */
static void commit_found(world *w, actor_record *owner, declaration *d) {
  (void)owner;
  commit_parts(w, (actor_record *)d, PART_PROPERTIES, PART_PARAMS);
  commit_motion(w, (actor_record *)d);
}

static void forget_next_model(actor_record *record) {
  sinew_model_release(record->next_model);
  record->next_model = NULL;
}

static bool apply(world *w, actor_record *owner, declaration *d) {
  actor_record *record = (actor_record *)d;
  if (record->replacement.id) swap_actor(w, record);
  if (d->fate == FATE_RETURNS) {
    sinew_actor_set_paused(w->stage, record->actor, false);
    world_note(w, "%s is back", d->name);
  }
  commit_found(w, owner, d);
  if (d->fate == FATE_COMES) world_note(w, "%s joins", d->name);
  record->epoch = w->epoch;
  forget_next_model(record);
  return true;
}

static void remove_actor(world *w, actor_record *owner, declaration *d) {
  (void)owner;
  sinew_actor_set_paused(w->stage, ((actor_record *)d)->actor, true);
  world_note(w, "%s is gone", d->name);
}

static void forget(world *w, actor_record *owner, declaration *d) {
  const actor_record *record = (const actor_record *)d;
  (void)owner;
  sinew_actor_destroy(w->stage, record->actor);
  sinew_actor_destroy(w->stage, record->replacement);
  w->forgotten++;
}

static void clear(world *w, declaration *d) {
  actor_record *record = (actor_record *)d;
  for (int i = 0; i < PARTS; i++) declaration_free_all(w, kinds[i], &record->parts[i]);
  sinew_model_release(record->model);
  sinew_model_release(record->next_model);
  world_free(w, record->clips);
}

static const declaration_kind actors = {
    .apply = apply, .remove = remove_actor, .found = commit_found, .forget = forget, .clear = clear};

void world_forget_actor(world *w, actor_record *record) {
  forget(w, NULL, &record->head);
  declaration_cut(w, &actors, &w->actors, &record->head);
  w->renamed++;
}

/* ---- models that come later ---- */

bool world_change_model(world *w, actor_record *record, sinew_model *model, sinew_error *error) {
  record->next_model = sinew_model_retain(model);
  bool made = make_replacement(w, record, NULL, error) && world_prepare_layers(w, record, error);
  if (made) {
    swap_actor(w, record);
    sinew_actor_set_paused(w->stage, record->actor, declaration_is_kept(&record->head));
    record->arrived = true;
  }
  forget_replacement(w, record);
  forget_next_model(record);
  return made;
}

void world_begin_arrivals(world *w) { world_begin(w); }

static void rollback_parts(world *w, actor_record *record) {
  for (int i = 0; i < PARTS; i++) declaration_rollback(w, record, kinds[i], &record->parts[i]);
}

static void end_arrival(world *w, actor_record *record) {
  sinew_error error;
  record->arrived = false;
  if (world_prepare_layers(w, record, &error)) {
    commit_parts(w, record, PART_MORPHS, PART_MORPHS);
    commit_motion(w, record);
  } else {
    sinew_log(SINEW_LOG_ERROR, "%s: %s", record->head.name, error.message);
    rollback_parts(w, record);
  }
}

void world_end_arrivals(world *w) {
  w->loading = false;
  w->renamed++;
  for (int i = 0; i < w->actors.count; i++)
    if (actor_at(w, i)->arrived) end_arrival(w, actor_at(w, i));
}

bool world_commit(world *w, sinew_error *error) {
  if (!prepare(w, error)) return false;
  w->epoch++;
  w->loading = false;
  w->renamed++;
  declaration_commit(w, NULL, &actors, &w->actors);
  world_commit_attachments(w);
  world_commit_crowds(w);
  world_commit_look(w);
  world_commit_markers(w);
  return true;
}

/* ---- rollback ---- */

static void rollback_actor(world *w, actor_record *record) {
  forget_replacement(w, record);
  if (record->actor.id) rollback_parts(w, record);
  forget_next_model(record);
}

void world_rollback(world *w) {
  for (int i = 0; i < w->actors.count; i++) rollback_actor(w, actor_at(w, i));
  declaration_rollback(w, NULL, &actors, &w->actors);
  world_rollback_crowds(w);
  world_rollback_look(w);
  world_rollback_markers(w);
  w->loading = false;
  w->renamed++;
}

/* ---- time ---- */

/* What is removed fades out where it stands, and back in should it return. */
static void fade_actor(const world *w, actor_record *record, double dt) {
  float before = record->faded, step = (float)(dt / WORLD_REMOVE_FADE);
  record->faded = fminf(fmaxf(before + (declaration_is_kept(&record->head) ? step : -step), 0), 1);
  if (record->faded == before) return;
  if (before == 0) record->opacity = sinew_actor_opacity(w->stage, record->actor);
  sinew_actor_set_opacity(w->stage, record->actor, record->opacity * (1 - record->faded));
}

static void update_actor(world *w, actor_record *record, double dt) {
  fade_actor(w, record, dt);
  for (int i = 0; i < PARTS; i++) declaration_update(w, record, kinds[i], &record->parts[i], dt);
}

void world_update(world *w, double dt) {
  world_update_crowds(w, dt);
  world_update_look(w);
  world_update_markers(w);
  world_forget_lines(w, false);
  declaration_update(w, NULL, &actors, &w->actors, dt);
  for (int i = 0; i < w->actors.count; i++) update_actor(w, actor_at(w, i), dt);
}

void world_clear(world *w) {
  while (w->actors.count > 0) world_forget_actor(w, actor_at(w, w->actors.count - 1));
  declaration_free_all(w, &actors, &w->actors);
  world_clear_crowds(w);
  world_clear_markers(w);
  world_forget_lines(w, true);
  world_clear_look(w);
}
