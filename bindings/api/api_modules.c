/* The modules that are written in Lua (scripts/sinew): their calls are checked as those of `sinew` are, and an error in
 * one names the line of the scene that called it. Such a module is called with a second argument, the table that
 * module_push_tools makes. */
#include "core/api.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const modules[] = {"task", "tween",   "camera",     "input", "random",
                                      "vec",  "machine", "locomotion", NULL};

bool module_is_own(const char *owner) {
  for (const char *const *m = modules; *m; m++)
    if (strcmp(*m, owner) == 0) return true;
  return false;
}

/* ---- errors ---- */

/* What follows "…/sinew/tween.lua:60: " in a message of one of the modules, or the message. */
static const char *without_position(const char *message) {
  const char *end = strstr(message, ".lua:");
  if (!end || memchr(message, '\n', (size_t)(end - message))) return message;
  for (const char *const *m = modules; *m; m++) {
    char place[32];
    int size = snprintf(place, sizeof place, "sinew/%s", *m);
    if (end - message < size || strncmp(end - size, place, (size_t)size) != 0) continue;
    const char *text = end + 5 + strspn(end + 5, "0123456789");
    return strncmp(text, ": ", 2) == 0 ? text + 2 : message;
  }
  return message;
}

/* Of a file or of loaded text. */
static bool has_position(const char *message) {
  const char *file = strstr(message, ".lua:"), *text = strstr(message, "]:");
  return (file && isdigit((unsigned char)file[5])) || (text && isdigit((unsigned char)text[2]));
}

/* Gives the error on the top the line, unless it has one of the scene. */
static void place_error(lua_State *L, const char *line) {
  if (lua_type(L, -1) != LUA_TSTRING) return;
  const char *message = lua_tostring(L, -1), *words = without_position(message);
  if (words == message && has_position(message)) return;
  lua_pushfstring(L, line[0] ? "%s: %s" : "%s%s", line, words);
  lua_remove(L, -2);
}

/* Raises the error on the top again, with the line. */
static int raise_again(lua_State *L, int status, const char *line) {
  budget_check(L);
  if (status == LUA_ERRMEM) lua_memory_push_reason(L);
  place_error(L, line);
  return lua_error(L);
}

/* ---- calling ---- */

static int finish(lua_State *L, int status, lua_KContext none) {
  char line[DECLARED_LINE];
  (void)none;
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L);
  scene_line(L, line);
  return raise_again(L, status, line);
}

/* The same function with a dot in place of a colon, or the other way round. */
static void check_dot(lua_State *L, const api_entry *entry) {
  if (lua_type(L, 1) != LUA_TTABLE || !lua_getmetatable(L, 1)) return;
  lua_getfield(L, -1, "__name");
  bool colon = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), entry->owner) == 0;
  lua_pop(L, 2);
  if (colon)
    luaL_error(L, "%s:%s: call it with a dot, as in %s.%s(…)", entry->owner, entry->name, entry->owner, entry->name);
}

/* Upvalues: the member, and the function. */
static int call_own(lua_State *L) {
  const api_member *member = lua_touserdata(L, lua_upvalueindex(1));
  if (member->entry->kind == API_FUNCTION) check_dot(L, member->entry);
  if (!api_arguments_fit(L, member)) api_check_arguments(L, member->entry);
  if (lua_gettop(L) > member->most + (member->entry->kind == API_METHOD)) note_surplus(L, member);
  if (api_observer) api_observer(member->entry);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_insert(L, 1);
  int status = lua_pcallk(L, lua_gettop(L) - 1, LUA_MULTRET, 0, 0, finish);
  return finish(L, status, 0);
}

/* machine { … } */
static int call_module(lua_State *L) {
  lua_remove(L, 1);
  return call_own(L);
}

static int unknown_name(lua_State *L) {
  const char *owner = lua_tostring(L, lua_upvalueindex(1));
  return api_unknown_member(L, owner, luaL_tolstring(L, 2, NULL));
}

/* The function of the table at 2 with that name becomes the checked one. */
static void wrap(lua_State *L, const api_entry *entry) {
  api_member *member = lua_newuserdatauv(L, sizeof *member, 0);
  *member = (api_member){.entry = entry};
  api_read_types(member);
  if (lua_getfield(L, 2, entry->name) == LUA_TFUNCTION) {
    lua_pushcclosure(L, call_own, 2);
    lua_setfield(L, 2, entry->name);
  } else {
    lua_pop(L, 2); /* a field */
  }
}

/* dress(owner, table): the functions of a module, or of a class, as the description has them; names that it lacks are
 * refused. Returns the table. */
static int dress(lua_State *L) {
  const char *owner = luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  for (const api_entry *e = api_module_entries; e->owner; e++)
    if (strcmp(e->owner, owner) == 0) wrap(L, e);
  if (!module_is_own(owner)) {
    lua_pushstring(L, owner);
    lua_setfield(L, 2, "__name");
  }
  lua_createtable(L, 0, 3);
  lua_pushstring(L, owner);
  lua_pushcclosure(L, unknown_name, 1);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, owner);
  lua_setfield(L, -2, "__name");
  lua_pushstring(L, owner);
  if (lua_rawget(L, 2) == LUA_TFUNCTION) {
    int function = lua_gettop(L);
    lua_getupvalue(L, function, 1);
    lua_getupvalue(L, function, 2);
    lua_pushcclosure(L, call_module, 2);
    lua_setfield(L, function - 1, "__call");
  }
  lua_settop(L, 3);
  lua_setmetatable(L, 2);
  return 1;
}

/* ---- what a module does later, for a line of the scene ---- */

static int push_line(lua_State *L) {
  char line[DECLARED_LINE];
  scene_line(L, line);
  lua_pushstring(L, line);
  return 1;
}

/* guard(line, function, …): calls it. An error is reported with that line; returns whether there was none. */
static int guard(lua_State *L) {
  const char *line = luaL_checkstring(L, 1);
  int status = lua_pcall(L, lua_gettop(L) - 2, 0, 0);
  if (status == LUA_OK) {
    lua_pushboolean(L, 1);
    return 1;
  }
  budget_check(L);
  if (status == LUA_ERRMEM) lua_memory_push_reason(L);
  place_error(L, line);
  luaL_tolstring(L, -1, NULL);
  nil_words(L);
  scene_report(scene_of(L), lua_tostring(L, -1));
  lua_pushboolean(L, 0);
  return 1;
}

void module_push_tools(lua_State *L) {
  static const luaL_Reg tools[] = {{"dress", dress}, {"line", push_line}, {"guard", guard}, {NULL, NULL}};
  luaL_newlib(L, tools);
}

/* ---- in a Lua program ---- */

static int load_module(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(1));
  lua_settop(L, 0);
  lua_pushfstring(L, "%s/scripts/sinew/%s.lua", sinew_home(), name);
  if (luaL_loadfile(L, lua_tostring(L, 1)) != LUA_OK) return lua_error(L);
  lua_pushfstring(L, "sinew.%s", name);
  module_push_tools(L);
  lua_call(L, 2, 1);
  return 1;
}

void modules_preload(lua_State *L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  for (const char *const *m = modules; *m; m++) {
    lua_pushstring(L, *m);
    lua_pushcclosure(L, load_module, 1);
    lua_pushfstring(L, "sinew.%s", *m);
    lua_insert(L, -2);
    lua_rawset(L, -3);
  }
  lua_pop(L, 1);
}

/* ---- the description ---- */

#define FUNCTION(owner, name, spec, result, doc)                                                                       \
  { owner, name, API_FUNCTION, spec, result, doc, .call = call_own }
#define METHOD(owner, name, spec, result, doc)                                                                         \
  { owner, name, API_METHOD, spec, result, doc, .call = call_own }
#define FIELD(owner, name, spec, doc)                                                                                  \
  { owner, name, API_FIELD, spec, "", doc, .data = 0 }

#define V3 "number, number, number"
#define V4 V3 ", number"
#define XYZ "x: number, y: number, z: number"
#define TWO "ax: number, ay: number, az: number, bx: number, by: number, bz: number"
#define TURNS "ax: number, ay: number, az: number, aw: number, bx: number, by: number, bz: number, bw: number"

const api_entry api_module_entries[] = {
    FUNCTION("task", "run", "body: function", "task_handle",
             "Starts a task: a function that can wait. It begins in the next frame."),
    FUNCTION("task", "wait", "seconds: seconds", "", "In a task: waits so many seconds."),
    FUNCTION("task", "wait_until", "check: function", "",
             "In a task: waits until the function returns true. It is asked in each frame."),
    FUNCTION("task", "after", "seconds: seconds, call: function", "task_handle",
             "Calls the function once, in so many seconds."),
    FUNCTION("task", "every", "seconds: positive, call: function", "task_handle",
             "Calls the function again and again, once in so many seconds."),
    FUNCTION("task", "count", "", "integer", "The number of tasks that have not ended."),
    METHOD("task_handle", "cancel", "", "", "Ends the task."),
    FIELD("task_handle", "done", "boolean", "Whether the task is over."),
    FUNCTION("tween", "to", "target: any, field: string, value: any, seconds: seconds, options?: tween_options",
             "tween_handle",
             "Takes target[field] to the value in so many seconds: a number, a vector or a rotation. A new tween of a "
             "field ends the one before it."),
    FIELD("tween", "ease", "table", "The functions that ease = \"name\" means: the time to the distance, both 0 to 1."),
    FIELD("tween_handle", "stop", "function", "function(): ends the tween, and leaves the field where it is."),
    FUNCTION("camera", "follow", "actor: actor, options?: follow_options", "",
             "The camera comes along behind an actor. The last call of follow, orbit and fly wins."),
    FUNCTION("camera", "orbit", "target: actor|vec3, options?: orbit_options", "",
             "The camera goes round an actor or a point."),
    FUNCTION("camera", "fly", "options?: fly_options", "",
             "The keys W, A, S, D, Q and E move the camera, and the left mouse button turns it."),
    FUNCTION("camera", "stop", "", "", "Gives the camera back to the mouse."),
    FUNCTION("camera", "yaw", "", "number",
             "Where the camera looks, about the vertical: as a rotation it makes an actor face that way."),
    FUNCTION("camera", "flat", "left: number, ahead: number", "vec3",
             "So much to the left and so much ahead, as the camera sees it, on level ground: a vector in world space."),
    FUNCTION("input", "map", "map: named", "",
             "Gives each name a key or a list of keys: { jump = { \"space\", \"pad_a\" } }. A name that has keys gets "
             "others."),
    FUNCTION("input", "is_down", "name: string", "boolean", "Whether one of the name's keys is held."),
    FUNCTION("input", "strength", "name: string", "number",
             "From 0 to 1: that of the key that is pressed farthest. Keys other than sticks and triggers count as 1 "
             "while they are held."),
    FUNCTION("input", "axis", "down: string, up: string", "number",
             "From -1 to 1: the strength of the second name minus that of the first."),
    FUNCTION("input", "on", "name: string, handler: function", "",
             "Calls the function when one of the name's keys is pressed."),
    FUNCTION("random", "new", "seed?: number", "random_generator",
             "A generator of numbers that look random and are the same in each run; default seed 1."),
    METHOD("random_generator", "number", "low?: number, high?: number", "number",
           "From 0 to 1 (without 1), or from low to high."),
    METHOD("random_generator", "integer", "low: integer, high: integer", "integer",
           "A whole number from low to high, both of them included."),
    METHOD("random_generator", "chance", "probability: number", "boolean",
           "True in so many of all cases: 0.25 is one in four."),
    METHOD("random_generator", "choice", "list: list", "any", "One of the list's values."),
    METHOD("random_generator", "shuffle", "list: list", "table", "Mixes the list, and returns it."),
    FUNCTION("vec", "dot", TWO, "number", "The dot product."),
    FUNCTION("vec", "cross", TWO, V3, "The cross product."),
    FUNCTION("vec", "length", XYZ, "number", "The length."),
    FUNCTION("vec", "distance", TWO, "number", "The distance of two points."),
    FUNCTION("vec", "normalize", XYZ, V3, "The vector with length 1; one without length stays as it is."),
    FUNCTION("vec", "limit", XYZ ", most: number", V3, "The vector, at most so long."),
    FUNCTION("vec", "heading", "x: number, z: number", "number",
             "The angle about y that faces along a direction: characters look along +z."),
    FUNCTION("vec", "turn", "from: number, to: number", "number",
             "The shorter rotation from one angle to another: from -pi to pi."),
    FUNCTION("vec", "axis_angle", XYZ ", angle: number", V4, "The quaternion of a rotation about an axis."),
    FUNCTION("vec", "mul", TURNS, V4, "The product of two quaternions: b first, then a."),
    FUNCTION("vec", "conjugate", XYZ ", w: number", V4, "The reverse rotation."),
    FUNCTION("vec", "rotate", "qx: number, qy: number, qz: number, qw: number, " XYZ, V3,
             "The vector, rotated by a quaternion."),
    FUNCTION("vec", "nlerp", TURNS ", t: number", V4, "Between two rotations, the shorter way round."),
    FUNCTION("machine", "machine", "definition: machine_text", "node",
             "A state machine whose transitions are texts: \"move -> jump: on jump, fade 0.12, inertial\". "
             "machine { … } is short for machine.machine { … }."),
    {0}};
