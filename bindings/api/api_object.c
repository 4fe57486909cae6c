/* Registers the description table: a metatable for each type, an object for each module. */
#include "core/call_lock.h"

#include <stdio.h>
#include <string.h>

enum { CANDIDATES = 128 };

void (*api_observer)(const api_entry *entry);

static void observe(const api_entry *entry) {
  if (api_observer) api_observer(entry);
}

/* ---- calling ---- */

static const api_entry *upvalue_entry(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

static void push_entry(lua_State *L, const api_entry *entry, lua_CFunction function) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)entry);
  lua_pushcclosure(L, function, 1);
}

/* Whether calls on an actor that waits for its model are deferred: those on its layers and actions always are. */
static bool may_wait(const api_entry *entry) {
  bool whole = strcmp(entry->owner, "layer") == 0 || strcmp(entry->owner, "action") == 0 ||
               strcmp(entry->owner, "actor_modifier") == 0;
  return entry->waits || (whole && !entry->at_once);
}

static bool waits(lua_State *L, const api_member *member) {
  return member->waits && scene_of(L)->load_count > 0 && queue_holds(L, 1);
}

static int call_checked(lua_State *L) {
  int before = scene_of(L)->at_work++;
  int results = upvalue_entry(L)->call(L);
  scene_of(L)->at_work = before;
  return results;
}

static int set_checked(lua_State *L) {
  int before = scene_of(L)->at_work++;
  upvalue_entry(L)->set(L, upvalue_entry(L));
  scene_of(L)->at_work = before;
  return 0;
}

static int call_on(lua_State *L, const api_member *member) {
  sinew_scene *scene = scene_of(L);
  checked_self *self = &scene->self;
  int before = scene->at_work;
  scene->at_work += !member->calls;
  bool method = member->entry->kind == API_METHOD;
  *self = (checked_self){method ? lua_touserdata(L, 1) : NULL, member->metatable};
  int results = member->entry->call(L);
  self->object = NULL;
  scene->at_work = before;
  if (scene->waiting) call_lock_leave(L);
  return results;
}

static void note_move(lua_State *L, const api_member *member) {
  const api_entry *entry = member->entry;
  bool is_pose = strcmp(entry->owner, "pose") == 0;
  const actor_record *record = is_pose ? scene_of(L)->modified : queue_actor(L, 1);
  char what[SINEW_MARK_TEXT];
  snprintf(what, sizeof what, "%s%s%s", entry->owner, entry->call ? ":" : ".", entry->name);
  note_change(L, record, (sinew_note_of)member->moves, what);
}

static int call_entry(lua_State *L) {
  const api_member *member = lua_touserdata(L, lua_upvalueindex(1));
  const api_entry *entry = member->entry;
  if (scene_of(L)->shakes) scene_shake(scene_of(L));
  if (member->access == CALL_REFUSED && !call_lock_is_open(L)) call_lock_check(L, api_full_name(L, entry));
  if (!api_arguments_fit(L, member)) api_check_arguments(L, entry);
  if (member->most >= 0 && lua_gettop(L) > member->most + (entry->kind == API_METHOD)) note_surplus(L, member);
  if (member->access == CALL_DEFERRED && !call_lock_is_open(L) && queue_is_there(L, 1)) {
    push_entry(L, entry, call_checked);
    return call_lock_defer(L);
  }
  if (entry->cost) budget_charge(L, entry->cost);
  observe(entry);
  if (member->moves >= 0) note_move(L, member);
  if (!waits(L, member)) return call_on(L, member);
  push_entry(L, entry, call_checked);
  return queue_add(L, entry->result);
}

/* Pushes the neutral value that methods return while the model is loading. */
static void push_nothing(lua_State *L, const char *spec) {
  if (strcmp(spec, "boolean") == 0) lua_pushboolean(L, 0);
  else if (strcmp(spec, "string") == 0 || strcmp(spec, "mode") == 0 || strcmp(spec, "loop") == 0)
    lua_pushliteral(L, "");
  else lua_pushinteger(L, 0);
}

int api_unknown_member(lua_State *L, const char *owner, const char *name) {
  const char *names[CANDIDATES];
  int count = 0;
  for (const api_entry *const *table = api_tables; *table; table++) {
    for (const api_entry *e = *table; e->owner; e++)
      if (strcmp(e->owner, owner) == 0 && count < CANDIDATES) names[count++] = e->name;
  }
  const char *hint = field_hint(owner, name);
  if (hint) return luaL_error(L, "%s has no field '%s': %s", owner, name, hint);
  lua_pushfstring(L, "%s has no field", owner);
  return api_unknown(L, lua_tostring(L, -1), name, "", names, count);
}

static void check_self(lua_State *L, const api_member *member) {
  if (member->metatable && !api_is_self(L, member))
    luaL_error(L, "%s: not a %s", member->entry->name, member->entry->owner);
}

/* Upvalues: the members by name (a function, or the api_member of a field), and the owner's name. */
static int index_member(lua_State *L) {
  lua_pushvalue(L, 2);
  int type = lua_rawget(L, lua_upvalueindex(1));
  if (type == LUA_TFUNCTION) return 1;
  if (type == LUA_TNIL) return api_unknown_member(L, lua_tostring(L, lua_upvalueindex(2)), luaL_tolstring(L, 2, NULL));
  const api_member *member = lua_touserdata(L, -1);
  const api_entry *entry = member->entry;
  check_self(L, member);
  if (waits(L, member)) push_nothing(L, entry->spec);
  else entry->get(L, entry);
  observe(entry);
  return 1;
}

static void check_value(lua_State *L, const api_member *member) {
  const api_entry *entry = member->entry;
  if (api_value_fits(L, member)) return;
  api_check_value(L, 3, entry->spec, strlen(entry->spec), api_full_name(L, entry));
}

static int set_member(lua_State *L) {
  lua_pushvalue(L, 2);
  int type = lua_rawget(L, lua_upvalueindex(1));
  const char *owner = lua_tostring(L, lua_upvalueindex(2));
  if (type == LUA_TNIL) return api_unknown_member(L, owner, luaL_tolstring(L, 2, NULL));
  const api_member *member = type == LUA_TUSERDATA ? lua_touserdata(L, -1) : NULL;
  const api_entry *entry = member ? member->entry : NULL;
  if (!entry || !entry->set) return luaL_error(L, "%s.%s cannot be assigned", owner, lua_tostring(L, 2));
  check_self(L, member);
  if (scene_of(L)->shakes) scene_shake(scene_of(L));
  if (member->access == CALL_REFUSED && !call_lock_is_open(L)) call_lock_check(L, api_full_name(L, entry));
  check_value(L, member);
  if (member->moves >= 0) note_move(L, member);
  lua_settop(L, 3);
  if (waits(L, member)) {
    push_entry(L, entry, set_checked);
    queue_set(L);
  } else {
    sinew_scene *scene = scene_of(L);
    int before = scene->at_work++;
    entry->set(L, entry);
    scene->at_work = before;
    if (scene->waiting) call_lock_leave(L);
  }
  observe(entry);
  return 0;
}

/* Whether the function at the top is one of ours that keeps the lock closed while it runs. */
static bool is_at_work(lua_State *L) {
  lua_CFunction function = lua_tocfunction(L, -1);
  if (function == set_member || function == call_checked || function == set_checked) return true;
  if (function != call_entry || !lua_getupvalue(L, -1, 1)) return false;
  const api_member *member = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return !member->calls;
}

/* ---- registering ---- */

static void add_member(lua_State *L, const api_entry *entry, const void *metatable) {
  api_member *member = lua_newuserdatauv(L, sizeof *member, 0);
  *member = (api_member){.entry = entry,
                         .metatable = metatable,
                         .waits = may_wait(entry),
                         .access = (uint8_t)call_access_of(entry),
                         .calls = call_lock_calls(entry),
                         .moves = call_lock_moves(entry)};
  api_read_types(member);
  if (entry->call) lua_pushcclosure(L, call_entry, 1);
  lua_setfield(L, -2, entry->name);
}

/* Members of the type whose metatable is at the top. A module is a single object, so its type is not checked. */
static void push_members(lua_State *L, const char *owner) {
  const void *metatable = strncmp(owner, "sinew", 5) == 0 ? NULL : lua_topointer(L, -1);
  lua_newtable(L);
  for (const api_entry *const *table = api_tables; *table; table++) {
    for (const api_entry *e = *table; e->owner; e++)
      if (strcmp(e->owner, owner) == 0 && e->kind != API_OPTION) add_member(L, e, metatable);
  }
}

static int object_tostring(lua_State *L) {
  lua_pushfstring(L, "%s", lua_tostring(L, lua_upvalueindex(1)));
  if (luaL_getmetafield(L, 1, "__describe") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
  }
  return 1;
}

static int handles_equal(lua_State *L) {
  const action_handle *a = api_test(L, 1, "action"), *b = api_test(L, 2, "action");
  bool same = a && b && a->actor == b->actor && a->play == b->play && a->action.id == b->action.id;
  const declarations *all = &scene_of(L)->declarations;
  uint64_t living = a && b ? declarations_living_action(all, a).id : 0; /* one may be declared, one of an event */
  lua_pushboolean(L, same || (living && living == declarations_living_action(all, b).id));
  return 1;
}

static void set_special(lua_State *L, const char *owner) {
  if (strcmp(owner, "action") == 0) {
    lua_pushcfunction(L, handles_equal);
    lua_setfield(L, -2, "__eq");
  }
  if (strcmp(owner, "model") == 0) {
    lua_pushcfunction(L, model_release);
    lua_setfield(L, -2, "__gc");
  }
}

static void open_type(lua_State *L, const char *owner) {
  luaL_newmetatable(L, owner);
  push_members(L, owner);
  lua_pushstring(L, owner);
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, set_member, 2);
  lua_setfield(L, -4, "__newindex");
  lua_pushcclosure(L, index_member, 2);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, owner);
  lua_pushcclosure(L, object_tostring, 1);
  lua_setfield(L, -2, "__tostring");
  lua_pushstring(L, owner);
  lua_setfield(L, -2, "__metatable");
  set_special(L, owner);
  lua_pop(L, 1);
}

/* Modules have no data: one object each, permanently. */
static void open_module(lua_State *L, const char *owner) {
  open_type(L, owner);
  lua_newuserdatauv(L, 0, 0);
  luaL_setmetatable(L, owner);
  lua_pushfstring(L, "module %s", owner);
  lua_insert(L, -2);
  lua_rawset(L, LUA_REGISTRYINDEX);
}

void api_push_module(lua_State *L, const char *owner) {
  lua_pushfstring(L, "module %s", owner);
  lua_rawget(L, LUA_REGISTRYINDEX);
}

int api_push_sinew(lua_State *L) {
  api_push_module(L, "sinew");
  return 1;
}

void api_open(lua_State *L) {
  options_fill();
  scene_of(L)->is_at_work = is_at_work;
  static const char *const types[] = {"model",          "actor", "action", "layer", "mask",        "morphs",
                                      "actor_modifier", "motor", "pose",   "crowd", "crowd_array", "level"};
  static const char *const modules[] = {"sinew",      "sinew.ui",     "sinew.debug",
                                        "sinew.view", "sinew.camera", "sinew.light"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) open_type(L, types[i]);
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) open_module(L, modules[i]);
  level_open(L);
  objects_open(L);
  vector_open(L);
  crowd_array_open(L);
}
