/* Input from outside that scripts read (files, clocks). A replay returns the recorded answers. */
#include "core/scene.h"

#include <stdio.h>
#include <time.h>

bool outside_recall_text(const sinew_scene *scene, const char *kind, const char *name, sinew_answer *answer,
                         sinew_error *error) {
  if (!sinew_host_recall(scene->host, kind, name, SINEW_RECALL_LAST, answer)) return false;
  if (answer->refused) declarations_fail(error, "%.*s", (int)answer->size, (const char *)answer->data);
  return true;
}

const char *outside_source(const sinew_scene *scene) {
  return sinew_host_has_bundle(scene->host) ? "bundle (sinew bundle --frames N runs a scene for longer)" : "recording";
}

void outside_note_text(const sinew_scene *scene, const char *kind, const char *name, const char *text, size_t size) {
  sinew_host_note(scene->host, kind, name, &(sinew_answer){.data = text, .size = size});
}

void outside_note_refusal(const sinew_scene *scene, const char *kind, const char *name, const sinew_error *error) {
  sinew_host_note(scene->host, kind, name,
                  &(sinew_answer){.data = error->message, .size = strlen(error->message), .refused = true});
}

/* ---- clocks ---- */

/* Pushes the clock's number in base 16, which restores each bit. */
static void push_as_it_was(lua_State *L, const char *clock, double now) {
  const sinew_scene *scene = scene_of(L);
  sinew_answer answer;
  char text[64];
  if (sinew_host_recall(scene->host, "clock", clock, SINEW_RECALL_LAST, &answer)) {
    lua_pushlstring(L, answer.data, answer.size);
    if (!lua_stringtonumber(L, lua_tostring(L, -1))) lua_pushnumber(L, 0);
    lua_remove(L, -2);
    return;
  }
  int size = snprintf(text, sizeof text, "%a", now);
  outside_note_text(scene, "clock", clock, text, (size_t)size);
  lua_pushnumber(L, now);
}

static void push_time(lua_State *L) {
  push_as_it_was(L, "time", (double)time(NULL));
  lua_Integer whole = 0;
  lua_numbertointeger(lua_tonumber(L, -1), &whole); /* a recording may hold anything */
  lua_pop(L, 1);
  lua_pushinteger(L, whole);
}

static int os_clock(lua_State *L) {
  push_as_it_was(L, "clock", (double)clock() / CLOCKS_PER_SEC);
  return 1;
}

/* Lua's own function is upvalue 1. With an explicit time the result does not depend on the clock. */
static int forward(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

static int os_time(lua_State *L) {
  if (!lua_isnoneornil(L, 1)) return forward(L);
  push_time(L);
  return 1;
}

static int note_date(lua_State *L, const char *format) {
  size_t size;
  forward(L);
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &size) : NULL;
  if (text) outside_note_text(scene_of(L), "date", format, text, size);
  return 1;
}

/* os.date without a time uses os.time, in this machine's time zone. */
static int os_date(lua_State *L) {
  sinew_answer answer;
  const char *format = luaL_optstring(L, 1, "%c");
  if (strlen(format) > 1000) return luaL_error(L, "os.date: the format is too long");
  budget_charge(L, 10000);
  if (!lua_isnoneornil(L, 2)) return forward(L);
  lua_settop(L, 1);
  if (lua_isnil(L, 1)) lua_pushstring(L, format), lua_replace(L, 1);
  push_time(L);
  if (!sinew_host_recall(scene_of(L)->host, "date", format, SINEW_RECALL_LAST, &answer)) return note_date(L, format);
  lua_pushlstring(L, answer.data, answer.size);
  return 1;
}

void sandbox_os(lua_State *L) {
  static const luaL_Reg wrapped[] = {{"clock", os_clock}, {"time", os_time}, {"date", os_date}, {NULL, NULL}};
  sandbox_wrap(L, wrapped);
}
