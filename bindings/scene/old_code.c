/* Code of the last load that runs on: coroutines, and functions that scripts have made while they ran. */
#include "core/scene.h"
#include "scene/held.h"

#include <string.h>

void code_push_texts(lua_State *L, int function) {
  epoch_push_current(L, "born");
  if (lua_istable(L, -1)) {
    lua_pushvalue(L, function);
    lua_rawget(L, -2);
    lua_remove(L, -2);
  }
  if (lua_istable(L, -1)) return;
  lua_pop(L, 1);
  epoch_push_current(L, "texts");
}

static bool thread_goes_on(lua_State *L, lua_State *co) {
  int top = lua_gettop(L);
  lua_Debug call;
  bool all = lua_checkstack(co, 4);
  if (lua_status(co) != LUA_YIELD && lua_gettop(co) > 0) { /* it has not begun */
    lua_pushvalue(co, 1);
    lua_xmove(co, L, 1);
    all = code_is_same(L, top + 1);
  }
  for (int level = 0; all && lua_getstack(co, level, &call); level++) {
    lua_settop(L, top);
    lua_getinfo(co, "f", &call);
    lua_xmove(co, L, 1);
    all = code_is_same(L, top + 1);
  }
  lua_settop(L, top);
  return all;
}

lua_State *code_thread(lua_State *L, int index) {
  lua_State *co = lua_tothread(L, index);
  if (!lua_iscfunction(L, index) || !lua_getupvalue(L, index, 1)) return co;
  co = lua_tothread(L, -1);
  lua_pop(L, 1);
  return co;
}

bool code_goes_on(lua_State *L, int index) {
  lua_State *co = code_thread(L, index);
  return co ? thread_goes_on(L, co) : code_is_same(L, index);
}

/* Pushes "scene.lua:12", the place of the function that it runs. */
static void push_place(lua_State *L, lua_State *co) {
  lua_Debug info;
  int level = 0;
  while (lua_getstack(co, level, &info)) level++;
  if (level > 0 && lua_getstack(co, level - 1, &info)) lua_getinfo(co, "S", &info);
  else lua_pushvalue(co, 1), lua_getinfo(co, ">S", &info);
  const char *file = strrchr(info.source, '/');
  lua_pushfstring(L, "%s:%d", file ? file + 1 : info.source, info.linedefined);
}

static bool is_waiting(lua_State *L, lua_State *co) {
  lua_Debug info;
  return co != L && (lua_status(co) == LUA_YIELD || (lua_status(co) == LUA_OK && !lua_getstack(co, 0, &info) &&
                                                     lua_gettop(co) > 0 && lua_isfunction(co, 1)));
}

void code_note_restart(lua_State *L, int thread) {
  push_place(L, code_thread(L, thread));
  declarations_note(&scene_of(L)->declarations, "the task of %s begins again", lua_tostring(L, -1));
  lua_pop(L, 1);
}

void code_end_thread(lua_State *L, int thread) {
  lua_State *co = lua_tothread(L, thread);
  if (lua_memory_serial(L, thread) > scene_of(L)->load_serial || !is_waiting(L, co) || thread_goes_on(L, co)) return;
  push_place(L, co);
  declarations_note(&scene_of(L)->declarations, "the task of %s ends", lua_tostring(L, -1));
  lua_pop(L, 1);
  lua_resetthread(co);
}

void code_note_old(lua_State *L, int function) {
  int top = lua_gettop(L);
  code_push_texts(L, function);
  epoch_push(L, "born");
  lua_pushvalue(L, function);
  lua_pushvalue(L, top + 1);
  lua_rawset(L, top + 2);
  lua_settop(L, top);
}
