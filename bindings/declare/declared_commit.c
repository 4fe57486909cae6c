#include "declare/counterpart.h"
#include "declare/kinds/declared_crowd.h"

#include <math.h>
#include <string.h>

/* The parts of an actor in the order in which they are committed; attachments come last. */
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

void declarations_begin(declarations *all) {
  all->loading = true;
  all->renamed++;
  all->order = 0;
  all->changes = all->untold = 0;
  all->told_from = all->told_to = NULL;
  all->summary[0] = 0;
}

/* ---- prepare: everything that can fail, and nothing visible ---- */

/* Many actors may change from one model to another together: `before` is one that has just done so, or NULL. */
static bool find_counterparts(declarations *all, actor_record *record, const actor_record *before, sinew_error *error) {
  int count = record->model ? sinew_model_clip_count(record->model) : 0;
  record->clips = declarations_allocate(all, (size_t)(count + 1) * sizeof *record->clips);
  if (!record->clips) return declarations_fail(error, "out of memory for actor '%s'", record->head.name);
  bool same = before && before->clips && before->model == record->model && before->next_model == record->next_model;
  if (same) memcpy(record->clips, before->clips, (size_t)count * sizeof *record->clips);
  else if (record->model) counterparts_of_clips(record->model, record->next_model, record->clips);
  return true;
}

static void forget_replacement(declarations *all, actor_record *record) {
  sinew_actor_destroy(all->stage, record->replacement);
  declarations_free(all, record->clips);
  record->replacement = (sinew_actor){0};
  record->clips = NULL;
}

static bool make_replacement(declarations *all, actor_record *record, const actor_record *before, sinew_error *error) {
  record->replacement = sinew_actor_create(all->stage, record->head.name, record->next_model, error);
  if (!record->replacement.id) return false;
  sinew_actor_set_visible(all->stage, record->replacement, false);
  return find_counterparts(all, record, before, error);
}

static bool prepare_actor(declarations *all, actor_record *record, const actor_record *before, sinew_error *error) {
  bool other_model = record->head.next_set && record->next_model != record->model;
  if (other_model && !make_replacement(all, record, before, error)) return false;
  return declarations_prepare_layers(all, record, error);
}

static bool prepare(declarations *all, sinew_error *error) {
  for (int i = 0; i < all->actors.count; i++)
    if (!prepare_actor(all, actor_at(all, i), i > 0 ? actor_at(all, i - 1) : NULL, error)) return false;
  return declarations_prepare_crowds(all, error);
}

/* ---- apply ---- */

/* In a clip of another length, the phase stays. */
static void stretch_time(play_record *play, const sinew_model *from, const sinew_model *to, int clip) {
  double before = clip >= 0 ? sinew_clip_duration(sinew_model_clip(from, play->clip)) : 0;
  if (before > 0) play->kept.def.time *= sinew_clip_duration(sinew_model_clip(to, clip)) / before;
}

/* Finds the clips in the new model; a play whose clip is missing has ended. */
static void move_plays(actor_record *record) {
  const sinew_model *to = record->next_model;
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *play = play_at(record, i);
    bool known = play->head.declared || declaration_is_kept(&play->head);
    if (play->clip < 0 || !known) continue; /* declared of the new one */
    int clip = record->clips[play->clip];
    stretch_time(play, record->model, to, clip);
    play->clip = clip;
    if (clip >= 0)
      declarations_copy(play->head.name, sizeof play->head.name, sinew_clip_name(sinew_model_clip(to, clip)));
  }
}

/* Clips, graphs and their states continue. */
static void take_model(declarations *all, actor_record *record) {
  sinew_error error;
  move_plays(record);
  declarations_move_layers(all, record, record->next_model);
  declarations_move_modifiers(all, record, record->replacement, record->next_model);
  declarations_move_root(record, record->next_model);
  declarations_move_graphs(all, record);
  sinew_actor_join(all->stage, record->actor, record->actor, DECLARED_JOIN);
  if (!sinew_actor_take_model(all->stage, record->actor, record->replacement, record->clips, &error))
    declarations_say(all, SINEW_LOG_ERROR, "%s", error.message);
  else record->replacement = (sinew_actor){0};
  sinew_actor_join(all->stage, record->actor, record->actor, DECLARED_JOIN);
  record->swapped = true;
  declarations_tell_model(all, record->head.name, record->model, record->next_model);
}

static void swap_actor(declarations *all, actor_record *record) {
  if (record->actor.id) {
    take_model(all, record);
  } else {
    sinew_actor_set_visible(all->stage, record->replacement, true);
    record->actor = record->replacement;
    record->replacement = (sinew_actor){0};
  }
  declarations_hold_model(&all->joints, &record->model, record->next_model);
  forget_replacement(all, record);
}

static void commit_parts(declarations *all, actor_record *record, int first, int last) {
  for (int i = first; i <= last; i++) declaration_commit(all, record, kinds[i], &record->parts[i]);
}

/* Lets no joint jump, whatever the save changed about its motion. */
static void commit_motion(declarations *all, actor_record *record) {
  record->changed = false;
  commit_parts(all, record, PART_LAYERS, PART_ROOT);
  if (record->changed && record->head.declared)
    sinew_actor_join(all->stage, record->actor, record->actor, DECLARED_JOIN);
  record->swapped = false;
}

/* The top level may refer to, and change, what a callback made. */
static void commit_found(declarations *all, actor_record *owner, declaration *d) {
  (void)owner;
  commit_parts(all, (actor_record *)d, PART_PROPERTIES, PART_PARAMS);
  commit_motion(all, (actor_record *)d);
}

static void forget_next_model(declarations *all, actor_record *record) {
  declarations_hold_model(&all->next_joints, &record->next_model, NULL);
}

static bool apply(declarations *all, actor_record *owner, declaration *d) {
  actor_record *record = (actor_record *)d;
  if (record->replacement.id) swap_actor(all, record);
  if (d->fate == FATE_RETURNS) {
    sinew_actor_set_paused(all->stage, record->actor, false);
    declarations_tell_fate(all, d->fate, "%s", d->name);
  }
  commit_found(all, owner, d);
  if (d->fate == FATE_COMES) declarations_tell_fate(all, d->fate, "%s", d->name);
  record->epoch = all->epoch;
  forget_next_model(all, record);
  return true;
}

static void remove_actor(declarations *all, actor_record *owner, declaration *d) {
  (void)owner;
  sinew_actor_set_paused(all->stage, ((actor_record *)d)->actor, true);
  declarations_tell_fate(all, d->fate, "%s", d->name);
}

static void attach_all(declarations *all, actor_record *owner) {
  (void)owner;
  declarations_commit_attachments(all);
}

static void rollback_parts(declarations *all, actor_record *record) {
  for (int i = 0; i < PARTS; i++) declaration_rollback(all, record, kinds[i], &record->parts[i]);
}

static void rollback(declarations *all, declaration *d) {
  actor_record *record = (actor_record *)d;
  forget_replacement(all, record);
  if (record->actor.id) rollback_parts(all, record);
  forget_next_model(all, record);
}

static void clear(declarations *all, declaration *d) {
  actor_record *record = (actor_record *)d;
  sinew_actor_destroy(all->stage, record->actor);
  sinew_actor_destroy(all->stage, record->replacement);
  all->forgotten++;
  for (int i = 0; i < PARTS; i++) declaration_free_all(all, kinds[i], &record->parts[i]);
  declarations_hold_model(&all->joints, &record->model, NULL);
  forget_next_model(all, record);
  declarations_free(all, record->clips);
}

static const declaration_kind actors = {.apply = apply,
                                        .remove = remove_actor,
                                        .found = commit_found,
                                        .finish = attach_all,
                                        .rollback = rollback,
                                        .clear = clear};

/* The declarations of a scene, in the order of a commit. */
static const struct {
  size_t list;
  const declaration_kind *kind;
} lists[] = {
    {offsetof(declarations, models), &model_declarations},   {offsetof(declarations, actors), &actors},
    {offsetof(declarations, crowds), &crowd_declarations},   {offsetof(declarations, look), &look_kinds[0].declared},
    {offsetof(declarations, markers), &marker_declarations}, {offsetof(declarations, curves), &curve_declarations},
};
enum { LISTS = sizeof lists / sizeof *lists };

static declaration_list *list_of(declarations *all, int i) {
  return (declaration_list *)(void *)((char *)all + lists[i].list);
}

void declarations_forget_actor(declarations *all, actor_record *record) {
  declaration_cut(all, &actors, &all->actors, &record->head);
  all->renamed++;
}

/* ---- models that finish loading later ---- */

bool declarations_change_model(declarations *all, actor_record *record, sinew_model *model, sinew_error *error) {
  declarations_hold_model(&all->next_joints, &record->next_model, model);
  bool made = make_replacement(all, record, NULL, error) && declarations_prepare_layers(all, record, error);
  if (made) {
    swap_actor(all, record);
    sinew_actor_set_paused(all->stage, record->actor, declaration_is_kept(&record->head));
    record->arrived = true;
  }
  forget_replacement(all, record);
  forget_next_model(all, record);
  return made;
}

void declarations_begin_arrivals(declarations *all) { declarations_begin(all); }

static void end_arrival(declarations *all, actor_record *record) {
  sinew_error error;
  record->arrived = false;
  if (declarations_prepare_layers(all, record, &error)) {
    commit_parts(all, record, PART_MORPHS, PART_MORPHS);
    commit_motion(all, record);
  } else {
    declarations_say(all, SINEW_LOG_ERROR, "%s: %s", record->head.name, error.message);
    rollback_parts(all, record);
  }
}

void declarations_end_arrivals(declarations *all) {
  all->loading = false;
  all->renamed++;
  for (int i = 0; i < all->actors.count; i++)
    if (actor_at(all, i)->arrived) end_arrival(all, actor_at(all, i));
}

bool declarations_commit(declarations *all, sinew_error *error) {
  if (!prepare(all, error)) return false;
  all->epoch++;
  all->loading = false;
  all->renamed++;
  declarations_commit_renames(all);
  for (int i = 0; i < LISTS; i++) declaration_commit(all, NULL, lists[i].kind, list_of(all, i));
  return true;
}

/* ---- rollback ---- */

void declarations_rollback(declarations *all) {
  for (int i = 0; i < LISTS; i++) declaration_rollback(all, NULL, lists[i].kind, list_of(all, i));
  all->loading = false;
  all->renamed++;
}

/* ---- time ---- */

/* A removed thing fades out where it stands, and back in if it returns. */
static void fade_actor(declarations *all, actor_record *record, double dt) {
  float before = record->faded, step = (float)(dt / DECLARED_REMOVE_FADE);
  record->faded = fminf(fmaxf(before + (declaration_is_kept(&record->head) ? step : -step), 0), 1);
  all->ending = all->ending || record->faded > 0;
  if (record->faded == before) return;
  if (before == 0) record->opacity = sinew_actor_opacity(all->stage, record->actor);
  sinew_actor_set_opacity(all->stage, record->actor, record->opacity * (1 - record->faded));
}

static void update_actor(declarations *all, actor_record *record, double dt) {
  fade_actor(all, record, dt);
  for (int i = 0; i < PARTS; i++) declaration_update(all, record, kinds[i], &record->parts[i], dt);
}

void declarations_update(declarations *all, double dt) {
  declarations_forget_lines(all, false);
  if (!all->ending) return;
  all->ending = false;
  for (int i = 0; i < LISTS; i++) declaration_update(all, NULL, lists[i].kind, list_of(all, i), dt);
  for (int i = 0; i < all->actors.count; i++) update_actor(all, actor_at(all, i), dt);
}

void declarations_clear(declarations *all) {
  for (int i = 0; i < LISTS; i++) declaration_free_all(all, lists[i].kind, list_of(all, i));
  declarations_forget_lines(all, true);
}
