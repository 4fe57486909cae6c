#include "declare/declarations.h"

static const attachment_record *attachment_of(const actor_record *record) {
  return (const attachment_record *)declaration_first(&record->parts[PART_ATTACHMENT]);
}

static bool attach(const declarations *all, const actor_record *record, const attachment_values *v,
                   sinew_error *error) {
  const actor_record *other = declarations_actor(all, v->to);
  sinew_attachment def = v->def;
  def.to = other ? other->actor : (sinew_actor){0};
  def.joint = other ? sinew_model_find_joint(other->model, v->joint) : 0;
  return sinew_actor_attach(all->stage, record->actor, &def, error);
}

/* The actor to which an actor will be attached, according to the load so far. */
static const actor_record *above(const declarations *all, const actor_record *record) {
  const attachment_record *a = attachment_of(record);
  return a && a->head.next_set ? declarations_actor(all, a->next.to) : NULL;
}

static bool is_chain(const declarations *all, const actor_record *record, const actor_record *other,
                     sinew_error *error) {
  int count = 1;
  for (const actor_record *up = other; up && count <= SINEW_ATTACH_MOST; up = above(all, up), count++)
    if (up == record)
      return declarations_fail(error, "'%s' cannot be attached to '%s', which is attached to it", record->head.name,
                               other->head.name);
  return count <= SINEW_ATTACH_MOST ||
         declarations_fail(error,
                           "'%s' cannot be attached to '%s': more than %d actors would be attached one to "
                           "the other",
                           record->head.name, other->head.name, SINEW_ATTACH_MOST);
}

bool declarations_attach(declarations *all, actor_record *record, const attachment_values *values, sinew_error *error) {
  attachment_record *a = declaration_need(all, &record->parts[PART_ATTACHMENT], sizeof *a);
  const actor_record *other = declarations_actor(all, values->to);
  if (!a) return declarations_fail(error, "out of memory for the attachment of '%s'", record->head.name);
  if (!all->loading) {
    if (!attach(all, record, values, error)) return false;
    a->now = *values;
    declaration_made(&a->head, "");
    return true;
  }
  if (!is_chain(all, record, other, error)) return false;
  a->next = *values;
  declaration_set(all, &a->head, all->line);
  all->line[0] = '\0';
  return true;
}

static const char *name_of(const declarations *all, int64_t actor) {
  const actor_record *record = declarations_actor(all, actor);
  return record ? record->head.name : "nothing";
}

/* No message for an actor that is itself new. */
static void give(declarations *all, actor_record *record, attachment_record *a, const attachment_values *values) {
  sinew_error error;
  bool fresh = record->head.fate == FATE_COMES;
  int64_t from = a->head.declared ? a->last.to : 0;
  a->now = *values;
  if (!attach(all, record, values, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s: %s", record->head.name, error.message);
  if (!fresh) sinew_actor_join(all->stage, record->actor, record->actor, DECLARED_JOIN);
  if (!fresh && from != values->to)
    declarations_note(all, "%s is attached to %s → %s", record->head.name, name_of(all, from),
                      name_of(all, values->to));
}

static bool apply(declarations *all, actor_record *record, declaration *d) {
  attachment_record *a = (attachment_record *)d;
  bool same = kind_same(&kind_attachment, &a->last, &a->next);
  if (d->declared && same) return true;
  if (d->declared && a->last.to == a->next.to)
    declarations_tell_values(all, &kind_attachment, &(told_values){&a->last, NULL}, &(told_values){&a->next, NULL},
                             "%s hangs elsewhere", record->head.name);
  give(all, record, a, d->fate == FATE_RETURNS && same ? &a->kept : &a->next);
  return true;
}

static void remove_attachment(declarations *all, actor_record *record, declaration *d) {
  attachment_record *a = (attachment_record *)d;
  a->kept = a->now;
  give(all, record, a, &(attachment_values){0});
}

const declaration_kind attachment_declarations = {.last = offsetof(attachment_record, last),
                                                  .next = offsetof(attachment_record, next),
                                                  .size = sizeof(attachment_values),
                                                  .apply = apply,
                                                  .remove = remove_attachment,
                                                  .stays = true};

void declarations_renew_attachments(declarations *all) {
  for (int i = 0; i < all->actors.count; i++) {
    const actor_record *record = actor_at(all, i);
    const attachment_record *a = attachment_of(record);
    const actor_record *other = a ? declarations_actor(all, a->now.to) : NULL;
    sinew_attachment living = sinew_attachment_default();
    sinew_actor_attachment(all->stage, record->actor, &living);
    bool lost = other && living.to.id != other->actor.id;
    if (lost) attach(all, record, &a->now, NULL);
  }
}

/* An actor that is itself removed fades out in place. */
void declarations_commit_attachments(declarations *all) {
  for (int i = 0; i < all->actors.count; i++) {
    actor_record *record = actor_at(all, i);
    if (!declaration_is_kept(&record->head))
      declaration_commit(all, record, &attachment_declarations, &record->parts[PART_ATTACHMENT]);
  }
  declarations_renew_attachments(all);
}
