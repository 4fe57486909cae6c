#include "declare/world.h"

#include <string.h>

static const root_values none = {.joint = -1};

static bool apply(const world *w, sinew_actor actor, const root_values *v, sinew_error *error) {
  sinew_root_def def = {v->joint, v->axes, v->apply != 0, v->feet, v->foot_count, v->height};
  return sinew_actor_set_root(w->stage, actor, &def, error);
}

bool world_set_root(world *w, actor_record *record, const root_values *values, sinew_error *error) {
  root_record *r = &record->root;
  if (w->loading) {
    r->next = *values;
    r->next_set = true;
    return true;
  }
  if (!apply(w, record->actor, values, error)) return false;
  r->now = *values;
  return true;
}

static void note_change(world *w, const actor_record *record, const root_values *next) {
  char changes[320];
  const root_record *r = &record->root;
  if (!r->next_set || !r->declared) {
    world_note(w, "%s: root motion %s", record->name, r->declared ? "is gone" : "joins");
    return;
  }
  kind_tell(&kind_root, &r->last, record->model, next, record->model, changes, sizeof changes);
  world_note(w, "%s root motion: %s", record->name, changes);
}

/* What the actor gets: what it had become, where that is declared again as it was. */
static const root_values *coming(const world *w, const root_record *r) {
  bool held = r->dropped_at > 0 && sinew_host_time(w->host) - r->dropped_at <= WORLD_HOLD;
  if (!r->next_set) return &none;
  return !r->declared && held && kind_same(&kind_root, &r->dropped, &r->next) ? &r->living : &r->next;
}

static void hold(const world *w, root_record *r) {
  r->dropped = r->last;
  r->living = r->now;
  r->dropped_at = sinew_host_time(w->host);
}

void world_commit_root(world *w, actor_record *record) {
  sinew_error error;
  root_record *r = &record->root;
  const root_values *next = r->next_set ? &r->next : &none, *given = coming(w, r);
  bool changed = r->next_set ? !r->declared || !kind_same(&kind_root, &r->last, next) : r->declared;
  if (r->declared && !r->next_set) hold(w, r);
  if (changed && !apply(w, record->actor, given, &error))
    sinew_log(SINEW_LOG_WARNING, "%s: %s", record->name, error.message);
  if (changed) r->now = *given;
  if (changed && record->declared) note_change(w, record, next);
  record->changed = record->changed || changed;
  r->last = *next;
  r->declared = r->next_set;
  r->next_set = false;
}

static int32_t moved(const sinew_model *from, const sinew_model *to, int32_t joint) {
  return sinew_model_counterpart(from, joint, to);
}

static void find_joints(const sinew_model *from, const sinew_model *to, root_values *v) {
  int kept = 0;
  v->joint = moved(from, to, v->joint);
  for (int i = 0; i < v->foot_count; i++) {
    int32_t foot = moved(from, to, v->feet[i]);
    if (foot >= 0) v->feet[kept++] = foot;
  }
  v->foot_count = kept;
}

/* Joints of another model are found again by name; without its joint there is no root motion. The stage sees to it. */
void world_move_root(actor_record *record, const sinew_model *model) {
  root_record *r = &record->root;
  if (r->now.axes == 0) return;
  find_joints(record->model, model, &r->now);
  if (r->declared) find_joints(record->model, model, &r->last);
}
