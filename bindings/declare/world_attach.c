#include "declare/world.h"

#include <string.h>

static bool apply(const world *w, const actor_record *record, const attachment_values *v, sinew_error *error) {
  const actor_record *other = world_actor(w, v->to);
  if (!other) return sinew_actor_attach(w->stage, record->actor, (sinew_actor){0}, 0, NULL, error);
  int joint = sinew_model_find_joint(other->model, v->joint);
  return sinew_actor_attach(w->stage, record->actor, other->actor, joint, &v->offset, error);
}

/* What an actor will hang from, as far as the load has said. */
static const actor_record *above(const world *w, const actor_record *record) {
  const attachment_record *a = &record->attachment;
  return a->next_set ? world_actor(w, a->next.to) : NULL;
}

static bool attach_next(world *w, actor_record *record, const attachment_values *values, sinew_error *error) {
  const actor_record *other = world_actor(w, values->to);
  for (const actor_record *up = other; up; up = above(w, up))
    if (up == record)
      return world_fail(error, "'%s' cannot hang from '%s', which hangs from it", record->name, other->name);
  record->attachment.next = *values;
  record->attachment.next_set = true;
  return true;
}

bool world_attach(world *w, actor_record *record, const attachment_values *values, sinew_error *error) {
  if (w->loading) return attach_next(w, record, values, error);
  if (!apply(w, record, values, error)) return false;
  record->attachment.now = *values;
  return true;
}

static void note_change(world *w, const actor_record *record) {
  char changes[320];
  const attachment_record *a = &record->attachment;
  const actor_record *from = world_actor(w, a->last.to), *to = a->next_set ? world_actor(w, a->next.to) : NULL;
  if (from == to && kind_tell(&kind_attachment, &a->last, NULL, &a->next, NULL, changes, sizeof changes))
    world_note(w, "%s hangs elsewhere: %s", record->name, changes);
  else world_note(w, "%s hangs from %s → %s", record->name, from ? from->name : "nothing", to ? to->name : "nothing");
}

/* Declared again as it was, it is what it had become. */
static bool is_back(const world *w, const attachment_record *a) {
  bool held = a->dropped_at > 0 && sinew_host_time(w->host) - a->dropped_at <= WORLD_HOLD;
  return !a->declared && held && kind_same(&kind_attachment, &a->dropped, &a->next);
}

static void hold(const world *w, attachment_record *a) {
  a->dropped = a->last;
  a->living = a->now;
  a->dropped_at = sinew_host_time(w->host);
}

/* An actor that goes itself fades out where it hangs. */
static void commit(world *w, actor_record *record) {
  sinew_error error;
  attachment_record *a = &record->attachment;
  if (record->swept_at >= 0) return;
  if (!a->next_set) a->next = (attachment_values){0};
  bool changed = a->next_set ? !a->declared || !kind_same(&kind_attachment, &a->last, &a->next) : a->declared;
  if (a->declared && !a->next_set) hold(w, a);
  if (changed) {
    a->now = is_back(w, a) ? a->living : a->next;
    if (!apply(w, record, &a->now, &error)) sinew_log(SINEW_LOG_WARNING, "%s: %s", record->name, error.message);
    if (a->declared || !record->fresh) note_change(w, record);
    if (!record->fresh) sinew_actor_join(w->stage, record->actor, record->actor, WORLD_JOIN);
  }
  a->last = a->next;
  a->declared = a->next_set;
  a->next_set = record->fresh = false;
}

void world_renew_attachments(world *w) {
  for (int i = 0; i < w->actor_count; i++) {
    const actor_record *record = w->actors[i], *other = world_actor(w, record->attachment.now.to);
    bool lost = other && sinew_actor_attached_to(w->stage, record->actor).id != other->actor.id;
    if (lost) apply(w, record, &record->attachment.now, NULL);
  }
}

void world_commit_attachments(world *w) {
  for (int i = 0; i < w->actor_count; i++) commit(w, w->actors[i]);
  world_renew_attachments(w);
}
