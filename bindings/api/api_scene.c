/* What the module `sinew` says about the scene itself: callbacks, kept values, tests, help. */
#include "core/api.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHANGES = 256, ENTRIES = 1024 };

static int call_keep(lua_State *L) {
  lua_settop(L, 2);
  return keep_declare(L, lua_tostring(L, 1), 2);
}

static int call_on(lua_State *L) {
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
  return strncmp(entry->owner, "sinew.", 6) == 0 && strlen(name) > owner - 6 &&
         strncmp(name, entry->owner + 6, owner - 6) == 0 && name[owner - 6] == '.' &&
         strcmp(name + owner - 5, entry->name) == 0;
}

static const api_entry *find_entry(const char *name) {
  for (const api_entry *const *table = api_tables; *table; table++) {
    for (const api_entry *e = *table; e->owner; e++)
      if (is_named(e, name)) return e;
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

/* "actor: name, position, …, play(), stop()"; false where nothing is called so. */
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

/* ---- simulate ---- */

typedef struct change {
  double time;
  const char *key; /* NULL: of the mouse */
  int button;      /* 0: it moves to x, y */
  bool turns;      /* its wheel, by y notches */
  float x, y;
  bool down;
} change;

typedef struct changes {
  change items[CHANGES];
  int count;
} changes;

static void add_change(lua_State *L, changes *all, const change *item) {
  if (all->count == CHANGES) luaL_error(L, "sinew.simulate: more than %d changes of keys and mouse", CHANGES);
  all->items[all->count++] = *item;
}

/* "+w" presses, "-w" lets go, "w" does both. Returns the name without its sign. */
static const char *add_press(lua_State *L, changes *all, change *item, const char *name, double dt) {
  bool sign = (name[0] == '+' || name[0] == '-') && name[1];
  item->down = !sign || name[0] == '+';
  if (item->key) item->key += sign;
  add_change(L, all, item);
  if (sign) return name + 1;
  item->down = false;
  item->time += dt;
  add_change(L, all, item);
  return name;
}

/* { seconds, "+w" } */
static void read_key(lua_State *L, double dt, changes *all) {
  if (lua_type(L, -2) != LUA_TNUMBER || lua_type(L, -1) != LUA_TSTRING) {
    luaL_error(L, "sinew.simulate: keys is a list such as { { 0, \"+w\" }, { 2, \"space\" } }");
  }
  const char *name = lua_tostring(L, -1);
  lua_pushstring(L, add_press(L, all, &(change){.time = lua_tonumber(L, -2), .key = name}, name, dt));
  api_check_value(L, lua_gettop(L), "key", 3, "sinew.simulate: keys");
}

/* { seconds, x, y }, { seconds, "+left" } or { seconds, "wheel", notches } */
static void read_mouse(lua_State *L, double dt, changes *all) {
  static const char *const buttons[] = {"left", "right", "middle"};
  change item = {.time = lua_tonumber(L, -3)};
  const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
  bool is_sign = name && (name[0] == '+' || name[0] == '-');
  for (int i = 0; name && i < 3; i++)
    if (strcmp(name + is_sign, buttons[i]) == 0) item.button = i + 1;
  item.turns = name && strcmp(name, "wheel") == 0;
  bool is_move = (lua_type(L, -2) == LUA_TNUMBER || item.turns) && lua_type(L, -1) == LUA_TNUMBER;
  if (lua_type(L, -3) != LUA_TNUMBER || (!is_move && item.button == 0))
    luaL_error(L, "sinew.simulate: mouse is a list such as { { 0, 320, 200 }, { 0.1, \"+left\" }, { 0.5, \"-left\" }, "
                  "{ 1, \"wheel\", -2 } }");
  item.x = (float)lua_tonumber(L, -2);
  item.y = (float)lua_tonumber(L, -1);
  if (is_move) add_change(L, all, &item);
  else add_press(L, all, &item, name, dt);
}

/* The lists stay on the stack: they hold the names. */
static void read_changes(lua_State *L, const char *option, double dt, changes *all) {
  bool is_mouse = option[0] == 'm';
  if (!option_push(L, 1, option)) return;
  int list = lua_gettop(L);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, list); i++) {
    if (lua_rawgeti(L, list, i) != LUA_TTABLE) luaL_error(L, "sinew.simulate: %s is a list of lists", option);
    int item = lua_gettop(L);
    for (int k = 1; k <= (is_mouse ? 3 : 2); k++) lua_rawgeti(L, item, k);
    if (is_mouse) read_mouse(L, dt, all);
    else read_key(L, dt, all);
    lua_settop(L, list);
  }
}

static void send_change(sinew_host *host, const change *c) {
  if (c->key) sinew_host_send_key(host, c->key, c->down);
  else if (c->button) sinew_host_send_button(host, c->button, c->down);
  else if (c->turns) sinew_host_send_wheel(host, c->y);
  else sinew_host_send_mouse(host, c->x, c->y);
}

static void send_due(sinew_scene *scene, const changes *all, double from, double to) {
  for (int i = 0; i < all->count; i++)
    if (all->items[i].time >= from && all->items[i].time < to) send_change(scene->host, &all->items[i]);
}

static const double step = 1.0 / 60.0;

static void simulate(lua_State *L, int64_t frames, const changes *all) {
  sinew_scene *scene = scene_of(L);
  sinew_error error;
  for (int64_t frame = 0; frame < frames; frame++) {
    send_due(scene, all, ((double)frame - 0.5) * step, ((double)frame + 0.5) * step);
    if (!sinew_host_step(scene->host, step, &error)) luaL_error(L, "sinew.simulate: %s", error.message);
    if (scene->problem[0]) luaL_error(L, "sinew.simulate: frame %d: %s", (int)frame + 1, scene->problem);
    budget_rest(scene);
    budget_charge(L, 10);
  }
}

static int call_simulate(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  lua_settop(L, 1);
  if (!scene->testing) return luaL_error(L, "sinew.simulate works inside sinew.test() only");
  if (L != scene->L) return luaL_error(L, "sinew.simulate cannot run inside a coroutine");
  if (scene->in_frame) return luaL_error(L, "sinew.simulate cannot run inside a frame: call it from sinew.test itself");
  double seconds = option_number(L, 1, "seconds", 0), frames = option_number(L, 1, "frames", 0);
  if (seconds > 0 && frames > 0) return luaL_error(L, "sinew.simulate: give seconds or frames, not both");
  if (seconds > 0) frames = floor(seconds / step + 0.5);
  if (frames > 1e6) return luaL_error(L, "sinew.simulate: at most a million frames");
  changes *all = lua_newuserdatauv(L, sizeof *all, 0);
  all->count = 0;
  read_changes(L, "keys", step, all);
  read_changes(L, "mouse", step, all);
  simulate(L, (int64_t)frames, all);
  return 0;
}

#define CALLBACK(name, type, doc)                                                                                      \
  { "sinew", name, API_CALLBACK, type, "", doc, .get = get_callback, .set = set_callback }

const api_entry api_scene_entries[] = {
    {"sinew", "keep", API_FUNCTION, "name: string, defaults?: table", "table",
     "A table that survives saves. If a default changes in the file, it replaces the value; other values stay.",
     .call = call_keep},
    {"sinew", "on", API_FUNCTION, "event: event, handler: function", "",
     "Adds a handler next to the callback of that name. Modules use this.", .call = call_on},
    {"sinew", "simulate", API_FUNCTION, "options: simulate_options", "",
     "In sinew.test(): runs the scene for a while, with keys and mouse.", .call = call_simulate},
    {"sinew", "help", API_FUNCTION, "name?: string", "string",
     "Prints the description of a name, sinew.help(\"actor.play\"), or lists names, sinew.help(\"actor\").",
     .call = call_help},
    {"sinew", "help_text", API_FIELD, "string", "", "The help line that the window shows at first.",
     .get = get_help_text, .set = set_help_text},
    {"sinew", "test", API_FIELD, "function|nil", "", "What `sinew test` runs; an error is a failure.", .get = get_test,
     .set = set_test},
    {"sinew", "tests", API_FIELD, "table", "",
     "More tests by name: function sinew.tests.waves() … end. Each gets a freshly loaded scene.", .get = get_tests},
    CALLBACK("update", "function|nil", "function(dt): runs before each frame."),
    CALLBACK("draw", "function|nil", "function(): runs after actors have moved; draw widgets and lines here."),
    CALLBACK("key_pressed", "function|nil", "function(key)."),
    CALLBACK("key_released", "function|nil", "function(key)."),
    CALLBACK("mouse_pressed", "function|nil", "function(x, y, button): 1 left, 2 right, 3 middle."),
    CALLBACK("mouse_released", "function|nil", "function(x, y, button)."),
    CALLBACK("file_dropped", "function|nil", "function(path): a file was dropped on the window."),
    {0}};
