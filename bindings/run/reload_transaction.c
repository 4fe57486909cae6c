/* The reload transaction. A load runs the scripts in a fresh environment and records what they declare. One commit at
 * the end applies all of it; after an error nothing has changed, and the old scene keeps running. */
#include "core/api.h"
#include "core/scene.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static int run_scene(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  scene->load_serial = scene->memory_serial;
  epoch_begin(L);
  epoch_set_environment(L);
  epoch_push(L, "env");
  scene_add_modules(L);
  lua_pop(L, 1);
  locals_begin(L);
  if (!scene->is_guest) {
    scene_push_chunk(L, scene->path);
    lua_call(L, 0, 0);
  }
  keep_commit(L);
  graph_carry(L);
  return 0;
}

static void begin(sinew_scene *scene) {
  scene->loading = true;
  scene->waits_for_models = false;
  scene->next_seed_set = false;
  scene->awaited = 0;
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

/* Whether a script looks unfinished, as a file does that is still being written. */
static bool breaks_off(const sinew_scene *scene) {
  return strstr(scene->failure, "near <eof>") || strstr(scene->failure, "' is empty");
}

static void abandon(sinew_scene *scene) {
  declarations_rollback(&scene->declarations);
  epoch_end(scene->L, false);
  scene->loading = false;
}

static bool roll_back(sinew_scene *scene, sinew_error *error) {
  abandon(scene);
  declarations_rename_back(&scene->declarations);
  if (scene->patient && breaks_off(scene)) {
    scene->again_at = seconds() + SCENE_PATIENCE;
    return declarations_fail(error, "%s", scene->failure);
  }
  scene->problem[0] = 0;
  scene_show_problem(scene, 0, "");
  return declarations_fail(error, "%s", scene->failure);
}

/* The running scene continues with the numbers after those that the load has drawn, so that no number comes twice.
 * Saving with the same seed leaves a running sequence alone. */
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

/* Lists the files whose text has changed: their code is new, whatever they declare. Sinew's own modules never are.
 * Returns their number. */
static int name_changed_files(const sinew_scene *scene, char *out, size_t size) {
  size_t used = 0;
  int count = 0;
  out[0] = 0;
  for (int i = 0; i < scene->file_count; i++) {
    const watched_file *file = scene->files + i;
    const char *slash = strrchr(file->path, '/');
    if (file->hash == file->next_hash || !script_is_own(file->path)) continue;
    int n = snprintf(out + used, size - used, "%s%s", count++ ? ", " : "", slash ? slash + 1 : file->path);
    used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
  }
  return count;
}

/* If several files have changed together, names them, and lists the changes in the lines below. */
static void describe_changes(const sinew_scene *scene, char *out, size_t size) {
  const declarations *all = &scene->declarations;
  char files[200], which[240] = "";
  int count = name_changed_files(scene, files, sizeof files);
  if (count > 1 && scene->loaded_once) snprintf(which, sizeof which, "%d files (%s):\n", count, files);
  if (all->untold) snprintf(out, size, "%s%s, and %d more", which, all->summary, all->untold);
  else if (all->changes) snprintf(out, size, "%s%s", which, all->summary);
  else if (count && scene->loaded_once) snprintf(out, size, "new code in %s; nothing declared has changed", files);
  else snprintf(out, size, "nothing declared has changed");
}

static void tell(sinew_scene *scene, double started) {
  char changes[DECLARED_SUMMARY + 280], line[sizeof scene->summary];
  describe_changes(scene, changes, sizeof changes);
  snprintf(scene->summary, sizeof scene->summary, "%s in %.1f ms: %s%s%s", scene->loaded_once ? "reloaded" : "loaded",
           (seconds() - started) * 1e3, changes, scene->restarts[0] ? "; starts again: " : "", scene->restarts);
  if (!scene->loaded_once) return;
  sinew_host_toast(scene->host, scene->summary);
  memcpy(line, scene->summary, sizeof line);
  for (char *end = line; (end = strchr(end, '\n')); *end = ' ')
    ;
  declarations_say(&scene->declarations, SINEW_LOG_INFO, "%s", line);
}

/* Words that the load's text spells differently may be names of its declarations. */
static int spell(lua_State *L) {
  lua_settop(L, 0);
  epoch_push(L, "spelling");
  epoch_set_current(L, "renames", 1);
  scene_of(L)->keeps_renamed = keep_respell(L);
  epoch_push_current(L, "keep");
  lua_pushnil(L);
  bool keeps = lua_istable(L, 2) && lua_next(L, 2);
  lua_settop(L, 1);
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    const char *key = lua_tostring(L, 2);
    scene_of(L)->keeps_renamed |= key[0] == SPELLED_PART[0] && keeps;
    if (key[0] == SPELLED_PART[0]) declarations_spell(&scene_of(L)->declarations, key + 1, lua_tostring(L, 3));
    lua_settop(L, 2);
  }
  return 0;
}

static bool run(sinew_scene *scene) {
  begin(scene);
  return scene_protect(scene, run_scene, NULL);
}

/* The second run prints nothing, because its output has already been read. A renamed actor may have a renamed
 * parameter. */
static bool run_by_new_names(sinew_scene *scene) {
  bool ran = run(scene), again = false;
  scene->keeps_renamed = false;
  if (ran && scene->loaded_once && scene_protect(scene, spelling_find, NULL)) scene_protect(scene, spell, NULL);
  for (int i = 0; ran && i < 3 && (declarations_rename(&scene->declarations) || scene->keeps_renamed); i++) {
    again = true;
    scene->keeps_renamed = false;
    abandon(scene);
    budget_begin_frame(scene);
    scene->silent = true;
    ran = run(scene);
    scene->silent = false;
  }
  if (ran && again) scene_protect(scene, spelling_find, NULL); /* of variables, which are compared last */
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
  if (!scene->is_guest) held_merge(scene);
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
  scene->writes.moved_count = 0;
  scene->loaded_once = true;
  scene->stubs_due = true;
  return true;
}

static int drop_old_values(lua_State *L) {
  lua_pushnil(L);
  epoch_set_current(L, "old", lua_gettop(L));
  return 0;
}

/* Scripts can carry over what the rules cannot. */
static void tell_scripts(sinew_scene *scene) {
  event_fire(scene, "reloaded", &(event_argument){.field = "old"}, 1);
  scene_protect(scene, drop_old_values, NULL);
}

bool scene_load(sinew_scene *scene, sinew_error *error) {
  bool again = scene->loaded_once;
  void *locale = sinew_enter_c_locale();
  scene->again_at = 0;
  budget_begin_frame(scene);
  bool loaded = load_scene(scene, error);
  if (!loaded) scene_protect(scene, keep_respell_back, NULL);
  budget_begin_frame(scene);
  if (loaded && again) tell_scripts(scene);
  scene->frame_told = false;
  sinew_leave_c_locale(locale);
  return loaded;
}

/* A replay knows when the recorded run tried again. */
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
