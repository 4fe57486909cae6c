#include "declare/counterpart.h"
#include "declare/declarations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_running(const declarations *all, sinew_action action) {
  return sinew_action_is_valid(all->stage, action) && !sinew_action_is_stopping(all->stage, action);
}

/* 'hero arm "Wave"', or on the base layer 'hero "Walk"'. */
static void note(declarations *all, const actor_record *record, const play_record *play, const char *what) {
  const char *layer = play->layer ? declarations_layer_name(record, play->layer) : "";
  declarations_note(all, "%s%s%s \"%s\"%s", record->head.name, layer[0] ? " " : "", layer, play->head.name, what);
}

static void note_changes(declarations *all, const actor_record *record, const play_record *play, bool alive) {
  char changes[320], line[360];
  if (!kind_tell(&kind_action, &play->last, record->model, &play->next, record->model, changes, sizeof changes)) return;
  snprintf(line, sizeof line, ": %s%s", changes, alive ? "" : " (it has ended)");
  note(all, record, play, line);
}

static void start(declarations *all, actor_record *record, play_record *play, const play_values *values, double fade) {
  sinew_error error;
  record->changed = true;
  if (!declarations_start_play(all, record, play, values, fade, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s: %s", play->head.next_set ? play->head.next_line : play->head.line,
                     error.message);
}

static void apply_changes(declarations *all, actor_record *record, play_record *play) {
  play_values living = play->last;
  bool alive = declarations_living_play(all, play->action, &living.def);
  double time = living.def.time;
  note_changes(all, record, play, alive);
  if (play->last.stopped && !play->next.stopped && !is_running(all, play->action)) {
    start(all, record, play, &play->next, play->next.def.fade);
    note(all, record, play, " plays again");
    return;
  }
  unsigned effects = kind_merge(&kind_action, &play->last, &play->next, &living);
  if (!alive) return;
  if (isnan(living.def.time)) living.def.time = time;
  if (play->last.def.sync_group[0] && !living.def.sync_group[0])
    living.def.speed = play->next.def.speed; /* the group's pace is over */
  if (effects & (1u << FIELD_LIVE | 1u << FIELD_REJOIN)) {
    declarations_apply_play(all, play->action, &living.def);
    record->changed = true;
  }
  if (play->next.stopped && !play->last.stopped) sinew_action_stop(all->stage, play->action, play->next.stop_fade);
}

/* On a removed layer, the play is visible until the layer has faded out. */
static double leaving_time(const actor_record *record, const play_record *play) {
  const layer_record *layer = declarations_layer(record, play->layer);
  return layer && layer->head.fate == FATE_GOES ? fmax(play->last.def.fade, 2 * DECLARED_LAYER_FADE)
                                                : play->last.def.fade;
}

/* Keeps the state of a removed play in its record, so that it can continue when it returns. */
static void remove_play(declarations *all, actor_record *record, declaration *d) {
  play_record *play = (play_record *)d;
  if (declarations_keep_play(all, play)) {
    sinew_action_stop(all->stage, play->action, leaving_time(record, play));
    record->changed = true;
  }
  note(all, record, play, " is gone");
}

/* Whether a later declaration in the file crossfades it away: a fresh start would end without it. */
static bool is_covered(const declarations *all, const actor_record *record, const play_record *play) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    const play_record *other = play_at(record, i);
    bool later = other->layer == play->layer && other->head.order > play->head.order && other->head.declared;
    if (later && other->last.def.solo && is_running(all, other->action)) return true;
  }
  return false;
}

/* A play that returns continues where it was; values whose declarations changed are new. */
static play_values resumed(const play_record *play) {
  play_values values = play->kept;
  kind_merge(&kind_action, &play->last, &play->next, &values);
  if (isnan(values.def.time)) values.def.time = play->kept.def.time;
  values.def.back = values.def.back && values.def.time == play->kept.def.time;
  return values;
}

/* ---- a new play that continues an earlier one ---- */

/* Continues a removed play of the same clip on another layer: the edit moved it. */
static bool take_moved(declarations *all, actor_record *record, play_record *play) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *other = play_at(record, i);
    bool same = other->head.fate == FATE_GOES && other->clip == play->next_clip && declarations_keep_play(all, other);
    char line[256];
    if (!same) continue;
    play->last = other->last;
    play->kept = other->kept;
    play->joins = true;
    sinew_action_stop(all->stage, other->action, 0);
    other->head.declared = false;
    other->head.fate = FATE_NONE;
    declaration_keep(all, &other->head);
    snprintf(line, sizeof line, ": layer %s → %s", declarations_layer_name(record, other->layer),
             declarations_layer_name(record, play->layer));
    note(all, record, play, line);
    note_changes(all, record, play, true);
    return true;
  }
  return false;
}

/* Of two equal declarations, the one that is running may be the one that goes: then the other takes over its action. */
static void take_twin(declarations *all, const actor_record *record, play_record *play) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *other = play_at(record, i);
    bool same = other->head.fate == FATE_GOES && other->clip == play->clip && other->layer == play->layer &&
                kind_same(&kind_action, &other->last, &play->last);
    if (!same || is_running(all, play->action) || !is_running(all, other->action)) continue;
    sinew_action ended = play->action;
    play->action = other->action;
    other->action = ended;
  }
}

static void go_on_at(play_record *play, double time, bool back) {
  play->last = play->kept = play->next;
  play->kept.def.time = time;
  play->kept.def.back = back;
  play->joins = true;
}

/* Continues the clip of a removed graph, on that layer or another, as an action. */
static bool take_from_graph(declarations *all, const actor_record *record, play_record *play,
                            const graph_record *graph) {
  int layer = declarations_layer_index(all, record, graph->layer);
  double time;
  bool back, goes = graph->head.fate == FATE_GOES || graph->layer == play->layer;
  if (!goes || !graph->held || graph->moved || layer < 0 || !isnan(play->next.def.time)) return false;
  if (!sinew_actor_held_time(all->stage, record->actor, layer, play->next_clip, &time, &back)) return false;
  go_on_at(play, time, back);
  note(all, record, play, " continues without its graph");
  return true;
}

static bool take_from_crowd(const declarations *all, const actor_record *record, play_record *play) {
  double time;
  if (!isnan(play->next.def.time) || !declarations_left_crowd(all, record, NULL, &play->next_clip, &time)) return false;
  go_on_at(play, time, false);
  return true;
}

static bool take_from_graphs(declarations *all, const actor_record *record, play_record *play) {
  const graph_record *own = declarations_find_graph(record, play->layer);
  bool taken = own && take_from_graph(all, record, play, own);
  for (int i = 0; !taken && i < record->parts[PART_GRAPHS].count; i++)
    taken = take_from_graph(all, record, play, graph_at(record, i));
  return taken;
}

static void find_origins(declarations *all, actor_record *record) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *play = play_at(record, i);
    if (play->head.fate == FATE_STAYS) take_twin(all, record, play);
    bool moved = play->head.fate != FATE_COMES || take_moved(all, record, play) || take_from_graphs(all, record, play);
    if (!moved) take_from_crowd(all, record, play);
  }
}

static void come(declarations *all, actor_record *record, play_record *play) {
  bool returns = play->head.fate == FATE_RETURNS;
  if (returns && !play->kept_ended &&
      declarations_living_play(all, play->action, &play->kept.def)) /* it has not faded out yet */
    sinew_action_stop(all->stage, play->action, 0);
  bool goes_on = play->joins || (returns && !play->kept_ended);
  play_values values = goes_on ? resumed(play) : play->next;
  play->clip = play->next_clip;
  record->changed = true;
  if (!(returns && play->kept_ended) && !is_covered(all, record, play))
    start(all, record, play, &values, play->joins ? 0 : play->next.def.fade);
  if (declarations_tells(record) && !play->joins) note(all, record, play, returns ? " is back" : " plays");
  play->joins = false;
}

static bool apply(declarations *all, actor_record *record, declaration *d) {
  play_record *play = (play_record *)d;
  if (d->fate == FATE_STAYS) apply_changes(all, record, play);
  else come(all, record, play);
  play->clip = play->next_clip;
  return true;
}

/* Restarts the play that the removed one had replaced and that is still declared. */
static void revive(declarations *all, actor_record *record, int64_t layer) {
  play_record *latest = NULL;
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    play_record *play = play_at(record, i);
    if (play->layer != layer || !play->head.declared) continue;
    if (is_running(all, play->action)) return;
    if (!latest || play->head.order > latest->head.order) latest = play;
  }
  if (latest && latest->last.def.loop == SINEW_LOOP_FOREVER && !latest->last.stopped) {
    start(all, record, latest, &latest->last, latest->last.def.fade);
    note(all, record, latest, " plays again");
  }
}

static bool comes_on(const actor_record *record, int64_t layer) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    const declaration *d = &play_at(record, i)->head;
    if (play_at(record, i)->layer == layer && (d->fate == FATE_COMES || d->fate == FATE_RETURNS)) return true;
  }
  return false;
}

static void finish(declarations *all, actor_record *record) {
  for (int i = 0; i < record->parts[PART_PLAYS].count; i++) {
    const play_record *play = play_at(record, i);
    if (play->head.fate == FATE_GOES && !play->kept_ended && !comes_on(record, play->layer))
      revive(all, record, play->layer);
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
