#include "declare/declarations.h"

bool declarations_set_root(declarations *all, actor_record *record, const sinew_root_def *def, const char *line,
                           sinew_error *error) {
  root_record *r = declaration_need(all, &record->parts[PART_ROOT], sizeof *r);
  if (!r) return declarations_fail(error, "out of memory for the root motion of '%s'", record->head.name);
  if (all->loading) {
    r->next = *def;
    declaration_set(all, &r->head, line);
    return true;
  }
  if (!sinew_actor_set_root(all->stage, record->actor, def, error)) return false;
  declaration_made(&r->head, line);
  return true;
}

static void give(declarations *all, actor_record *record, const sinew_root_def *def) {
  sinew_error error;
  if (!sinew_actor_set_root(all->stage, record->actor, def, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s: %s", record->head.name, error.message);
  record->changed = true;
}

static bool apply(declarations *all, actor_record *record, declaration *d) {
  root_record *r = (root_record *)d;
  bool same = kind_same(&kind_root, &r->last, &r->next);
  if (d->declared && same) return true;
  give(all, record, d->fate == FATE_RETURNS && same ? &r->kept : &r->next);
  if (!declarations_tells(record)) return true;
  if (d->declared)
    declarations_tell_values(all, &kind_root, &(told_values){&r->last, record->model},
                             &(told_values){&r->next, record->model}, "%s root motion", record->head.name);
  else declarations_tell_fate(all, d->fate, "%s: root motion", record->head.name);
  return true;
}

static void remove_root(declarations *all, actor_record *record, declaration *d) {
  root_record *r = (root_record *)d;
  const sinew_root_def none = {.joint = -1};
  r->kept = sinew_actor_root(all->stage, record->actor);
  give(all, record, &none);
  declarations_tell_fate(all, d->fate, "%s: root motion", record->head.name);
}

static int32_t moved(const sinew_model *from, const sinew_model *to, int32_t joint) {
  return joint < 0 ? joint : sinew_model_find_joint(to, sinew_model_joint_name(from, joint));
}

static void find_joints(const sinew_model *from, const sinew_model *to, sinew_root_def *v) {
  int kept = 0;
  v->joint = moved(from, to, v->joint);
  for (int i = 0; i < v->foot_count; i++) {
    int32_t foot = moved(from, to, v->feet[i]);
    if (foot >= 0) v->feet[kept++] = foot;
  }
  v->foot_count = kept;
}

/* Finds the joints in another model by name; if one is missing, the stage drops root motion. */
void declarations_move_root(actor_record *record, const sinew_model *model) {
  root_record *r = (root_record *)declaration_first(&record->parts[PART_ROOT]);
  if (!r) return;
  find_joints(record->model, model, &r->kept);
  if (r->head.declared || declaration_is_kept(&r->head)) find_joints(record->model, model, &r->last);
}

const declaration_kind root_declarations = {.last = offsetof(root_record, last),
                                            .next = offsetof(root_record, next),
                                            .size = sizeof(sinew_root_def),
                                            .apply = apply,
                                            .remove = remove_root,
                                            .stays = true};
