/* Turns the files of a scene into Lua functions: its own file, its modules (`require`), and text (`load`). */
#include "core/api.h"
#include "core/scene.h"

#include <string.h>

enum { LOOK_COST = 5000 /* in folders, for a file */ };

/* ---- chunks ---- */

/* A first line that begins with '#' is for the shell. */
static void compile(lua_State *L, const char *path) {
  size_t size;
  const char *text = lua_tolstring(L, -1, &size);
  lua_pushfstring(L, "@%s", path);
  if (size > 0 && text[0] == '#') {
    size_t line = strcspn(text, "\n");
    text += line;
    size -= line;
  }
  if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
    text += 3;
    size -= 3;
  }
  epoch_push(L, "texts"); /* for the positions of items in its tables */
  lua_pushlstring(L, text, size);
  lua_setfield(L, -2, path);
  lua_pop(L, 1);
  if (size > 0 && text[0] == LUA_SIGNATURE[0]) luaL_error(L, "%s: is compiled Lua; a scene is text", path);
  if (budget_load(L, text, size, lua_tostring(L, -1)) != LUA_OK) lua_error(L);
  lua_replace(L, -3);
  lua_pop(L, 1);
  epoch_push(L, "env");
  lua_setupvalue(L, -2, 1);
}

uint64_t scene_hash(const char *text, size_t size) { /* FNV-1a */
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
  return hash;
}

/* The file's text is at the top. */
static void note_text(lua_State *L, const char *path) {
  sinew_scene *scene = scene_of(L);
  size_t size;
  const char *text = lua_tolstring(L, -1, &size);
  for (int i = 0; i < scene->file_count; i++)
    if (strcmp(scene->files[i].path, path) == 0) scene->files[i].next_hash = scene_hash(text, size);
}

void scene_push_chunk(lua_State *L, const char *path) {
  sinew_error error;
  scene_add_file(scene_of(L), path);
  if (!scene_push_file(L, path, &error)) luaL_error(L, "%s", error.message);
  note_text(L, path);
  compile(L, path);
}

/* Text only: bytecode can do anything to the interpreter. */
static int sandbox_load(lua_State *L) {
  size_t size;
  if (lua_type(L, 1) != LUA_TSTRING)
    return luaL_error(L, "load: a scene loads text only (got %s)", luaL_typename(L, 1));
  const char *text = lua_tolstring(L, 1, &size);
  const char *name = lua_pushfstring(L, "=%s", luaL_optstring(L, 2, "(load)"));
  bool own = !lua_isnone(L, 4);
  if (budget_load(L, text, size, name) != LUA_OK) {
    budget_check(L);
    luaL_pushfail(L);
    lua_insert(L, -2);
    return 2;
  }
  if (own) {
    lua_pushvalue(L, 4);
  } else {
    epoch_push(L, "env");
  }
  if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
  return 1;
}

/* ---- require ---- */

static bool module_file(const char *name, char out[SCENE_PATH]) {
  size_t size = strlen(name);
  if (size == 0 || size + 5 > SCENE_PATH || name[0] == '.' || strstr(name, "..")) return false;
  for (size_t i = 0; i <= size; i++) {
    char c = name[i];
    if (c == '/' || c == '\\') return false;
    out[i] = c;
    if (c == '.') out[i] = '/';
  }
  memcpy(out + size, ".lua", 5);
  return true;
}

static bool is_own(const char *name, const char *path) {
  const char *home = sinew_home();
  return strncmp(name, "sinew.", 6) == 0 && module_is_own(name + 6) && strncmp(path, home, strlen(home)) == 0;
}

static int run_module(lua_State *L, const char *name, const char *path) {
  lua_pushboolean(L, 1); /* a module that requires itself, directly or through others, gets this far and no further */
  lua_setfield(L, 2, name);
  scene_push_chunk(L, path);
  lua_pushstring(L, name);
  bool own = is_own(name, path);
  if (own) module_push_tools(L);
  lua_call(L, own ? 2 : 1, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
}

static int trusted_require(lua_State *L) {
  lua_getglobal(L, "require");
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

int scene_require(lua_State *L) {
  char file[SCENE_PATH], path[SCENE_PATH];
  sinew_error error;
  sinew_scene *scene = scene_of(L);
  const char *name = luaL_checkstring(L, 1);
  lua_settop(L, 1);
  if (strcmp(name, "sinew") == 0) return api_push_sinew(L);
  epoch_push(L, "modules");
  if (lua_getfield(L, 2, name) != LUA_TNIL) return 1;
  lua_pop(L, 1);
  if (!module_file(name, file)) {
    return luaL_error(L, "require: '%s' is not a module name (letters, with dots for folders)", name);
  }
  budget_charge(L, LOOK_COST);
  bool found = scene_resolve(scene, file, "scripts", path, &error);
  if (!found && scene->def.trust) return trusted_require(L);
  if (!found) return luaL_error(L, "require '%s': %s", name, error.message);
  return run_module(L, name, path);
}

void scene_add_modules(lua_State *L) {
  lua_pushcfunction(L, scene_require);
  lua_setfield(L, -2, "require");
  lua_pushcfunction(L, scene_assert);
  lua_setfield(L, -2, "assert");
  lua_pushcfunction(L, api_print);
  lua_setfield(L, -2, "print");
  api_push_sinew(L);
  lua_setfield(L, -2, "sinew");
  if (scene_of(L)->def.trust) return;
  lua_pushcfunction(L, sandbox_load);
  lua_setfield(L, -2, "load");
}
