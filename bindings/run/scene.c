#include "core/scene.h"
#include "core/api.h"
#include "declare/kinds/declared_crowd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

sinew_scene_def sinew_scene_def_default(void) {
  return (sinew_scene_def){
      .count_instructions = true, .instruction_limit = 50 * 1000 * 1000, .memory_limit = (size_t)512 << 20};
}

static void *heap(void *user, void *pointer, size_t size) {
  (void)user;
  if (size > 0) return realloc(pointer, size);
  free(pointer);
  return NULL;
}

/* ---- opening ---- */

static int open_state(lua_State *L) {
  lua_memory_open(L);
  environment_open(L);
  api_open(L);
  return 0;
}

static void set_folder(sinew_scene *scene) {
  const char *slash = strrchr(scene->path, '/');
  declarations_copy(scene->folder, sizeof scene->folder, slash ? scene->path : ".");
  if (slash) scene->folder[slash == scene->path ? 1 : slash - scene->path] = 0;
}

static bool open_lua(sinew_scene *scene, sinew_error *error) {
  scene->budget.limit = scene->def.instruction_limit;
  scene->L = lua_newstate(lua_memory, scene);
  if (!scene->L) return declarations_fail(error, "out of memory for Lua");
  memcpy(lua_getextraspace(scene->L), &scene, sizeof scene);
  budget_open(scene);
  if (scene_protect(scene, open_state, NULL)) return true;
  return declarations_fail(error, "Lua could not be started: %s", scene->failure);
}

static sinew_allocator allocator_of(const sinew_scene_def *def) {
  return def->allocator ? *def->allocator : (sinew_allocator){heap, NULL};
}

static void init(sinew_scene *scene, sinew_host *host, const char *path, const sinew_scene_def *def, bool is_recorded) {
  memset(scene, 0, sizeof *scene);
  scene->host = host;
  scene->def = scene->live = *def;
  scene->shakes = getenv("SINEW_SHAKE") != NULL;
  scene->is_recorded = is_recorded;
  scene->declarations =
      (declarations){.allocator = allocator_of(def), .host = host, .stage = sinew_host_stage(host), .epoch = 1};
  declarations_copy(scene->path, sizeof scene->path, path);
  set_folder(scene);
  scene_init_roots(scene);
  sinew_stage_set_conditions(scene->declarations.stage, graph_condition, scene);
}

static sinew_scene *create_empty(sinew_host *host, const char *path, const sinew_scene_def *def, bool is_recorded) {
  sinew_allocator allocator = allocator_of(def);
  sinew_scene *scene = allocator.reallocate(allocator.user, NULL, sizeof *scene);
  if (scene) init(scene, host, path, def, is_recorded);
  return scene;
}

/* The state of a path: −1 nothing there, 0 unreadable, 1 an empty file, 2 text. */
static int look_at(const char *path) {
  struct stat info;
  if (strlen(path) >= SCENE_PATH || stat(path, &info) != 0) return -1;
  FILE *file = script_open(path);
  if (!file) return 0;
  int found = fgetc(file) != EOF ? 2 : feof(file) ? 1 : 0;
  fclose(file);
  return found;
}

/* The file of a scene, in `out`: for a folder, its main.lua. */
static bool find_file(const char *path, char out[SCENE_PATH], sinew_error *error) {
  size_t length = strlen(path);
  bool slash = length > 0 && path[length - 1] == '/';
  int found = look_at(path), size = snprintf(out, SCENE_PATH, "%s%smain.lua", path, slash ? "" : "/");
  if (found != 2 && size < SCENE_PATH && look_at(out) == 2) return true;
  declarations_copy(out, SCENE_PATH, path);
  if (found == 2) return true;
  if (found == 1) return declarations_fail(error, "the scene '%s' is empty", path);
  if (found < 0) return declarations_fail(error, "there is no scene '%s'", path);
  return declarations_fail(error, "the scene '%s' is not a file that can be read, nor a folder with a main.lua", path);
}

/* The scene of the run that the host replays. */
static bool recall_file(sinew_host *host, char out[SCENE_PATH], sinew_error *error) {
  sinew_answer answer;
  bool known = sinew_host_recall(host, "scene", "path", SINEW_RECALL_LAST, &answer) && answer.size < SCENE_PATH;
  if (!known) return declarations_fail(error, "the recording has no scene: name one");
  memcpy(out, answer.data, answer.size);
  out[answer.size] = 0;
  return true;
}

/* Models arrive when they arrived in the recorded run. */
static void recall_waits(sinew_scene *scene) {
  sinew_answer answer;
  if (sinew_host_recall(scene->host, "scene", "waits", SINEW_RECALL_LAST, &answer))
    scene->def.always_wait = answer.size > 2;
  else
    outside_note_text(scene, "scene", "waits", scene->def.always_wait ? "yes" : "no", scene->def.always_wait ? 3 : 2);
}

sinew_scene *sinew_scene_create(sinew_host *host, const char *path, const sinew_scene_def *def, sinew_error *error) {
  sinew_scene_def defaults = sinew_scene_def_default();
  char file[SCENE_PATH];
  bool found = path ? find_file(path, file, error) : recall_file(host, file, error);
  if (!found) return NULL;
  sinew_scene *scene = create_empty(host, file, def ? def : &defaults, !path);
  if (!scene) {
    declarations_fail(error, "out of memory for the scene '%s'", file);
    return NULL;
  }
  recall_waits(scene);
  outside_note_text(scene, "scene", "path", file, strlen(file));
  bool stays = sinew_host_output(host) == SINEW_OUTPUT_WINDOW || scene->is_recorded; /* that run went on, too */
  bool opened = open_lua(scene, error);
  if (opened && (scene_load(scene, error) || stays)) return scene;
  sinew_scene_destroy(scene);
  return NULL;
}

static int open_guest(lua_State *L) {
  api_open(L);
  return 0;
}

sinew_scene *scene_create_guest(sinew_host *host, lua_State *L, sinew_error *error) {
  sinew_scene_def def = sinew_scene_def_default();
  def.trust = def.always_wait = true;
  def.instruction_limit = INT64_MAX;
  sinew_scene *scene = lua_newuserdatauv(L, sizeof *scene, 0); /* lives until all finalizers have run */
  init(scene, host, "", &def, false);
  lua_rawsetp(L, LUA_REGISTRYINDEX, scene);
  scene->is_guest = scene->testing = true; /* testing: only sinew.simulate lets time pass */
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  scene->L = lua_tothread(L, -1);
  lua_pop(L, 1);
  memcpy(lua_getextraspace(scene->L), &scene, sizeof scene); /* coroutines made later inherit it */
  memcpy(lua_getextraspace(L), &scene, sizeof scene);
  scene->budget.limit = def.instruction_limit;
  if (scene_protect(scene, open_guest, NULL) && scene_load(scene, error)) return scene;
  declarations_fail(error, "sinew could not be opened: %s", scene->failure);
  sinew_scene_destroy(scene);
  return NULL;
}

void sinew_scene_destroy(sinew_scene *scene) {
  if (!scene) return;
  sinew_error ignored; /* it was printed */
  sinew_stage_set_conditions(scene->declarations.stage, NULL, NULL);
  sinew_scene_end_bakes(scene, &ignored);
  declarations_clear(&scene->declarations);
  declarations_free(&scene->declarations, scene->declarations.lines);
  declarations_free(&scene->declarations, scene->saved_pose);
  loads_clear(scene);
  undo_clear(scene);
  budget_close(scene);
  if (scene->is_guest) models_close(scene->L);
  scene->closed = true;
  if (scene->is_guest) return;
  if (scene->L) lua_close(scene->L);
  declarations_free(&scene->declarations, scene);
}

bool sinew_scene_reload(sinew_scene *scene, sinew_error *error) { return scene_load(scene, error); }

bool sinew_scene_restart(sinew_scene *scene, sinew_error *error) {
  sinew_error ignored; /* it was printed */
  sinew_scene_end_bakes(scene, &ignored);
  declarations_clear(&scene->declarations);
  loads_clear(scene);
  lua_gc(scene->L, LUA_GCSTOP); /* forgetting allocates nothing */
  epoch_forget(scene->L);
  lua_gc(scene->L, LUA_GCRESTART);
  *sinew_host_camera(scene->host) = sinew_camera_default();
  *sinew_host_light(scene->host) = sinew_light_default();
  scene->loaded_once = scene->seed_set = false;
  scene->time_before = sinew_host_time(scene->host);
  scene->frames_before = sinew_host_frame(scene->host);
  scene->begins = true;
  return scene_load(scene, error);
}

/* Its first frame may be the one in which somebody pressed the key for it. */
static void begin_again(sinew_scene *scene, double dt) {
  if (!scene->begins) return;
  scene->begins = false;
  scene->time_before = sinew_host_time(scene->host) - dt;
  scene->frames_before = sinew_host_frame(scene->host) - 1;
}

/* ---- callbacks ---- */

static const loads_listener loads_followed = {.settled = model_settle, .arrived = queue_run, .renewed = scene_load};

static void app_update(void *user, double dt) {
  sinew_scene *scene = user;
  event_argument argument = {.number = dt};
  begin_again(scene, dt);
  call_lock_opened(scene);
  scene_load_again(scene);
  if (scene->forgets) scene->forgets = false, scene_load(scene, NULL);
  loads_update(scene, &loads_followed);
  stubs_refresh(scene);
  bakes_advance(scene, dt);
  declarations_update(&scene->declarations, dt);
  grounds_update(scene);
  graph_forget_removed(scene);
  scene->in_frame = true;
  sinew_host_begin_callback(scene->host);
  event_fire(scene, "update", &argument, 1);
  sinew_host_end_callback(scene->host, "update");
  motors_update(scene, dt);
  graph_place_samples(scene);
  rig_update(scene);
  call_lock_opened(scene);
  declarations_weigh_crowds(&scene->declarations);
  scene->in_frame = false;
}

static void app_draw(void *user) {
  sinew_scene *scene = user;
  call_lock_opened(scene);
  loads_draw(scene);
  bakes_record(scene);
  scene->in_frame = true;
  sinew_host_begin_callback(scene->host);
  events_deliver(scene);
  sinew_host_end_callback(scene->host, "events");
  sinew_host_begin_callback(scene->host);
  event_fire(scene, "draw", NULL, 0);
  sinew_host_end_callback(scene->host, "draw");
  scene->in_frame = false;
  budget_begin_frame(scene);
}

/* The keys W, B and G belong to the script. */
static void toggle_view(sinew_scene *scene, const char *key) {
  sinew_view_options *view = sinew_host_view(scene->host);
  if (strcmp(key, "f1") == 0) view->inspector = !view->inspector;
  if (strcmp(key, "f2") == 0) view->wireframe = !view->wireframe;
  if (strcmp(key, "f3") == 0) view->stats = !view->stats;
  if (strcmp(key, "f4") == 0) view->surface = (sinew_surface)((view->surface + 1) % SINEW_SURFACE_COUNT);
  if (strcmp(key, "f5") == 0) view->skeleton = !view->skeleton;
  if (strcmp(key, "f10") == 0) view->graph = !view->graph;
}

static void app_key(void *user, const char *key, bool down, bool ctrl) {
  sinew_scene *scene = user;
  event_argument argument = {.text = key};
  if (down && ctrl && strcmp(key, "r") == 0 && !scene->testing) {
    sinew_scene_restart(scene, NULL);
    return;
  }
  if (down && ctrl && strcmp(key, "c") == 0 && scene->problem[0]) { /* message and traceback */
    if (sinew_host_set_clipboard(scene->host, scene->problem)) sinew_host_toast(scene->host, "the error is copied");
    return;
  }
  if (down && ctrl && strcmp(key, "z") == 0 && scene->writes.count > 0) {
    char answer[512];
    sinew_scene_undo(scene, answer, sizeof answer);
    sinew_host_toast(scene->host, answer);
    return;
  }
  if (down) toggle_view(scene, key);
  if (down && strcmp(key, "escape") == 0) loads_cancel(scene);
  event_fire(scene, down ? "key_pressed" : "key_released", &argument, 1);
}

static void app_mouse(void *user, int button, bool down) {
  sinew_scene *scene = user;
  float x, y;
  sinew_host_mouse(scene->host, &x, &y);
  event_argument arguments[] = {{.number = (double)x}, {.number = (double)y}, {.number = button, .whole = true}};
  event_fire(scene, down ? "mouse_pressed" : "mouse_released", arguments, 3);
}

static void app_drop(void *user, const char *path) {
  event_argument argument = {.text = path};
  event_fire(user, "file_dropped", &argument, 1);
}

static bool is_script(const sinew_scene *scene, const char *path) {
  for (int i = 0; i < scene->file_count; i++)
    if (strcmp(scene->files[i].path, path) == 0) return true;
  return false;
}

typedef struct change {
  const char *path;
  bool is_part;
  folder_news news;
} change;

static int change_model(lua_State *L) {
  change *c = lua_touserdata(L, 1);
  c->is_part = model_file_changed(L, c->path, true);
  return 0;
}

static int find_part(lua_State *L) {
  change *c = lua_touserdata(L, 1);
  c->is_part = model_file_changed(L, c->path, false);
  return 0;
}

static int change_folder(lua_State *L) {
  change *c = lua_touserdata(L, 1);
  c->news = model_folder_changed(L, c->path);
  return 0;
}

/* In a folder of clips, only a new file matters: the scene runs again and finds it. A model's files are loaded in the
 * background. */
static change take_change(sinew_scene *scene, const char *path) {
  change c = {.path = path, .news = FOLDER_OF_NONE};
  if (!scene->loaded_once || is_script(scene, path)) return c;
  if (scene_protect(scene, change_folder, &c) && c.news == FOLDER_OF_NONE) scene_protect(scene, change_model, &c);
  return c;
}

/* Scripts that change together with models wait for these, because they may need their new content. */
static void app_files_changed(void *user, const char *const *paths, int count) {
  sinew_scene *scene = user;
  bool own_scripts = sinew_host_is_replay(scene->host) && !scene->is_recorded; /* recorded saves are not for them */
  bool models = false, runs = false;
  for (int i = 0; i < count; i++) {
    change c = take_change(scene, paths[i]);
    models = models || c.is_part;
    runs = runs || (!c.is_part && c.news != FOLDER_AS_IT_WAS);
  }
  if (!runs || own_scripts) return;
  scene->waits_for_models = models;
  if (!models) scene_load_patiently(scene);
}

/* Scripts that are about to run tell which files they need; if they still need this one, they fail. */
static bool app_has_file(void *user, const char *path) {
  sinew_scene *scene = user;
  change c = {.path = path};
  return !scene->waits_for_models && (is_script(scene, path) || (scene_protect(scene, find_part, &c) && c.is_part));
}

static bool app_mark_text(void *user, sinew_actor actor, int index, char *out, size_t size) {
  return scene_mark_sentence(user, actor, index, out, size);
}

static bool app_cause_text(void *user, sinew_actor actor, const sinew_cause *cause, char *out, size_t size) {
  return scene_cause_sentence(user, actor, cause, out, size);
}

static bool app_evaluate(void *user, const char *text, char *answer, size_t size) {
  return sinew_scene_evaluate(user, text, answer, size);
}

static int app_complete(void *user, const char *text, int *from, char *names, size_t size) {
  return sinew_scene_complete(user, text, from, names, size);
}

static bool app_write(void *user, const sinew_edit *edit, char *answer, size_t size) {
  return sinew_scene_write(user, edit, answer, size);
}

static bool app_locate(void *user, const char *name, char *path, size_t size) {
  return sinew_scene_locate(user, name, path, size);
}

static bool app_failed(void *user) {
  const sinew_scene *scene = user;
  return scene->problem[0] != 0;
}

sinew_app sinew_scene_app(sinew_scene *scene) {
  return (sinew_app){.user = scene,
                     .update = app_update,
                     .draw = app_draw,
                     .key = app_key,
                     .mouse = app_mouse,
                     .drop = app_drop,
                     .files_changed = app_files_changed,
                     .has_file = app_has_file,
                     .failed = app_failed,
                     .mark_text = app_mark_text,
                     .cause_text = app_cause_text,
                     .evaluate = app_evaluate,
                     .complete = app_complete,
                     .write = app_write,
                     .control = scene_control,
                     .set_control = scene_set_control,
                     .locate = app_locate,
                     .again = scene_again,
                     .end = scene_end,
                     .moved = scene_moved};
}

/* ---- questions ---- */

const char *sinew_scene_problem(const sinew_scene *scene) { return scene->problem[0] ? scene->problem : NULL; }
const char *sinew_scene_summary(const sinew_scene *scene) { return scene->summary; }
int sinew_scene_file_count(const sinew_scene *scene) { return scene->file_count; }

const char *sinew_scene_file(const sinew_scene *scene, int index) {
  return index >= 0 && index < scene->file_count ? scene->files[index].path : NULL;
}

int sinew_scene_handler_count(const sinew_scene *scene, const char *event) {
  return event_count((sinew_scene *)(uintptr_t)scene, event);
}

sinew_actor sinew_scene_find_actor(const sinew_scene *scene, const char *name) {
  const actor_record *record = declarations_find_actor(&scene->declarations, name);
  return record ? record->actor : (sinew_actor){0};
}
