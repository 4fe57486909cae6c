/* Load and reload as a transaction: a fresh environment, recorded declarations, and one commit at the end, or no change
 * at all. */
#include "core/api.h"
#include "core/scene.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

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
  epoch_push(L, "texts"); /* where the items of its tables stand */
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

/* The file's text is on the top. */
static void note_text(lua_State *L, const char *path) {
  sinew_scene *scene = scene_of(L);
  size_t size;
  const char *text = lua_tolstring(L, -1, &size);
  for (int i = 0; i < scene->file_count; i++)
    if (strcmp(scene->files[i].path, path) == 0) scene->files[i].next_hash = scene_hash(text, size);
}

static void push_chunk(lua_State *L, const char *path) {
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

static int run_module(lua_State *L, const char *name, const char *path) {
  lua_pushboolean(L, 1); /* a module that requires itself, by way of others, gets this far and no further */
  lua_setfield(L, 2, name);
  push_chunk(L, path);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
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

/* Fills the table on the top with what loads. */
static void add_modules(lua_State *L) {
  lua_pushcfunction(L, scene_require);
  lua_setfield(L, -2, "require");
  lua_pushcfunction(L, api_print);
  lua_setfield(L, -2, "print");
  api_push_sinew(L);
  lua_setfield(L, -2, "sinew");
  if (scene_of(L)->def.trust) return;
  lua_pushcfunction(L, sandbox_load);
  lua_setfield(L, -2, "load");
}

/* ---- the transaction ---- */

static int run_scene(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  epoch_begin(L);
  epoch_set_environment(L);
  epoch_push(L, "env");
  add_modules(L);
  lua_pop(L, 1);
  locals_begin(L);
  if (!scene->is_guest) {
    push_chunk(L, scene->path);
    lua_call(L, 0, 0);
  }
  keep_commit(L);
  graph_carry(L);
  return 0;
}

static void begin(sinew_scene *scene) {
  scene->loading = true;
  scene->next_seed_set = false;
  scene->next_help[0] = scene->restarts[0] = 0;
  random_seed(&scene->load_random, 1);
  for (int i = 0; i < scene->file_count; i++) scene->files[i].seen = false;
  declarations_begin(&scene->declarations);
}

static void forget_unseen_files(sinew_scene *scene) {
  int kept = 0;
  for (int i = 0; i < scene->file_count; i++)
    if (scene->files[i].seen) scene->files[kept++] = scene->files[i];
  scene->file_count = kept;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A file that is being written still lacks its end, or all of it. */
static bool breaks_off(const sinew_scene *scene) {
  return strstr(scene->failure, "near <eof>") || strstr(scene->failure, "' is empty");
}

static void undo(sinew_scene *scene) {
  declarations_rollback(&scene->declarations);
  epoch_end(scene->L, false);
  scene->loading = false;
}

static bool roll_back(sinew_scene *scene, sinew_error *error) {
  undo(scene);
  declarations_rename_back(&scene->declarations);
  if (scene->patient && breaks_off(scene)) {
    scene->again_at = seconds() + SCENE_PATIENCE;
    return declarations_fail(error, "%s", scene->failure);
  }
  scene->problem[0] = 0;
  scene_show_problem(scene, 0, "");
  return declarations_fail(error, "%s", scene->failure);
}

/* What runs draws on from where the load has stopped, so that it does not meet the same numbers again; a save with the
 * same seed leaves the sequence that is running alone. */
static void apply_seed(sinew_scene *scene) {
  bool changed = scene->next_seed_set != scene->seed_set || scene->next_seed != scene->seed;
  if (!scene->next_seed_set) scene->next_seed = 0;
  if (changed || !scene->loaded_once) scene->random = scene->load_random;
  scene->seed = scene->next_seed;
  scene->seed_set = scene->next_seed_set;
}

static void apply_help(sinew_scene *scene) {
  if (strcmp(scene->help, scene->next_help) == 0) return;
  declarations_copy(scene->help, sizeof scene->help, scene->next_help);
  sinew_host_set_help(scene->host, scene->help[0] ? scene->help : NULL);
}

/* Files whose text is not what it was: their code is new, whatever they declare. A module of Sinew's is never new. */
static void name_changed_files(const sinew_scene *scene, char *out, size_t size) {
  size_t used = 0;
  out[0] = 0;
  for (int i = 0; i < scene->file_count && used < size; i++) {
    const watched_file *file = scene->files + i;
    const char *slash = strrchr(file->path, '/');
    if (file->hash == file->next_hash || !script_is_own(file->path)) continue;
    int n = snprintf(out + used, size - used, "%s%s", used ? ", " : "", slash ? slash + 1 : file->path);
    used += n > 0 ? (size_t)n : 0;
  }
}

static void describe_changes(const sinew_scene *scene, char *out, size_t size) {
  const declarations *all = &scene->declarations;
  char files[200];
  name_changed_files(scene, files, sizeof files);
  if (all->untold) snprintf(out, size, "%s, and %d more", all->summary, all->untold);
  else if (all->changes) snprintf(out, size, "%s", all->summary);
  else if (files[0] && scene->loaded_once) snprintf(out, size, "new code in %s; nothing declared has changed", files);
  else snprintf(out, size, "nothing declared has changed");
}

static void tell(sinew_scene *scene, double started) {
  char changes[DECLARED_SUMMARY + 32];
  describe_changes(scene, changes, sizeof changes);
  snprintf(scene->summary, sizeof scene->summary, "%s in %.1f ms: %s%s%s", scene->loaded_once ? "reloaded" : "loaded",
           (seconds() - started) * 1e3, changes, scene->restarts[0] ? "; starts again: " : "", scene->restarts);
  if (!scene->loaded_once) return;
  sinew_host_toast(scene->host, scene->summary);
  declarations_say(&scene->declarations, SINEW_LOG_INFO, "%s", scene->summary);
}

static bool run(sinew_scene *scene) {
  begin(scene);
  return scene_protect(scene, run_scene, NULL);
}

/* What it prints has been read already where it runs again. An actor with another name may have a parameter with
 * another name. */
static bool run_by_new_names(sinew_scene *scene) {
  bool ran = run(scene);
  for (int i = 0; ran && i < 2 && declarations_rename(&scene->declarations); i++) {
    undo(scene);
    budget_begin_frame(scene);
    scene->silent = true;
    ran = run(scene);
    scene->silent = false;
  }
  return ran;
}

static bool load_scene(sinew_scene *scene, sinew_error *error) {
  sinew_error reason;
  double started = seconds();
  if (!run_by_new_names(scene)) return roll_back(scene, error);
  if (!declarations_commit(&scene->declarations, &reason)) {
    declarations_copy(scene->failure, sizeof scene->failure, reason.message);
    return roll_back(scene, error);
  }
  if (!scene->is_guest) locals_merge(scene);
  scene_protect(scene, keep_tell, NULL);
  scene_protect(scene, models_keep, NULL);
  epoch_end(scene->L, true);
  scene->loading = false;
  apply_seed(scene);
  apply_help(scene);
  scene_clear_problems(scene);
  scene->places_failed = false;
  forget_unseen_files(scene);
  loads_forget(scene);
  tell(scene, started);
  for (int i = 0; i < scene->file_count; i++) scene->files[i].hash = scene->files[i].next_hash;
  scene->loaded_once = true;
  return true;
}

bool scene_load(sinew_scene *scene, sinew_error *error) {
  void *locale = sinew_enter_c_locale();
  scene->again_at = 0;
  budget_begin_frame(scene);
  bool loaded = load_scene(scene, error);
  budget_begin_frame(scene);
  scene->frame_told = false;
  sinew_leave_c_locale(locale);
  return loaded;
}

/* A replay knows when the recorded run looked again. */
void scene_load_patiently(sinew_scene *scene) {
  scene->patient = !sinew_host_is_replay(scene->host);
  scene_load(scene, NULL);
  scene->patient = false;
}

void scene_load_again(sinew_scene *scene) {
  static const sinew_answer yes = {.data = "", .size = 0};
  sinew_answer then;
  bool is_time = scene->again_at > 0 && seconds() >= scene->again_at;
  if (is_time) sinew_host_note(scene->host, "again", scene->path, &yes);
  else if (scene->is_recorded) is_time = sinew_host_recall(scene->host, "again", scene->path, SINEW_RECALL_NOW, &then);
  if (is_time) scene_load(scene, NULL);
}
