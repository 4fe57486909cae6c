#include "declare/world.h"

#include <string.h>

/* ---- a set in one piece ---- */

static size_t aligned(size_t size) { return (size + 7) & ~(size_t)7; }

modifier_set *world_copy_modifiers(world *w, const modifier_values *items, int count) {
  size_t numbers = 0, text = 0, head = aligned(sizeof(modifier_set)) + (size_t)count * sizeof *items;
  for (int i = 0; i < count; i++) {
    numbers += (size_t)items[i].def.joint_count * (sizeof(int) + (items[i].def.shares ? sizeof(float) : 0));
    text += strlen(items[i].def.name) + 1;
  }
  modifier_set *set = world_allocate(w, head + numbers + text);
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
    if (def->shares) def->shares = memcpy(at, def->shares, joints * sizeof(float)), at += joints * sizeof(float);
    def->name = strcpy(name, def->name);
    name += strlen(name) + 1;
  }
  return set;
}

int world_find_modifier(const modifier_set *set, const char *name) {
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

/* The one of `others` that is what one of `set` was under another name: its kind with its joints; or -1. */
static int find_renamed(const modifier_set *set, int index, const modifier_set *others) {
  const modifier_values *item = set->items + index;
  for (int i = 0; others && world_find_modifier(others, item->def.name) < 0 && i < others->count; i++) {
    const modifier_values *other = others->items + i;
    if (other->def.kind == item->def.kind && same_joints(other, item) && world_find_modifier(set, other->def.name) < 0)
      return i;
  }
  return -1;
}

/* ---- telling ---- */

static void tell_one(world *w, const actor_record *record, const modifier_values *last, const modifier_values *next) {
  char changes[320];
  if (last->def.kind != next->def.kind) {
    world_note(w, "%s %s is another modifier", record->head.name, next->def.name);
  } else if (kind_tell(&kind_modifier, last, record->model, next, record->model, changes, sizeof changes)) {
    world_note(w, "%s %s: %s", record->head.name, next->def.name, changes);
  }
}

static void tell_order(world *w, const actor_record *record, const modifier_set *last, const modifier_set *next) {
  int most = -1;
  for (int i = 0; i < next->count; i++) {
    int before = world_find_modifier(last, next->items[i].def.name);
    if (before < 0) continue;
    if (before < most)
      world_note(w, "%s modifier order: %s after %s", record->head.name, next->items[i].def.name,
                 last->items[most].def.name);
    most = before > most ? before : most;
  }
}

static void tell(world *w, const actor_record *record, const modifier_set *last, const modifier_set *next) {
  for (int i = 0; last && i < last->count; i++)
    if (world_find_modifier(next, last->items[i].def.name) < 0 && find_renamed(last, i, next) < 0)
      world_note(w, "%s: modifier %s is gone", record->head.name, last->items[i].def.name);
  for (int i = 0; next && i < next->count; i++) {
    int before = world_find_modifier(last, next->items[i].def.name);
    if (before < 0) before = find_renamed(next, i, last);
    if (before >= 0) tell_one(w, record, last->items + before, next->items + i);
    else world_note(w, "%s: modifier %s joins", record->head.name, next->items[i].def.name);
  }
  if (last && next) tell_order(w, record, last, next);
}

/* ---- what they have become ---- */

static modifier_record *modifiers_of(const actor_record *record) {
  return (modifier_record *)declaration_first(&record->parts[PART_MODIFIERS]);
}

modifier_set *world_modifiers_now(const actor_record *record) {
  const modifier_record *m = modifiers_of(record);
  return m ? m->now : NULL;
}

modifier_set *world_modifiers(const world *w, const actor_record *record) {
  const modifier_record *m = modifiers_of(record);
  return m && w->loading && m->next ? m->next : m ? m->now : NULL;
}

static bool living(const world *w, const actor_record *record, const char *name, sinew_modifier_state *state) {
  return sinew_actor_read_modifier_state(w->stage, record->actor,
                                         sinew_actor_find_modifier(w->stage, record->actor, name), state);
}

/* What the namesake was declared as and what it has become, of those that the actor has; their joints stay theirs. */
static bool find_living(const world *w, const actor_record *record, const char *name, modifier_values *last,
                        modifier_values *now) {
  sinew_modifier_state state;
  const modifier_record *m = modifiers_of(record);
  int before = world_find_modifier(m->last, name), there = world_find_modifier(m->now, name);
  if (before < 0 || there < 0 || !living(w, record, name, &state)) return false;
  *last = m->last->items[before];
  *now = m->now->items[there];
  now->def.weight = state.weight;
  now->def.target = state.target;
  now->def.pole = state.pole;
  return true;
}

/* Its namesake; else one that goes as it comes, and is what it was under another name. */
static const held_modifier *find_held(const world *w, const modifier_record *m, const modifier_values *item) {
  const held_modifier *renamed = NULL;
  double now = sinew_host_time(w->host);
  for (int i = m->held_count - 1; i >= 0; i--) {
    const held_modifier *held = m->held[i];
    const modifier_values *was = held->last->items;
    if (now - held->dropped_at > WORLD_HOLD) continue;
    if (world_find_modifier(held->last, item->def.name) == 0) return held;
    bool alike = held->last->count == 1 && was->def.kind == item->def.kind && same_joints(was, item);
    if (alike && held->dropped_at == now) renamed = held;
  }
  return renamed;
}

/* `item` with what its namesake has become, where that is declared as it was before. */
static void keep_living(const world *w, const actor_record *record, modifier_values *item) {
  modifier_values last, now;
  if (!find_living(w, record, item->def.name, &last, &now)) {
    const held_modifier *held = find_held(w, modifiers_of(record), item);
    if (!held) return;
    last = held->last->items[0];
    now = held->living;
  }
  if (last.def.kind != item->def.kind) return;
  /* A target is a point or a joint: the two are one value. */
  bool aimed = field_same(kind_field(&kind_modifier, "target"), &last, item) &&
               field_same(kind_field(&kind_modifier, "target joint"), &last, item);
  modifier_values kept = *item;
  kind_keep(&kind_modifier, &last, &now, &kept);
  kept.def.target = aimed ? now.def.target : item->def.target;
  kept.follows = aimed ? now.follows : item->follows;
  kept.declared = item->declared;
  *item = kept;
}

void world_get_modifier(const world *w, const actor_record *record, int index, sinew_modifier_state *state,
                        modifier_target *follows) {
  modifier_values item = world_modifiers(w, record)->items[index];
  sinew_modifier_state now = {0};
  bool there = living(w, record, item.def.name, &now);
  if (w->loading && modifiers_of(record)->next) keep_living(w, record, &item);
  else if (there) item.def.weight = now.weight, item.def.target = now.target, item.def.pole = now.pole;
  *state = (sinew_modifier_state){item.def.weight, item.def.target, item.def.pole, now.reach_error};
  *follows = item.follows;
}

/* ---- setting ---- */

/* With a model, they are checked only. */
static bool set_modifiers(world *w, sinew_actor actor, const sinew_model *model, const modifier_set *set,
                          sinew_error *error) {
  sinew_modifier_def *defs = world_allocate(w, WORLD_MODIFIERS * sizeof *defs);
  if (!defs) return world_fail(error, "out of memory for modifiers");
  for (int i = 0; i < set->count; i++) defs[i] = set->items[i].def;
  bool fine = model ? sinew_modifiers_check(model, defs, set->count, error)
                    : sinew_actor_set_modifiers(w->stage, actor, defs, set->count, error);
  world_free(w, defs);
  return fine;
}

bool world_set_modifiers(world *w, actor_record *record, modifier_set *set, const char *line, sinew_error *error) {
  modifier_record *m = declaration_need(w, &record->parts[PART_MODIFIERS], sizeof *m);
  bool twice = m && w->loading && m->next;
  if (!m) world_fail(error, "out of memory for modifiers");
  if (twice)
    world_fail(error, "actor '%s' has modifiers already, from %s; one list names them all", record->head.name,
               m->head.next_line);
  const sinew_model *model = w->loading ? world_actor_model(w, record) : NULL;
  bool fine = m && !twice && set_modifiers(w, record->actor, model, set, error);
  if (!fine) {
    world_free(w, set);
  } else if (w->loading) {
    m->next = set;
    declaration_set(w, &m->head, line);
  } else {
    set->runtime = true;
    world_free(w, m->now);
    m->now = set;
    declaration_made(&m->head, line);
  }
  return fine;
}

/* The set says what they have become. */
static void take_living(const world *w, const actor_record *record) {
  modifier_set *now = world_modifiers_now(record);
  for (int i = 0; now && i < now->count; i++) {
    sinew_modifier_state state;
    sinew_modifier_def *def = &now->items[i].def;
    if (!living(w, record, def->name, &state)) continue;
    def->weight = state.weight;
    def->target = state.target;
    def->pole = state.pole;
  }
}

/* A pole is one from its first value on. */
static void set_now(world *w, actor_record *record, modifier_values *item, const sinew_modifier_state *state) {
  sinew_error error;
  bool poled = !item->def.has_pole && memcmp(&state->pole, &item->def.pole, sizeof state->pole) != 0;
  if (poled) {
    take_living(w, record);
    item->def.has_pole = true;
    if (!set_modifiers(w, record->actor, NULL, world_modifiers_now(record), &error))
      sinew_log(SINEW_LOG_WARNING, "%s", error.message);
  }
  sinew_actor_set_modifier_state(w->stage, record->actor,
                                 sinew_actor_find_modifier(w->stage, record->actor, item->def.name), state);
}

bool world_follow(const world *w, const actor_record *record, const modifier_values *item, int index,
                  sinew_error *error) {
  const actor_record *other = world_actor(w, item->follows.actor);
  int now, joint = !item->follows.actor       ? 0
                   : other && other->actor.id ? sinew_model_find_joint(other->model, item->follows.joint)
                                              : -1;
  sinew_actor to;
  sinew_actor actor = {other ? other->actor.id : 0};
  if (joint < 0) return true; /* not there, or not yet */
  sinew_actor_modifier_target(w->stage, record->actor, index, &to, &now);
  if (to.id == actor.id && (now == joint || !to.id)) return true;
  return sinew_actor_set_modifier_target(w->stage, record->actor, index, actor, joint, error);
}

bool world_set_modifier(world *w, actor_record *record, int index, const sinew_modifier_state *state,
                        const modifier_target *follows, sinew_error *error) {
  modifier_values *item = world_modifiers(w, record)->items + index;
  modifier_target before = item->follows;
  item->follows = *follows;
  if (!w->loading || !modifiers_of(record)->next) {
    bool fine = world_follow(w, record, item, index, error);
    if (fine) set_now(w, record, item, state);
    else item->follows = before;
    return fine;
  }
  item->declared = *follows;
  item->def.has_pole = item->def.has_pole || memcmp(&state->pole, &item->def.pole, sizeof state->pole) != 0;
  item->def.weight = state->weight;
  item->def.target = state->target;
  item->def.pole = state->pole;
  return true;
}

/* ---- commit ---- */

static void swing_on(world *w, const actor_record *record, int index, const modifier_values *item) {
  modifier_values last, now;
  if (find_living(w, record, item->def.name, &last, &now)) return; /* the stage has seen to it */
  const held_modifier *held = find_held(w, modifiers_of(record), item);
  if (held && same_joints(held->last->items, item))
    sinew_actor_set_springs(w->stage, record->actor, index, held->springs, held->spring_count);
}

/* The set that the actor gets: a copy, because what is declared is compared again. */
static bool replace(world *w, actor_record *record, modifier_record *m, sinew_error *error) {
  const modifier_set *declared = m->next;
  modifier_set *fresh = world_copy_modifiers(w, declared->items, declared->count);
  if (!fresh) return world_fail(error, "out of memory for modifiers");
  fresh->id = declared->id;
  for (int i = 0; i < fresh->count; i++) keep_living(w, record, fresh->items + i);
  bool fine = set_modifiers(w, record->actor, NULL, fresh, error);
  for (int i = 0; fine && i < fresh->count; i++) swing_on(w, record, i, fresh->items + i);
  world_free(w, fine ? m->now : fresh);
  if (fine) m->now = fresh;
  return fine;
}

static void free_held(world *w, held_modifier *held) {
  if (!held) return;
  world_free(w, held->last);
  world_free(w, held->springs);
  world_free(w, held);
}

static void forget_held(world *w, modifier_record *m, const char *name) {
  int kept = 0;
  for (int i = 0; i < m->held_count; i++) {
    bool old = sinew_host_time(w->host) - m->held[i]->dropped_at > WORLD_HOLD;
    if (old || world_find_modifier(m->held[i]->last, name) == 0) free_held(w, m->held[i]);
    else m->held[kept++] = m->held[i];
  }
  m->held_count = kept;
}

static void hold_springs(world *w, sinew_actor actor, const char *name, held_modifier *held) {
  int index = sinew_actor_find_modifier(w->stage, actor, name);
  int count = sinew_actor_springs(w->stage, actor, index, NULL, 0);
  held->springs = count ? world_allocate(w, (size_t)count * sizeof *held->springs) : NULL;
  if (held->springs) held->spring_count = sinew_actor_springs(w->stage, actor, index, held->springs, count);
}

/* NULL where the actor lacks it, or without memory. */
static held_modifier *make_held(world *w, const actor_record *record, const char *name) {
  modifier_values last, living;
  if (!find_living(w, record, name, &last, &living)) return NULL;
  held_modifier *held = world_allocate(w, sizeof *held);
  if (!held) return NULL;
  *held = (held_modifier){.last = world_copy_modifiers(w, &last, 1), .living = living};
  if (!held->last) return free_held(w, held), NULL;
  held->dropped_at = sinew_host_time(w->host);
  hold_springs(w, record->actor, name, held);
  return held;
}

/* Before the actor loses those that the load does not declare. Without memory they are forgotten. */
static void hold(world *w, const actor_record *record, modifier_record *m) {
  for (int i = 0; m->last && i < m->last->count; i++) {
    const char *name = m->last->items[i].def.name;
    held_modifier *held = world_find_modifier(m->next, name) < 0 ? make_held(w, record, name) : NULL;
    if (!held) continue;
    forget_held(w, m, name);
    if (!world_append(w, &m->held, &m->held_count, &m->held_capacity, held)) free_held(w, held);
  }
}

/* A function may do something else under the same name. */
static bool has_function(const modifier_set *set) {
  for (int i = 0; set && i < set->count; i++)
    if (set->items[i].def.kind == SINEW_MODIFIER_FUNCTION) return true;
  return false;
}

static bool apply(world *w, actor_record *record, declaration *d) {
  sinew_error error;
  modifier_record *m = (modifier_record *)d;
  bool changed = !same_set(m->last, m->next);
  record->changed = record->changed || changed || has_function(m->next);
  if (!changed && m->now && !m->now->runtime) m->now->id = m->next->id; /* its functions are new */
  if (!changed) return true;
  hold(w, record, m);
  if (!replace(w, record, m, &error)) {
    sinew_log(SINEW_LOG_WARNING, "%s keeps its modifiers: %s", record->head.name, error.message);
    return false;
  }
  if (world_tells(record)) tell(w, record, m->last, m->next);
  return true;
}

/* Those that a callback has set since stay. */
static void remove_modifiers(world *w, actor_record *record, declaration *d) {
  modifier_record *m = (modifier_record *)d;
  hold(w, record, m);
  tell(w, record, m->last, NULL);
  record->changed = true;
  world_free(w, m->last);
  m->last = NULL;
  if (!m->now || m->now->runtime) return;
  sinew_actor_set_modifiers(w->stage, record->actor, NULL, 0, NULL);
  world_free(w, m->now);
  m->now = NULL;
}

/* Joints of another model are found again by name; a modifier that lacks one is left out. */
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

/* Before the old actor goes. */
void world_move_modifiers(world *w, actor_record *record, sinew_actor to, const sinew_model *model) {
  sinew_error error;
  modifier_record *m = modifiers_of(record);
  if (!m) return;
  take_living(w, record);
  find_all_joints(record->model, model, m->last);
  find_all_joints(record->model, model, m->now);
  for (int i = 0; i < m->held_count; i++) find_all_joints(record->model, model, m->held[i]->last);
  if (m->now && !set_modifiers(w, to, NULL, m->now, &error))
    sinew_log(SINEW_LOG_WARNING, "%s: %s", record->head.name, error.message);
}

static void drop(world *w, void *values) {
  modifier_set *set;
  memcpy(&set, values, sizeof set);
  world_free(w, set);
}

void world_shake_modifiers(world *w, actor_record *record) {
  modifier_record *m = modifiers_of(record);
  if (m) world_move(w, &m->held, m->held_capacity);
}

static void clear(world *w, declaration *d) {
  modifier_record *m = (modifier_record *)d;
  world_free(w, m->now);
  for (int i = 0; i < m->held_count; i++) free_held(w, m->held[i]);
  world_free(w, m->held);
}

const declaration_kind modifier_declarations = {.last = offsetof(modifier_record, last),
                                                .next = offsetof(modifier_record, next),
                                                .size = sizeof(modifier_set *),
                                                .drop = drop,
                                                .apply = apply,
                                                .remove = remove_modifiers,
                                                .clear = clear,
                                                .stays = true};
