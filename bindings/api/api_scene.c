/* The part of the module `sinew` that is about the scene itself: callbacks, kept values, tests, help. */
#include "core/api.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ENTRIES = 1024 };

static int call_keep(lua_State *L) {
  lua_settop(L, 2);
  return keep_declare(L, lua_tostring(L, 1), 2);
}

static int call_forget(lua_State *L) {
  held_forget(L, lua_tostring(L, 1));
  return 0;
}

static int call_on(lua_State *L) {
  note_repeated(L, "adds a handler", "each stays; add it once");
  event_add(L, lua_tostring(L, 1), 2, false);
  return 0;
}

static void get_callback(lua_State *L, const api_entry *entry) { event_push_assigned(L, entry->name); }
static void set_callback(lua_State *L, const api_entry *entry) { event_add(L, entry->name, 3, true); }

static void get_test(lua_State *L, const api_entry *entry) {
  (void)entry;
  epoch_push(L, "test");
}

static void set_test(lua_State *L, const api_entry *entry) {
  (void)entry;
  epoch_set(L, "test", 3);
}

static void get_tests(lua_State *L, const api_entry *entry) {
  (void)entry;
  epoch_push(L, "tests");
}

/* ---- help ---- */

static void get_help_text(lua_State *L, const api_entry *entry) {
  const sinew_scene *scene = scene_of(L);
  (void)entry;
  lua_pushstring(L, scene->loading ? scene->next_help : scene->help);
}

static void set_help_text(lua_State *L, const api_entry *entry) {
  sinew_scene *scene = scene_of(L);
  (void)entry;
  declarations_copy(scene->loading ? scene->next_help : scene->help, sizeof scene->help, lua_tostring(L, 3));
  if (!scene->loading) sinew_host_set_help(scene->host, scene->help);
}

static bool is_named(const api_entry *entry, const char *name) {
  size_t owner = strlen(entry->owner);
  bool whole = strncmp(name, entry->owner, owner) == 0 && (name[owner] == '.' || name[owner] == ':');
  if (whole && strcmp(name + owner + 1, entry->name) == 0) return true;
  return false;
}

/* camera.position is short for sinew.camera.position. */
static bool is_named_in_short(const api_entry *entry, const char *name) {
  size_t owner = strlen(entry->owner);
  return strncmp(entry->owner, "sinew.", 6) == 0 && strlen(name) > owner - 6 &&
         strncmp(name, entry->owner + 6, owner - 6) == 0 && name[owner - 6] == '.' &&
         strcmp(name + owner - 5, entry->name) == 0;
}

static const api_entry *find_entry(const char *name) {
  for (const api_entry *const *table = api_tables; *table; table++) {
    for (const api_entry *e = *table; e->owner; e++)
      if (is_named(e, name)) return e;
  }
  for (const api_entry *const *table = api_tables; *table; table++) {
    for (const api_entry *e = *table; e->owner; e++)
      if (is_named_in_short(e, name)) return e;
  }
  return NULL;
}

static int unknown_help(lua_State *L, const char *name) {
  static char names[ENTRIES][64]; /* one thread */
  const char *candidates[ENTRIES];
  int count = 0;
  for (const api_entry *const *table = api_tables; *table; table++) {
    for (const api_entry *e = *table; e->owner && count < ENTRIES; e++, count++) {
      snprintf(names[count], sizeof names[count], "%s.%s", e->owner, e->name);
      candidates[count] = names[count];
    }
  }
  return api_unknown(L, "sinew.help: nothing is called", name, "", candidates, count);
}

/* "actor: name, position, …, play(), stop()"; false if there is no such owner. */
static bool list_members(lua_State *L, const char *owner) {
  luaL_Buffer b;
  int count = 0;
  luaL_buffinit(L, &b);
  for (const api_entry *const *table = api_tables; *table; table++) {
    for (const api_entry *e = *table; e->owner; e++) {
      if (strcmp(e->owner, owner) != 0) continue;
      luaL_addstring(&b, count++ ? ", " : ": ");
      luaL_addstring(&b, e->name);
      if (e->call) luaL_addstring(&b, "()");
    }
  }
  luaL_pushresult(&b);
  lua_pushstring(L, owner);
  lua_insert(L, -2);
  lua_concat(L, 2);
  return count > 0;
}

static int call_help(lua_State *L) {
  const char *name = luaL_optstring(L, 1, "sinew");
  const api_entry *entry = find_entry(name);
  if (!entry && list_members(L, name)) {
    scene_print(scene_of(L), SINEW_LOG_INFO, lua_tostring(L, -1));
    return 1;
  }
  if (!entry) return unknown_help(L, name);
  const char *full = api_full_name(L, entry);
  bool callable = entry->kind == API_FUNCTION || entry->kind == API_METHOD;
  lua_pushfstring(L, callable ? "%s(%s)%s%s\n  %s" : "%s: %s%s%s\n  %s", full, entry->spec,
                  entry->result[0] ? " → " : "", entry->result, entry->doc);
  scene_print(scene_of(L), SINEW_LOG_INFO, lua_tostring(L, -1));
  return 1;
}

#define CALLBACK(name, type, doc)                                                                                      \
  { "sinew", name, API_CALLBACK, type, "", doc, .get = get_callback, .set = set_callback }

const api_entry api_scene_entries[] = {
    {"sinew", "keep", API_FUNCTION, "name: string, defaults?: table", "table",
     "A table that survives saves. If a default changes in the file, it replaces the value; other values stay.",
     .call = call_keep},
    {"sinew", "forget", API_FUNCTION, "name: string", "",
     "Starts the variable or the kept table of that name anew: it is again what the scripts declare.",
     .call = call_forget},
    {"sinew", "on", API_FUNCTION, "event: event, handler: function", "",
     "Adds a handler next to the callback of that name. Modules use this.", .call = call_on},
    {"sinew", "simulate", API_FUNCTION, "options: simulate_options", "",
     "In sinew.test(): runs the scene for a while, with keys and mouse.", .call = test_simulate},
    {"sinew", "check", API_FUNCTION, "value?: any, message?: string", "any",
     "In sinew.test(): if the value is false or nil, notes a failure with its line and the values in the expression, "
     "and "
     "goes on; the test fails at its end. Returns the value.",
     .call = scene_check},
    {"sinew", "help", API_FUNCTION, "name?: string", "string",
     "Prints the description of a name, sinew.help(\"actor.play\"), or lists names, sinew.help(\"actor\").",
     .call = call_help, .cost = 1000},
    {"sinew", "help_text", API_FIELD, "string", "", "The help line that the window shows at first.",
     .get = get_help_text, .set = set_help_text},
    {"sinew", "test", API_FIELD, "function|nil", "", "The function that `sinew test` runs; an error is a failure.",
     .get = get_test, .set = set_test},
    {"sinew", "tests", API_FIELD, "table", "",
     "More tests by name: function sinew.tests.waves() … end. Each gets a freshly loaded scene.", .get = get_tests},
    CALLBACK("update", "function|nil",
             "function(dt): runs before each frame; dt is the scene time since the "
             "last frame, in seconds."),
    CALLBACK("draw", "function|nil", "function(): runs after actors have moved; draw widgets and lines here."),
    CALLBACK("key_pressed", "function|nil", "function(key)."),
    CALLBACK("key_released", "function|nil", "function(key)."),
    CALLBACK("mouse_pressed", "function|nil", "function(x, y, button): 1 left, 2 right, 3 middle."),
    CALLBACK("mouse_released", "function|nil", "function(x, y, button)."),
    CALLBACK("file_dropped", "function|nil", "function(path): a file was dropped on the window."),
    CALLBACK("reloaded", "function|nil",
             "function(old): after a save; old has the variables of the last version by name, for what no rule carries "
             "over."),
    {0}};
