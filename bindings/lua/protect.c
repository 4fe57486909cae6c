#ifdef __SANITIZE_THREAD__
#undef _FORTIFY_SOURCE
#endif
#include "core/scene.h"
#include "lua/show.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 1024 };

/* A Lua built with _FORTIFY_SOURCE raises errors with this function. The thread sanitizer knows only longjmp: it would
 * count all functions that an error has left as still running, until its stack is full. */
#if defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
_Noreturn void __longjmp_chk(jmp_buf to, int value);
_Noreturn void __longjmp_chk(jmp_buf to, int value) { longjmp(to, value); }
#endif

/* The first level that runs Lua code; false if there is none. */
static bool lua_level(lua_State *L, int first, lua_Debug *info) {
  for (int level = first; lua_getstack(L, level, info); level++) {
    lua_getinfo(L, "Sl", info);
    if (info->currentline > 0) return true;
  }
  return false;
}

/* Sinew's own modules make tables of what a scene writes. */
static bool is_own_module(const lua_Debug *info) {
  static const char folder[] = "/scripts/sinew/";
  const char *home = sinew_home();
  size_t size = strlen(home);
  return info->source[0] == '@' && strncmp(info->source + 1, home, size) == 0 &&
         strncmp(info->source + 1 + size, folder, sizeof folder - 1) == 0;
}

/* The first level that runs the scene's Lua code; if there is none, that of a module of Sinew's. */
static bool scene_level(lua_State *L, lua_Debug *info) {
  lua_Debug outer;
  if (!lua_level(L, 1, info)) return false;
  if (!is_own_module(info)) return true;
  for (int level = 2; lua_getstack(L, level, &outer); level++) {
    lua_getinfo(L, "Sl", &outer);
    if (outer.currentline <= 0 || is_own_module(&outer)) continue;
    *info = outer;
    return true;
  }
  return true;
}

void scene_line(lua_State *L, char out[DECLARED_LINE]) {
  lua_Debug info;
  if (scene_level(L, &info)) {
    snprintf(out, DECLARED_LINE, "%s:%d", info.short_src, info.currentline);
  } else {
    declarations_copy(out, DECLARED_LINE, "?");
  }
}

void scene_note_line(lua_State *L) {
  declarations *all = &scene_of(L)->declarations;
  if (all->loading) scene_line(L, all->line);
}

const char *scene_line_chunk(lua_State *L) {
  lua_Debug info;
  return scene_level(L, &info) && info.source[0] == '@' ? info.source + 1 : "?";
}

const char *scene_chunk(lua_State *L) {
  lua_Debug info;
  return lua_level(L, 1, &info) && info.source[0] == '@' ? info.source + 1 : "?";
}

/* "some/file.lua:12: message" as the parser writes it, for errors without a stack. */
static void place_from_message(sinew_scene *scene, const char *message) {
  const char *colon = strstr(message, ".lua:");
  scene->failure_location[0] = 0;
  scene->failure_line = 0;
  if (!colon || sscanf(colon + 5, "%d", &scene->failure_line) != 1) return;
  snprintf(scene->failure_location, sizeof scene->failure_location, "%.*s", (int)(colon + 4 - message), message);
}

void scene_locate_failure(sinew_scene *scene) { place_from_message(scene, scene->failure); }

/* The line of the running file that a message names anywhere; 0: none. */
static int line_in(const char *message, const lua_Debug *info) {
  char position[LUA_IDSIZE + 2];
  snprintf(position, sizeof position, "%s:", info->short_src);
  const char *at = strstr(message, position);
  return at ? atoi(at + strlen(position)) : 0;
}

/* ---- Lua's messages about nil, as sentences with the nearest name ---- */

enum { NAMES = 400, NAME = 64 };

typedef struct nil_use {
  char verb[32], type[32], kind[16], name[NAME]; /* "call", "nil", "field", "wiat" */
} nil_use;

/* "attempt to call a nil value (field 'wiat')"; false for any other message. */
static bool read_use(const char *text, nil_use *use) {
  *use = (nil_use){0};
  if (sscanf(text, "attempt to perform %15[a-z] on a %31[^ ] value (%15[a-z] '%63[^']'", use->verb, use->type,
             use->kind, use->name) >= 2)
    return strcmp(use->type, "nil") == 0;
  if (sscanf(text, "attempt to get length of a %31[^ ] value (%15[a-z] '%63[^']'", use->type, use->kind, use->name) >=
      1)
    return strcpy(use->verb, "length"), strcmp(use->type, "nil") == 0;
  if (sscanf(text, "attempt to %15[a-z] a %31[^ ] value (%15[a-z] '%63[^']'", use->verb, use->type, use->kind,
             use->name) < 2)
    return false;
  return strcmp(use->type, "nil") == 0 || strcmp(use->verb, "call") == 0;
}

/* Adds the names of a table's functions, or of its tables that have functions, on the top. */
static int add_names(lua_State *L, int table, const char **names, int count) {
  lua_pushnil(L);
  while (lua_next(L, table)) {
    bool shown = lua_type(L, -2) == LUA_TSTRING && !lua_isnil(L, -1);
    if (shown && count < NAMES) names[count++] = lua_tostring(L, -2); /* the table holds it */
    lua_pop(L, 1);
  }
  return count;
}

/* That of the scripts: an upvalue of each of their functions that has one. Else nil. */
static void push_environment(lua_State *L) {
  lua_Debug info;
  const char *name;
  for (int level = 0; lua_getstack(L, level, &info); level++) {
    lua_getinfo(L, "f", &info);
    for (int i = 1; (name = lua_getupvalue(L, -1, i)); i++) {
      if (strcmp(name, "_ENV") == 0) return lua_remove(L, -2), (void)0;
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pushnil(L);
}

/* Globals for a global, functions of Lua's libraries for a field. */
static const char *nearest(lua_State *L, const nil_use *use) {
  static const char *const libraries[] = {"math", "string", "table", "os", "coroutine", "utf8"};
  const char *names[NAMES];
  int count = 0;
  push_environment(L);
  int env = lua_gettop(L);
  if (!lua_istable(L, env) || strcmp(use->kind, "global") == 0)
    count = lua_istable(L, env) ? add_names(L, env, names, count) : 0;
  for (size_t i = 0; lua_istable(L, env) && strcmp(use->kind, "field") == 0 && i < sizeof libraries / sizeof *libraries;
       i++) {
    lua_pushstring(L, libraries[i]);
    if (lua_rawget(L, env) == LUA_TTABLE) count = add_names(L, lua_gettop(L), names, count);
  }
  return sinew_nearest_name(use->name, names, count);
}

static const char *sentence_of(const char *verb) {
  if (strcmp(verb, "call") == 0) return "is nil, so it cannot be called";
  if (strcmp(verb, "index") == 0) return "is nil, so it has no fields";
  if (strcmp(verb, "length") == 0) return "is nil, so it has no length";
  if (strcmp(verb, "concatenate") == 0) return "is nil; only texts and numbers can be joined";
  return "is nil, and a calculation needs a number";
}

static bool is_outside(const char *name) {
  static const char *const names[] = {"getenv", "execute", "exit", "remove", "rename", "tmpname", "setlocale"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

/* Replaces the message on the top by a sentence, if it is one of Lua's about nil; what is before it stays. */
void nil_words(lua_State *L) {
  nil_use use;
  int top = lua_gettop(L);
  const char *message = lua_tostring(L, top), *at = message ? strstr(message, "attempt to ") : NULL;
  if (!at || !read_use(at, &use)) return;
  const char *rest = at + strcspn(at, "\n"), *near = use.name[0] ? nearest(L, &use) : NULL;
  lua_pushlstring(L, message, (size_t)(at - message));
  if (strcmp(use.kind, "field") == 0 && is_outside(use.name) && strcmp(use.verb, "call") == 0)
    lua_pushfstring(
        L,
        "os.%s is not available to scenes, which cannot access files or processes themselves; sinew run --trust "
        "opens all of Lua",
        use.name);
  else if (strcmp(use.type, "nil") != 0)
    lua_pushfstring(L, "'%s' is a %s and no function: write it without parentheses", use.name[0] ? use.name : "this",
                    use.type);
  else lua_pushfstring(L, use.name[0] ? "'%s' %s" : "a value%s %s", use.name, sentence_of(use.verb));
  if (near && strcmp(use.type, "nil") == 0 && !is_outside(use.name)) lua_pushfstring(L, "; did you mean '%s'?", near);
  else lua_pushliteral(L, "");
  lua_pushstring(L, rest);
  lua_concat(L, 4);
  lua_replace(L, top);
  lua_settop(L, top);
}

/* ---- errors ---- */

/* Pushes the raised value as text. A table without __tostring is shown with its content. */
static const char *message_of(lua_State *L) {
  char shown[SHOWN];
  bool plain = lua_istable(L, 1) && luaL_getmetafield(L, 1, "__tostring") == LUA_TNIL;
  if (!plain) return luaL_tolstring(L, 1, NULL);
  show_value(L, 1, shown, sizeof shown);
  return lua_pushstring(L, shown);
}

static int on_error(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  lua_Debug info;
  message_of(L);
  nil_words(L);
  const char *message = lua_tostring(L, -1);
  place_from_message(scene, message);
  bool known = lua_level(L, 1, &info) && info.source[0] == '@';
  int line = known ? line_in(message, &info) : 0;
  if (known && (line || !scene->failure_line)) {
    declarations_copy(scene->failure_location, sizeof scene->failure_location, info.source + 1);
    scene->failure_line = line ? line : info.currentline;
  }
  luaL_traceback(L, L, message, 1);
  char locals[768];
  if (scene->budget.over || !scene_level(L, &info)) return 1;
  show_locals(L, &info, locals, sizeof locals);
  lua_pushstring(L, locals);
  lua_concat(L, 2);
  return 1;
}

/* Lua has a single message for memory; the reason tells which limit was reached. */
static void take_failure(sinew_scene *scene, int status) {
  bool over = scene->budget.over != BUDGET_LEFT;
  if (status == LUA_ERRMEM && !over && !scene->is_guest) {
    lua_pop(scene->L, 1);
    lua_memory_push_reason(scene->L);
  }
  const char *message = lua_tostring(scene->L, -1);
  if (!message) message = "an error that is not text";
  if (!scene->failure_line) place_from_message(scene, message);
  declarations_copy(scene->failure, sizeof scene->failure, message);
  if (status == LUA_ERRMEM && over) budget_describe(scene, scene->failure, sizeof scene->failure);
  lua_pop(scene->L, 1);
}

bool scene_call(sinew_scene *scene, int arguments, int results) {
  lua_State *L = scene->L;
  int handler = lua_gettop(L) - arguments;
  budget_before before = budget_enter(scene);
  scene->failure_line = 0;
  scene->failure_location[0] = 0;
  lua_pushcfunction(L, on_error);
  lua_insert(L, handler);
  int status = lua_pcall(L, arguments, results, handler);
  lua_remove(L, handler);
  bool fine = status == LUA_OK;
  if (!fine) take_failure(scene, status);
  scene->struck = !fine && !scene->counts && scene->budget.over == BUDGET_TIME;
  budget_leave(scene, &before);
  if (scene->shakes) scene_shake(scene);
  if (fine) return true;
  if (status == LUA_ERRMEM) lua_gc(L, LUA_GCCOLLECT);
  return false;
}

bool scene_protect(sinew_scene *scene, lua_CFunction function, void *argument) {
  lua_State *L = scene->L;
  if (!lua_checkstack(L, 8)) {
    declarations_copy(scene->failure, sizeof scene->failure, "not enough memory");
    return false;
  }
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, argument);
  return scene_call(scene, 1, 0);
}
