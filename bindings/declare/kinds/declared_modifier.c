#include "declare/declarations.h"

#include <string.h>

/* ---- a set in one block ---- */

static size_t aligned(size_t size) { return (size + 7) & ~(size_t)7; }

modifier_set *declarations_copy_modifiers(declarations *all, const modifier_values *items, int count) {
  size_t numbers = 0, text = 0, head = aligned(sizeof(modifier_set)) + (size_t)count * sizeof *items;
  for (int i = 0; i < count; i++) {
    numbers += (size_t)items[i].def.joint_count * (sizeof(int) + (items[i].def.joint_weights ? sizeof(float) : 0));
    text += strlen(items[i].def.name) + 1;
  }
  modifier_set *set = declarations_allocate(all, head + numbers + text);
  if (!set) return NULL;
  set->items = (modifier_values *)(void *)((char *)set + aligned(sizeof *set));
  set->count = count;
  char *at = (char *)set + head, *name = at + numbers;
  for (int i = 0; i < count; i++) {
    sinew_modifier_def *def = &set->items[i].def;
    size_t joints = (size_t)items[i].def.joint_count;
    set->items[i] = items[i];
    if (joints) def->joints = memcpy(at, def->joints, joints * sizeof(int));
    at += joints * sizeof(int);
    if (def->joint_weights)
      def->joint_weights = memcpy(at, def->joint_weights, joints * sizeof(float)), at += joints * sizeof(float);
    def->name = strcpy(name, def->name);
    name += strlen(name) + 1;
  }
  return set;
}

int declarations_find_modifier(const modifier_set *set, const char *name) {
  for (int i = 0; set && i < set->count; i++)
    if (strcmp(set->items[i].def.name, name) == 0) return i;
  return -1;
}

/* ---- sameness ---- */

static bool same_joints(const modifier_values *a, const modifier_values *b) {
  return field_same(kind_field(&kind_modifier, "joints"), a, b);
}

static bool same_set(const modifier_set *a, const modifier_set *b) {
  bool same = a && b && a->count == b->count;
  for (int i = 0; same && i < a->count; i++) same = kind_same(&kind_modifier, a->items + i, b->items + i);
  return same;
}

static bool is_alike(const modifier_values *a, const modifier_values *b) {
  return a->def.kind == b->def.kind && same_joints(a, b);
}

static bool has_alike_namesake(const modifier_values *item, const modifier_set *set) {
  int named = declarations_find_modifier(set, item->def.name);
  return named >= 0 && is_alike(set->items + named, item);
}

/* The counterpart among `others` of a modifier of `set`, or -1: one with the same kind and joints, preferably with its
 * name, or else with a name that no other of that sort has; otherwise the one with its name. */
static int find_counterpart(const modifier_set *set, int index, const modifier_set *others) {
  const modifier_values *item = set->items + index;
  int named = declarations_find_modifier(others, item->def.name), earlier = 0;
  if (has_alike_namesake(item, others)) return named;
  for (int i = 0; i < index; i++)
    earlier += is_alike(set->items + i, item) && !has_alike_namesake(set->items + i, others);
  for (int i = 0; others && i < others->count; i++)
    if (is_alike(others->items + i, item) && !has_alike_namesake(others->items + i, set) && earlier-- == 0) return i;
  for (int i = 0; named >= 0 && i < set->count; i++)
    if (i != index && is_alike(set->items + i, others->items + named)) return -1; /* that is another one now */
  return named;
}

/* ---- telling ---- */

static void tell_one(declarations *all, const actor_record *record, const modifier_values *last,
                     const modifier_values *next) {
  if (last->def.kind != next->def.kind)
    declarations_note(all, "%s %s is another modifier", record->head.name, next->def.name);
  else
    declarations_tell_values(all, &kind_modifier, &(told_values){last, record->model},
                             &(told_values){next, record->model}, "%s %s", record->head.name, next->def.name);
}

static void tell_order(declarations *all, const actor_record *record, const modifier_set *last,
                       const modifier_set *next) {
  int most = -1, at = -1;
  for (int i = 0; i < next->count; i++) {
    int before = find_counterpart(next, i, last);
    if (before < 0) continue;
    if (before < most)
      declarations_note(all, "%s modifier order: %s after %s", record->head.name, next->items[i].def.name,
                        next->items[at].def.name);
    if (before > most) most = before, at = i;
  }
}

static void tell(declarations *all, const actor_record *record, const modifier_set *last, const modifier_set *next) {
  for (int i = 0; last && i < last->count; i++)
    if (!next || find_counterpart(last, i, next) < 0)
      declarations_tell_fate(all, FATE_GOES, "%s: modifier %s", record->head.name, last->items[i].def.name);
  for (int i = 0; next && i < next->count; i++) {
    int before = last ? find_counterpart(next, i, last) : -1;
    if (before >= 0) tell_one(all, record, last->items + before, next->items + i);
    else declarations_tell_fate(all, FATE_COMES, "%s: modifier %s", record->head.name, next->items[i].def.name);
  }
  if (last && next) tell_order(all, record, last, next);
}

/* ---- current values ---- */

static modifier_record *modifiers_of(const actor_record *record) {
  return (modifier_record *)declaration_first(&record->parts[PART_MODIFIERS]);
}

modifier_set *declarations_modifiers_now(const actor_record *record) {
  const modifier_record *m = modifiers_of(record);
  return m ? m->now : NULL;
}

modifier_set *declarations_modifiers(const declarations *all, const actor_record *record) {
  const modifier_record *m = modifiers_of(record);
  return m && all->loading && m->next ? m->next : m ? m->now : NULL;
}

/* Takes the values that change from frame to frame from the actor's modifier of that name. */
static bool take_living(const declarations *all, const actor_record *record, sinew_modifier_def *def) {
  sinew_modifier_def now;
  int index = sinew_actor_find_modifier(all->stage, record->actor, def->name);
  if (!sinew_actor_read_modifier_state(all->stage, record->actor, index, &now)) return false;
  def->weight = now.weight;
  def->target = now.target;
  def->pole = now.pole;
  return true;
}

/* Finds the declared and the current values of the actor's modifier of that name, without its joints. */
static bool find_living(const declarations *all, const actor_record *record, const char *name, modifier_values *last,
                        modifier_values *now) {
  const modifier_record *m = modifiers_of(record);
  int before = declarations_find_modifier(m->last, name), there = declarations_find_modifier(m->now, name);
  if (before < 0 || there < 0) return false;
  *last = m->last->items[before];
  *now = m->now->items[there];
  return take_living(all, record, &now->def);
}

static const held_modifier *find_held(const declarations *all, const modifier_record *m, const char *name) {
  for (int i = m->held_count - 1; i >= 0; i--) {
    bool old = sinew_host_time(all->host) - m->held[i]->dropped_at > DECLARED_HOLD;
    if (!old && declarations_find_modifier(m->held[i]->last, name) == 0) return m->held[i];
  }
  return NULL;
}

/* Finds the previous declared and current values of a modifier in a set: those of the running one, or of one that is
 * kept for revival. */
static bool find_before(const declarations *all, const actor_record *record, const modifier_set *set, int index,
                        modifier_values *last, modifier_values *now) {
  const modifier_record *m = modifiers_of(record);
  int before = m->last ? find_counterpart(set, index, m->last) : -1;
  const held_modifier *held = before < 0 ? find_held(all, m, set->items[index].def.name) : NULL;
  if (before >= 0) return find_living(all, record, m->last->items[before].def.name, last, now);
  if (held && held->last->count) *last = held->last->items[0], *now = held->living;
  return held && held->last->count;
}

/* Sets `item`, a modifier of the set, to its living values if its declaration has not changed. */
static void keep_living(const declarations *all, const actor_record *record, const modifier_set *set, int index,
                        modifier_values *item) {
  modifier_values last, now;
  if (!find_before(all, record, set, index, &last, &now) || last.def.kind != item->def.kind) return;
  /* A target is a point or a joint: the two are one value. */
  bool aimed = field_same(kind_field(&kind_modifier, "target"), &last, item) &&
               field_same(kind_field(&kind_modifier, "target joint"), &last, item);
  modifier_values kept = *item;
  const char *name = item->def.name;
  kind_keep(&kind_modifier, &last, &now, &kept);
  kept.def.name = name;
  kept.def.target = aimed ? now.def.target : item->def.target;
  kept.follows = aimed ? now.follows : item->follows;
  kept.declared = item->declared;
  *item = kept;
}

modifier_values declarations_get_modifier(const declarations *all, const actor_record *record, int index) {
  modifier_values item = declarations_modifiers(all, record)->items[index];
  if (all->loading && modifiers_of(record)->next) keep_living(all, record, modifiers_of(record)->next, index, &item);
  else take_living(all, record, &item.def);
  return item;
}

/* ---- setting ---- */

/* With a model, only checks them. */
static bool set_modifiers(declarations *all, sinew_actor actor, const sinew_model *model, const modifier_set *set,
                          sinew_error *error) {
  sinew_modifier_def *defs = declarations_allocate(all, DECLARED_MODIFIERS * sizeof *defs);
  if (!defs) return declarations_fail(error, "out of memory for modifiers");
  for (int i = 0; i < set->count; i++) defs[i] = set->items[i].def;
  bool fine = model ? sinew_modifiers_check(model, defs, set->count, error)
                    : sinew_actor_set_modifiers(all->stage, actor, defs, set->count, error);
  declarations_free(all, defs);
  return fine;
}

bool declarations_set_modifiers(declarations *all, actor_record *record, modifier_set *set, const char *line,
                                sinew_error *error) {
  modifier_record *m = declaration_need(all, &record->parts[PART_MODIFIERS], sizeof *m);
  bool twice = m && all->loading && m->next;
  if (!m) declarations_fail(error, "out of memory for modifiers");
  if (twice)
    declarations_fail(error, "actor '%s' has modifiers already, from %s; one list names them all", record->head.name,
                      m->head.next_line);
  const sinew_model *model = all->loading ? declarations_actor_model(all, record) : NULL;
  bool fine = m && !twice && set_modifiers(all, record->actor, model, set, error);
  if (!fine) {
    declarations_free(all, set);
  } else if (all->loading) {
    m->next = set;
    declaration_set(all, &m->head, line);
  } else {
    set->runtime = true;
    declarations_free(all, m->now);
    m->now = set;
    declaration_made(&m->head, line);
  }
  return fine;
}

/* Copies their current values into the set. */
static void take_all(const declarations *all, const actor_record *record) {
  modifier_set *now = declarations_modifiers_now(record);
  for (int i = 0; now && i < now->count; i++) take_living(all, record, &now->items[i].def);
}

/* A pole exists once it has been set. */
static bool has_pole(const sinew_modifier_def *def, const sinew_modifier_def *before) {
  return before->has_pole || memcmp(&def->pole, &before->pole, sizeof def->pole) != 0;
}

static void set_now(declarations *all, actor_record *record, modifier_values *item, const sinew_modifier_def *def) {
  sinew_error error;
  bool poled = !item->def.has_pole && has_pole(def, &item->def);
  if (poled) {
    take_all(all, record);
    item->def.has_pole = true;
    if (!set_modifiers(all, record->actor, NULL, declarations_modifiers_now(record), &error))
      declarations_say(all, SINEW_LOG_WARNING, "%s", error.message);
  }
  sinew_actor_set_modifier_state(all->stage, record->actor,
                                 sinew_actor_find_modifier(all->stage, record->actor, item->def.name), def);
}

bool declarations_follow(const declarations *all, const actor_record *record, const modifier_values *item, int index,
                         sinew_error *error) {
  const actor_record *other = declarations_actor(all, item->follows.actor);
  int now, joint = !item->follows.actor       ? 0
                   : other && other->actor.id ? sinew_model_find_joint(other->model, item->follows.joint)
                                              : -1;
  sinew_actor to;
  sinew_actor actor = {other ? other->actor.id : 0};
  if (joint < 0) return true; /* not there, or not yet */
  sinew_actor_modifier_target(all->stage, record->actor, index, &to, &now);
  if (to.id == actor.id && (now == joint || !to.id)) return true;
  return sinew_actor_set_modifier_target(all->stage, record->actor, index, actor, joint, error);
}

bool declarations_set_modifier(declarations *all, actor_record *record, int index, const modifier_values *values,
                               sinew_error *error) {
  modifier_values *item = declarations_modifiers(all, record)->items + index;
  modifier_target before = item->follows;
  item->follows = values->follows;
  if (!all->loading || !modifiers_of(record)->next) {
    bool fine = declarations_follow(all, record, item, index, error);
    if (fine) set_now(all, record, item, &values->def);
    else item->follows = before;
    return fine;
  }
  item->declared = values->follows;
  bool poled = has_pole(&values->def, &item->def);
  item->def = values->def;
  item->def.has_pole = poled;
  return true;
}

bool declarations_replace_modifier(declarations *all, actor_record *record, int index, const sinew_modifier_def *def,
                                   sinew_error *error) {
  modifier_set *now = declarations_modifiers_now(record);
  take_all(all, record);
  sinew_modifier_def before = now->items[index].def;
  now->items[index].def = *def;
  bool fine = set_modifiers(all, record->actor, NULL, now, error);
  if (fine) sinew_actor_join(all->stage, record->actor, record->actor, DECLARED_JOIN);
  else now->items[index].def = before;
  return fine;
}

/* ---- commit ---- */

/* For a modifier that lives on, the stage does this. */
static void swing_on(declarations *all, const actor_record *record, int index, const modifier_set *set) {
  const modifier_record *m = modifiers_of(record);
  const modifier_values *item = set->items + index;
  const held_modifier *held = find_held(all, m, item->def.name);
  if (m->last && find_counterpart(set, index, m->last) >= 0) return;
  if (held && held->last->count && same_joints(held->last->items, item))
    sinew_actor_set_springs(all->stage, record->actor, index, held->springs, held->spring_count);
}

/* The set for the actor: a copy, because the declaration is still needed for comparison. */
static bool replace(declarations *all, actor_record *record, modifier_record *m, sinew_error *error) {
  const modifier_set *declared = m->next;
  modifier_set *fresh = declarations_copy_modifiers(all, declared->items, declared->count);
  if (!fresh) return declarations_fail(error, "out of memory for modifiers");
  fresh->id = declared->id;
  for (int i = 0; i < fresh->count; i++) keep_living(all, record, declared, i, fresh->items + i);
  bool fine = set_modifiers(all, record->actor, NULL, fresh, error);
  for (int i = 0; fine && i < fresh->count; i++) swing_on(all, record, i, declared);
  declarations_free(all, fine ? m->now : fresh);
  if (fine) m->now = fresh;
  return fine;
}

static void free_held(declarations *all, held_modifier *held) {
  if (!held) return;
  declarations_free(all, held->last);
  declarations_free(all, held->springs);
  declarations_free(all, held);
}

static void forget_held(declarations *all, modifier_record *m, const char *name) {
  int kept = 0;
  for (int i = 0; i < m->held_count; i++) {
    bool old = sinew_host_time(all->host) - m->held[i]->dropped_at > DECLARED_HOLD;
    if (old || declarations_find_modifier(m->held[i]->last, name) == 0) free_held(all, m->held[i]);
    else m->held[kept++] = m->held[i];
  }
  m->held_count = kept;
}

static void hold_springs(declarations *all, sinew_actor actor, const char *name, held_modifier *held) {
  int index = sinew_actor_find_modifier(all->stage, actor, name);
  int count = sinew_actor_springs(all->stage, actor, index, NULL, 0);
  held->springs = count ? declarations_allocate(all, (size_t)count * sizeof *held->springs) : NULL;
  if (held->springs) held->spring_count = sinew_actor_springs(all->stage, actor, index, held->springs, count);
}

/* NULL if the actor lacks it, or without memory. */
static held_modifier *make_held(declarations *all, const actor_record *record, const char *name) {
  modifier_values last, living;
  if (!find_living(all, record, name, &last, &living)) return NULL;
  held_modifier *held = declarations_allocate(all, sizeof *held);
  if (!held) return NULL;
  *held = (held_modifier){.last = declarations_copy_modifiers(all, &last, 1), .living = living};
  if (!held->last) return free_held(all, held), NULL;
  held->dropped_at = sinew_host_time(all->host);
  hold_springs(all, record->actor, name, held);
  return held;
}

/* Keeps modifiers that the load no longer declares, before the actor loses them. Without memory they are forgotten. */
static void hold(declarations *all, const actor_record *record, modifier_record *m) {
  for (int i = 0; m->last && i < m->last->count; i++) {
    const char *name = m->last->items[i].def.name;
    bool goes = !m->next || find_counterpart(m->last, i, m->next) < 0;
    held_modifier *held = goes ? make_held(all, record, name) : NULL;
    if (!held) continue;
    forget_held(all, m, name);
    if (!declarations_append(all, &m->held, &m->held_count, &m->held_capacity, held)) free_held(all, held);
  }
}

/* A function may behave differently under the same name. */
static bool has_function(const modifier_set *set) {
  for (int i = 0; set && i < set->count; i++)
    if (set->items[i].def.kind == SINEW_MODIFIER_FUNCTION) return true;
  return false;
}

/* Whether at most names differ, so that nothing moves differently. */
static bool only_renames(const modifier_set *last, const modifier_set *next) {
  bool only = last && last->count == next->count;
  for (int i = 0; i < next->count && only; i++) {
    modifier_values item = next->items[i];
    item.def.name = last->items[i].def.name;
    only = find_counterpart(next, i, last) == i && kind_same(&kind_modifier, last->items + i, &item);
  }
  return only;
}

/* Takes over the lines of equal declarations that have moved in the file. */
static void take_lines(modifier_set *now, const modifier_set *next) {
  for (int i = 0; i < next->count; i++) {
    int there = declarations_find_modifier(now, next->items[i].def.name);
    if (there >= 0) memcpy(now->items[there].line, next->items[i].line, DECLARED_LINE);
  }
}

static bool apply(declarations *all, actor_record *record, declaration *d) {
  sinew_error error;
  modifier_record *m = (modifier_record *)d;
  bool changed = !same_set(m->last, m->next);
  record->changed = record->changed || !only_renames(m->last, m->next) || has_function(m->next);
  if (!changed && m->now && !m->now->runtime) {
    m->now->id = m->next->id; /* its functions are new */
    take_lines(m->now, m->next);
  }
  if (!changed) return true;
  hold(all, record, m);
  if (!replace(all, record, m, &error)) {
    declarations_say(all, SINEW_LOG_WARNING, "%s keeps its modifiers: %s", record->head.name, error.message);
    return false;
  }
  if (declarations_tells(record)) tell(all, record, m->last, m->next);
  return true;
}

/* Modifiers set by a callback since then stay. */
static void remove_modifiers(declarations *all, actor_record *record, declaration *d) {
  modifier_record *m = (modifier_record *)d;
  hold(all, record, m);
  tell(all, record, m->last, NULL);
  record->changed = true;
  declarations_free(all, m->last);
  m->last = NULL;
  if (!m->now || m->now->runtime) return;
  sinew_actor_set_modifiers(all->stage, record->actor, NULL, 0, NULL);
  declarations_free(all, m->now);
  m->now = NULL;
}

/* Finds the joints in another model by name; a modifier that lacks one is left out. */
static bool find_joints(const sinew_model *from, const sinew_model *to, sinew_modifier_def *def) {
  int *joints = (int *)(uintptr_t)def->joints;
  for (int i = 0; i < def->joint_count; i++) {
    joints[i] = sinew_model_find_joint(to, sinew_model_joint_name(from, joints[i]));
    if (joints[i] < 0) return false;
  }
  return true;
}

static void find_all_joints(const sinew_model *from, const sinew_model *to, modifier_set *set) {
  int kept = 0;
  for (int i = 0; set && i < set->count; i++)
    if (find_joints(from, to, &set->items[i].def)) set->items[kept++] = set->items[i];
  if (set) set->count = kept;
}

/* Call it before the old actor is destroyed. */
void declarations_move_modifiers(declarations *all, actor_record *record, sinew_actor to, const sinew_model *model) {
  sinew_error error;
  modifier_record *m = modifiers_of(record);
  if (!m) return;
  take_all(all, record);
  find_all_joints(record->model, model, m->last);
  find_all_joints(record->model, model, m->now);
  for (int i = 0; i < m->held_count; i++) find_all_joints(record->model, model, m->held[i]->last);
  if (m->now && !set_modifiers(all, to, NULL, m->now, &error))
    declarations_say(all, SINEW_LOG_WARNING, "%s: %s", record->head.name, error.message);
}

static void drop(declarations *all, void *values) {
  modifier_set *set;
  memcpy(&set, values, sizeof set);
  declarations_free(all, set);
}

void declarations_shake_modifiers(declarations *all, actor_record *record) {
  modifier_record *m = modifiers_of(record);
  if (m) declarations_move(all, &m->held, m->held_capacity);
}

static void clear(declarations *all, declaration *d) {
  modifier_record *m = (modifier_record *)d;
  declarations_free(all, m->now);
  for (int i = 0; i < m->held_count; i++) free_held(all, m->held[i]);
  declarations_free(all, m->held);
}

const declaration_kind modifier_declarations = {.last = offsetof(modifier_record, last),
                                                .next = offsetof(modifier_record, next),
                                                .size = sizeof(modifier_set *),
                                                .drop = drop,
                                                .apply = apply,
                                                .remove = remove_modifiers,
                                                .clear = clear,
                                                .stays = true};
