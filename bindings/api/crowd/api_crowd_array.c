/* The arrays of crowds: a number of each member, read and written by index or all at once, without garbage. */
#include "core/crowd_object.h"

#include <math.h>

typedef struct crowd_array {
  int64_t crowd;
  int hint, array;
} crowd_array;

static crowd_record *array_check(lua_State *L, int index, int *array) {
  crowd_array *a = api_check(L, index, "crowd_array");
  crowd_record *record = declarations_crowd(&scene_of(L)->declarations, a->crowd, &a->hint);
  if (!record) luaL_error(L, "the crowd of this array has been removed");
  *array = a->array;
  return record;
}

void crowd_array_push(lua_State *L, int index, const crowd_record *record, int array) {
  index = lua_absindex(L, index);
  if (lua_getiuservalue(L, index, 2) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, index, 2);
  }
  if (lua_rawgeti(L, -1, array + 1) == LUA_TNIL) {
    lua_pop(L, 1);
    crowd_array *a = api_new(L, "crowd_array", sizeof *a, ++scene_of(L)->declarations.next_id);
    *a = (crowd_array){record->head.id, 0, array};
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, array + 1);
  }
  lua_remove(L, -2);
}

/* ---- one number ---- */

int crowd_member_check(lua_State *L, const crowd_record *record, int index) {
  lua_Integer member = lua_tointeger(L, index);
  int count = declarations_crowd_count(&scene_of(L)->declarations, record);
  if (member < 1 || member > count) {
    lua_pushfstring(L, "crowd '%s' has members 1 to %d", record->head.name, count);
    const char *got = luaL_tolstring(L, index, NULL);
    luaL_error(L, "%s, and none with the number %s", lua_tostring(L, -2), got);
  }
  return (int)member - 1;
}

/* A metamethod of the value may remove the crowd while it is described, so that comes last. */
static int refuse_number(lua_State *L, const crowd_record *record, int array, int value) {
  lua_pushfstring(L, "%s of crowd '%s' must be %s", crowd_array_name(record, array), record->head.name,
                  crowd_range_of(array)->what);
  const char *got = luaL_tolstring(L, value, NULL);
  return luaL_error(L, "%s (got %s)", lua_tostring(L, -2), got);
}

static float number_check(lua_State *L, const crowd_record *record, int array, int value) {
  if (array == CROWD_VISIBLE && lua_isboolean(L, value)) return (float)lua_toboolean(L, value);
  const crowd_range *range = crowd_range_of(array);
  float number = lua_type(L, value) == LUA_TNUMBER ? (float)lua_tonumber(L, value) : NAN;
  if (!(number >= range->minimum && number <= range->maximum)) refuse_number(L, record, array, value);
  return number;
}

static void need_array(lua_State *L, crowd_record *record, int array) {
  if (!declarations_need_array(&scene_of(L)->declarations, record, array))
    luaL_error(L, "not enough memory for a crowd");
}

void crowd_array_put(lua_State *L, crowd_record *record, int array, int member, int value) {
  float number = number_check(L, record, array, value);
  need_array(L, record, array);
  declarations_set_member(&scene_of(L)->declarations, record, array, member, number);
}

static void push_number(lua_State *L, const crowd_record *record, int array, int member) {
  float number = declarations_get_member(&scene_of(L)->declarations, record, array, member);
  if (array == CROWD_VISIBLE) lua_pushboolean(L, number != 0);
  else lua_pushnumber(L, (lua_Number)number);
}

/* Upvalue: the function that finds methods. */
static int array_index(lua_State *L) {
  int array;
  if (lua_type(L, 2) != LUA_TNUMBER) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 2, 1);
    return 1;
  }
  const crowd_record *record = array_check(L, 1, &array);
  lua_Integer member = lua_tointeger(L, 2);
  if (member < 1 || member > declarations_crowd_count(&scene_of(L)->declarations, record))
    return 0; /* where ipairs ends */
  push_number(L, record, array, (int)member - 1);
  return 1;
}

static int array_newindex(lua_State *L) {
  int array;
  if (scene_of(L)->shakes) scene_shake(scene_of(L));
  call_lock_check(L, "crowd_array");
  crowd_record *record = array_check(L, 1, &array);
  if (lua_type(L, 2) != LUA_TNUMBER)
    return luaL_error(L, "an array of a crowd has numbers from 1 on (got %s)", luaL_tolstring(L, 2, NULL));
  crowd_array_put(L, record, array, crowd_member_check(L, record, 2), 3);
  return 0;
}

static int array_length(lua_State *L) {
  int array;
  lua_pushinteger(L, declarations_crowd_count(&scene_of(L)->declarations, array_check(L, 1, &array)));
  return 1;
}

/* ---- all at once ---- */

static void set_all(lua_State *L, crowd_record *record, int array, int value, int count) {
  float number = number_check(L, record, array, value);
  need_array(L, record, array);
  for (int i = 0; i < count; i++) declarations_set_member(&scene_of(L)->declarations, record, array, i, number);
}

/* All or nothing: every number is checked before the first is set. */
static void set_table(lua_State *L, crowd_record *record, int array, int value, int first, int count) {
  int top = lua_gettop(L);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, value, i + 1);
    number_check(L, record, array, top + 1);
    lua_settop(L, top);
  }
  need_array(L, record, array);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, value, i + 1);
    declarations_set_member(&scene_of(L)->declarations, record, array, first + i,
                            number_check(L, record, array, top + 1));
    lua_settop(L, top);
  }
}

static void set_array(lua_State *L, crowd_record *record, int array, int value, int count) {
  int from;
  const declarations *all = &scene_of(L)->declarations;
  const crowd_record *other = array_check(L, value, &from);
  const crowd_range *range = crowd_range_of(array);
  if (declarations_crowd_count(all, other) != count)
    luaL_error(L, "crowd '%s' has %d members, and crowd '%s' has %d", record->head.name, count, other->head.name,
               declarations_crowd_count(all, other));
  for (int i = 0; i < count; i++) {
    float number = declarations_get_member(all, other, from, i);
    if (!(number >= range->minimum && number <= range->maximum))
      luaL_error(L, "%s of crowd '%s' must be %s (got %f)", crowd_array_name(record, array), record->head.name,
                 range->what, api_rounded((double)number));
  }
  need_array(L, record, array);
  for (int i = 0; i < count; i++)
    declarations_set_member(all, record, array, i, declarations_get_member(all, other, from, i));
}

void crowd_array_assign(lua_State *L, crowd_record *record, int array, int value) {
  int count = declarations_crowd_count(&scene_of(L)->declarations, record);
  budget_charge(L, 2 * (int64_t)count);
  if (api_test(L, value, "crowd_array")) {
    set_array(L, record, array, value, count);
  } else if (lua_istable(L, value)) {
    lua_Integer size = (lua_Integer)lua_rawlen(L, value);
    if (size != count)
      luaL_error(L, "%s of crowd '%s': the table has %I numbers, and the crowd %d members",
                 crowd_array_name(record, array), record->head.name, size, count);
    set_table(L, record, array, value, 0, count);
  } else {
    set_all(L, record, array, value, count);
  }
}

static int call_set(lua_State *L) {
  int array;
  crowd_record *record = array_check(L, 1, &array);
  if (lua_isnoneornil(L, 3)) {
    crowd_array_assign(L, record, array, 2);
    return 0;
  }
  int first = crowd_member_check(L, record, 3), count = declarations_crowd_count(&scene_of(L)->declarations, record);
  if (!lua_istable(L, 2)) return luaL_error(L, "crowd_array:set: from a member on it takes a table");
  lua_Integer size = (lua_Integer)lua_rawlen(L, 2);
  if (size > count - first)
    return luaL_error(L, "%s of crowd '%s': %I numbers from member %d on are too many for %d members",
                      crowd_array_name(record, array), record->head.name, size, first + 1, count);
  budget_charge(L, 2 * (int64_t)size);
  set_table(L, record, array, 2, first, (int)size);
  return 0;
}

static int call_read(lua_State *L) {
  int array;
  const crowd_record *record = array_check(L, 1, &array);
  int count = declarations_crowd_count(&scene_of(L)->declarations, record);
  lua_settop(L, 2);
  budget_charge(L, count);
  if (lua_isnil(L, 2)) lua_createtable(L, count, 0), lua_replace(L, 2);
  for (int i = 0; i < count; i++) {
    push_number(L, record, array, i);
    lua_rawseti(L, 2, i + 1);
  }
  return 1;
}

void crowd_array_open(lua_State *L) {
  luaL_getmetatable(L, "crowd_array");
  lua_getfield(L, -1, "__index");
  lua_pushcclosure(L, array_index, 1);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, array_newindex);
  lua_setfield(L, -2, "__newindex");
  lua_pushcfunction(L, array_length);
  lua_setfield(L, -2, "__len");
  lua_pop(L, 1);
}

const api_entry api_crowd_array_entries[] = {
    {"crowd_array", "set", API_METHOD, "values: table|number|boolean|crowd_array, first?: count", "",
     "Sets all members to one number, or each to its own from a table or another array. With `first`, it sets as many "
     "members as the table has, starting with that one.",
     .call = call_set},
    {"crowd_array", "read", API_METHOD, "buffer?: table", "table",
     "Fills a table with the numbers of all members. Reusing a table leaves no garbage.", .call = call_read},
    {0}};
