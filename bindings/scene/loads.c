/* Models that are being loaded. A placeholder stands in for a model that is loaded for the first time. A model that is
 * already there is loaded again beside the old one, which stays until the scene can run with the new one. */
#include "scene/loads.h"
#include "declare/kinds/declared_crowd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Each is a process. */
enum { LOADS_AT_ONCE = 32 };

/* Seconds after which a wait is explained, and between two pictures during a wait. */
#define PATIENCE 0.5
#define PICTURE_PAUSE 0.1

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

model_load *load_find(const sinew_scene *scene, const sinew_model *stand_in) {
  for (int i = 0; stand_in && i < scene->load_count; i++)
    if (scene->loads[i]->stand_in == stand_in) return scene->loads[i];
  return NULL;
}

static model_load *find_anew(const sinew_scene *scene, const char *key) {
  for (int i = 0; i < scene->load_count; i++)
    if (!scene->loads[i]->stand_in && strcmp(scene->loads[i]->key, key) == 0) return scene->loads[i];
  return NULL;
}

static void drop(sinew_scene *scene, model_load *l) {
  for (int i = 0; i < scene->load_count; i++) {
    if (scene->loads[i] != l) continue;
    memmove(scene->loads + i, scene->loads + i + 1, (size_t)(scene->load_count - i - 1) * sizeof *scene->loads);
    scene->load_count--;
    break;
  }
  sinew_load_end(l->load);
  sinew_model_release(l->stand_in);
  sinew_model_release(l->model);
  declarations_free(&scene->declarations, l->key);
  declarations_free(&scene->declarations, l);
}

void loads_clear(sinew_scene *scene) {
  while (scene->load_count > 0) drop(scene, scene->loads[scene->load_count - 1]);
  declarations_free(&scene->declarations, scene->loads);
  scene->loads = NULL;
  scene->load_capacity = 0;
  sinew_host_set_progress(scene->host, NULL);
}

/* ---- begin ---- */

static bool is_running(const model_load *l) { return l->load || l->is_recalled; }

static bool is_coming(const sinew_scene *scene, const char *key) {
  return sinew_host_will_recall(scene->host, "arrival", key) || sinew_host_will_recall(scene->host, "model", key);
}

bool load_was_begun(const sinew_scene *scene, const char *key) {
  sinew_answer answer;
  return scene->is_recorded && sinew_host_recall(scene->host, "begun", key, SINEW_RECALL_LAST, &answer);
}

static void note_begun(const sinew_scene *scene, const char *key) {
  if (!scene->is_recorded) sinew_host_note(scene->host, "begun", key, &(sinew_answer){.data = "", .size = 0});
}

/* Scripts of a recording may name any path; files outside the recording are not looked for. */
static sinew_load *begin_import(const sinew_scene *scene, const model_request *r, sinew_error *error) {
  if (scene_uses_disk(scene)) return sinew_load_begin(r->path, &r->options, error);
  declarations_fail(error, "%s: is not in the %s", r->path, outside_source(scene));
  return NULL;
}

static bool begin(sinew_scene *scene, model_load *l, const model_request *r, const char *key, sinew_error *error) {
  declarations_copy(l->name, sizeof l->name, file_name(r->path));
  l->started = seconds();
  l->key = declarations_allocate(&scene->declarations, strlen(key) + 1);
  if (!l->key) return declarations_fail(error, "%s: out of memory", l->name);
  declarations_copy(l->key, strlen(key) + 1, key);
  bool begun = load_was_begun(scene, key);
  l->is_recalled = begun || is_coming(scene, key);
  if (!l->is_recalled) l->load = begin_import(scene, r, error);
  if (!is_running(l)) return false;
  note_begun(scene, key);
  if (declarations_append(&scene->declarations, &scene->loads, &scene->load_count, &scene->load_capacity, l))
    return true;
  return declarations_fail(error, "%s: out of memory", l->name);
}

static void give_up(sinew_scene *scene, model_load *l) {
  if (!l) return;
  sinew_load_end(l->load);
  sinew_model_release(l->stand_in);
  declarations_free(&scene->declarations, l->key);
  declarations_free(&scene->declarations, l);
}

static bool has_room(const sinew_scene *scene, const char *name, sinew_error *error) {
  int running = 0;
  for (int i = 0; i < scene->load_count; i++) running += is_running(scene->loads[i]);
  return running < LOADS_AT_ONCE ||
         declarations_fail(error, "%s: %d models are being imported already; model:wait() waits for one", name,
                           running);
}

sinew_model *load_behind(sinew_scene *scene, const model_request *r, const char *key, sinew_error *error) {
  if (!has_room(scene, file_name(r->path), error)) return NULL;
  model_load *l = declarations_allocate(&scene->declarations, sizeof *l);
  if (l) l->stand_in = sinew_model_placeholder(r->path, error);
  if (l && l->stand_in && begin(scene, l, r, key, error)) return l->stand_in;
  if (!l) declarations_fail(error, "%s: out of memory", file_name(r->path));
  give_up(scene, l);
  return NULL;
}

bool load_anew(sinew_scene *scene, const model_request *r, const char *key, sinew_error *error) {
  model_load *old = find_anew(scene, key), *l = declarations_allocate(&scene->declarations, sizeof *l);
  if (!l) declarations_fail(error, "%s: out of memory", file_name(r->path));
  if (l && begin(scene, l, r, key, error)) {
    if (old) drop(scene, old); /* its files have changed since */
    return true;
  }
  give_up(scene, l);
  return false;
}

sinew_model *load_take(sinew_scene *scene, const char *key) {
  model_load *l = find_anew(scene, key);
  return l && l->model ? sinew_model_retain(l->model) : NULL;
}

bool load_take_is_there(const sinew_scene *scene, const char *key) {
  const model_load *l = find_anew(scene, key);
  return l && l->model;
}

bool load_is_under_way(const sinew_scene *scene, const char *key) { return find_anew(scene, key) != NULL; }

/* ---- wait ---- */

static sinew_load_state cancel(const char *name, sinew_error *error) {
  declarations_fail(error, "%s: its import was cancelled", name);
  return SINEW_LOAD_FAILED;
}

static void say_wait(sinew_scene *scene, const char *name, double since) {
  char line[256];
  snprintf(line, sizeof line, "%s is being imported: %.1f s (Esc cancels)", name, seconds() - since);
  sinew_host_set_progress(scene->host, line);
  sinew_host_refresh(scene->host);
}

/* The scene stands still meanwhile; the picture says why. */
static sinew_load_state wait_for(sinew_scene *scene, sinew_load *load, const char *name, sinew_model **model,
                                 sinew_error *error) {
  double since = seconds(), told = since + PATIENCE - PICTURE_PAUSE;
  sinew_load_state state;
  while ((state = sinew_load_poll(load, model, error)) == SINEW_LOAD_RUNNING) {
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    if (seconds() - told < PICTURE_PAUSE) continue;
    say_wait(scene, name, since);
    told = seconds();
    if (!sinew_host_is_cancelled(scene->host)) continue;
    state = cancel(name, error);
    break;
  }
  if (seconds() - since >= PATIENCE) sinew_host_set_progress(scene->host, NULL);
  budget_rest(scene);
  return state;
}

/* ---- models in a recording ---- */

typedef struct note {
  const sinew_scene *scene;
  const char *kind, *key;
} note;

static void note_cooked(void *user, const void *bytes, size_t size) {
  const note *n = user;
  sinew_host_note(n->scene->host, n->kind, n->key, &(sinew_answer){.data = bytes, .size = size});
}

/* "model": the script waited for it; "arrival": it arrived before the frame. */
static void note_model(sinew_scene *scene, const char *kind, const char *key, const sinew_model *model,
                       const sinew_error *error) {
  sinew_error why;
  if (!sinew_host_is_recorded(scene->host)) return;
  if (!model) outside_note_refusal(scene, kind, key, error);
  else if (!sinew_model_cook_memory(model, note_cooked, &(note){scene, kind, key}, &why))
    declarations_say(&scene->declarations, SINEW_LOG_WARNING, "the recording lacks a model: %s", why.message);
}

/* RUNNING if the recording has no answer. */
static sinew_load_state recall_model(const sinew_scene *scene, const char *kind, const char *key, const char *path,
                                     sinew_recall when, sinew_model **model, sinew_error *error) {
  sinew_answer answer;
  if (!sinew_host_recall(scene->host, kind, key, when, &answer)) return SINEW_LOAD_RUNNING;
  if (answer.refused) declarations_fail(error, "%.*s", (int)answer.size, (const char *)answer.data);
  else *model = sinew_model_load_cooked(path, answer.data, answer.size, error);
  return *model ? SINEW_LOAD_DONE : SINEW_LOAD_FAILED;
}

sinew_model *load_now(sinew_scene *scene, const model_request *r, const char *key, sinew_error *error) {
  sinew_model *model = NULL;
  if (recall_model(scene, "model", key, r->path, SINEW_RECALL_LAST, &model, error) != SINEW_LOAD_RUNNING) return model;
  sinew_load *load = begin_import(scene, r, error);
  if (load) wait_for(scene, load, file_name(r->path), &model, error);
  sinew_load_end(load);
  note_model(scene, "model", key, model, error);
  return model;
}

/* ---- end ---- */

static void end(sinew_scene *scene, model_load *l, sinew_load_state state, const sinew_error *error) {
  if (state == SINEW_LOAD_RUNNING) return;
  sinew_load_end(l->load);
  l->is_recalled = false;
  l->load = NULL;
  l->failed = state == SINEW_LOAD_FAILED;
  if (!l->failed) return;
  char line[sizeof l->problem + 32];
  declarations_copy(l->problem, sizeof l->problem, error->message);
  snprintf(line, sizeof line, "not loaded: %s", l->problem);
  declarations_say(&scene->declarations, SINEW_LOG_ERROR, "%s", line);
  sinew_host_log(scene->host, SINEW_LOG_ERROR, line);
  sinew_host_toast(scene->host, line);
}

/* The key of a request begins with its path. */
static void path_of(const model_load *l, char out[SCENE_PATH]) {
  snprintf(out, SCENE_PATH, "%.*s", (int)strcspn(l->key, "|"), l->key);
}

/* Finds the latest answer of the recorded run, for a script that waits at another moment than the recorded one did. */
static sinew_load_state recall_any(const sinew_scene *scene, model_load *l, sinew_error *error) {
  char path[SCENE_PATH];
  path_of(l, path);
  sinew_load_state state = recall_model(scene, "model", l->key, path, SINEW_RECALL_LAST, &l->model, error);
  if (state == SINEW_LOAD_RUNNING)
    state = recall_model(scene, "arrival", l->key, path, SINEW_RECALL_LAST, &l->model, error);
  return state;
}

static sinew_load_state recall_arrival(const sinew_scene *scene, model_load *l, sinew_error *error) {
  char path[SCENE_PATH];
  path_of(l, path);
  sinew_load_state state = recall_model(scene, "arrival", l->key, path, SINEW_RECALL_NOW, &l->model, error);
  return state != SINEW_LOAD_RUNNING || is_coming(scene, l->key) ? state : recall_any(scene, l, error);
}

void loads_settle(sinew_scene *scene) {
  for (int i = 0; i < scene->load_count; i++) {
    model_load *l = scene->loads[i];
    sinew_error error;
    if (!l->is_recalled) continue;
    sinew_load_state state = recall_any(scene, l, &error);
    if (state == SINEW_LOAD_RUNNING) {
      declarations_fail(&error, "%s: was still being imported when the recording ended; save the scene to load it",
                        l->name);
      state = SINEW_LOAD_FAILED;
    }
    end(scene, l, state, &error);
  }
}

const sinew_model *load_wait(sinew_scene *scene, model_load *l, sinew_error *error) {
  if (is_running(l)) {
    bool ran = l->load;
    sinew_load_state state = ran ? wait_for(scene, l->load, l->name, &l->model, error) : recall_any(scene, l, error);
    if (ran) note_model(scene, "model", l->key, l->model, error);
    end(scene, l, state, error);
  }
  if (l->failed) declarations_fail(error, "%s", l->problem);
  return l->model;
}

/* ---- arrival ---- */

void scene_watch_sources(sinew_scene *scene, const sinew_model *model) {
  for (int i = 0; i < sinew_model_source_count(model); i++) {
    sinew_error ignored; /* a folder that does not exist has no file to change */
    sinew_host_watch(scene->host, sinew_model_source(model, i), &ignored);
  }
}

static void arrive(sinew_scene *scene, model_load *l, const loads_listener *listener) {
  declarations *all = &scene->declarations;
  sinew_error error;
  for (int i = 0; i < all->actors.count; i++) {
    if (actor_at(all, i)->model != l->stand_in) continue;
    if (!declarations_change_model(all, actor_at(all, i), l->model, &error))
      declarations_say(&scene->declarations, SINEW_LOG_ERROR, "%s", error.message);
  }
  declarations_renew_attachments(all);
  listener->settled(scene, l->stand_in, l->model);
  scene_watch_sources(scene, l->model);
  scene->stubs_due = true;
  if (seconds() - l->started > PATIENCE) {
    char line[256];
    snprintf(line, sizeof line, "%s was loaded in %.1f s", l->name, seconds() - l->started);
    sinew_host_toast(scene->host, line);
  }
}

static sinew_load_state poll(sinew_scene *scene, model_load *l, sinew_error *error) {
  if (l->is_recalled) return recall_arrival(scene, l, error);
  sinew_load_state state = sinew_load_poll(l->load, &l->model, error);
  if (state != SINEW_LOAD_RUNNING) note_model(scene, "arrival", l->key, l->model, error);
  return state;
}

static void poll_all(sinew_scene *scene) {
  for (int i = 0; i < scene->load_count; i++) {
    model_load *l = scene->loads[i];
    sinew_error error;
    if (is_running(l)) end(scene, l, poll(scene, l, &error), &error);
  }
}

void loads_cancel(sinew_scene *scene) {
  for (int i = 0; scene->told_progress && i < scene->load_count; i++) {
    model_load *l = scene->loads[i];
    sinew_error error;
    if (!l->load) continue;
    sinew_load_state state = cancel(l->name, &error);
    note_model(scene, "arrival", l->key, NULL, &error);
    end(scene, l, state, &error);
  }
}

static void arrive_all(sinew_scene *scene, const loads_listener *listener) {
  bool any = false;
  for (int i = scene->load_count - 1; i >= 0; i--) {
    model_load *l = scene->loads[i];
    if (!l->stand_in || !l->model) continue;
    arrive(scene, l, listener);
    drop(scene, l);
    any = true;
  }
  if (any) listener->arrived(scene);
}

/* Once all reloads are done, runs the scene again with the new models. */
static void reload_with_new(sinew_scene *scene, const loads_listener *listener) {
  bool any = false;
  for (int i = 0; i < scene->load_count; i++)
    if (!scene->loads[i]->stand_in && is_running(scene->loads[i])) return;
  for (int i = scene->load_count - 1; i >= 0; i--) {
    model_load *l = scene->loads[i];
    if (l->stand_in) continue;
    if (l->failed) {
      drop(scene, l);
      continue;
    }
    any = any || !l->shown;
    l->shown = true;
  }
  if (any || scene->waits_for_models) listener->renewed(scene, NULL);
}

static bool is_shown(const declarations *all, const sinew_model *stand_in) {
  for (int i = 0; stand_in && i < all->actors.count; i++)
    if (actor_at(all, i)->model == stand_in) return true;
  for (int i = 0; stand_in && i < all->crowds.count; i++)
    if (crowd_at(all, i)->last.model == stand_in) return true;
  return false;
}

void loads_forget(sinew_scene *scene) {
  for (int i = scene->load_count - 1; i >= 0; i--) {
    model_load *l = scene->loads[i];
    bool used = is_running(l) || (!l->failed && l->stand_in) || is_shown(&scene->declarations, l->stand_in);
    if (!used) drop(scene, l);
  }
}

static void tell(sinew_scene *scene) {
  const model_load *slowest = NULL;
  int running = 0;
  for (int i = 0; i < scene->load_count; i++) {
    const model_load *l = scene->loads[i];
    running += is_running(l);
    if (is_running(l) && (!slowest || l->started < slowest->started)) slowest = l;
  }
  bool told = slowest && seconds() - slowest->started > PATIENCE;
  char line[256], others[32] = "";
  if (told && running > 1) snprintf(others, sizeof others, " (and %d more)", running - 1);
  if (told) {
    snprintf(line, sizeof line, "%s is being imported: %.1f s%s (Esc cancels)", slowest->name,
             seconds() - slowest->started, others);
  }
  if (told || scene->told_progress) sinew_host_set_progress(scene->host, told ? line : NULL);
  scene->told_progress = told;
}

void loads_update(sinew_scene *scene, const loads_listener *listener) {
  if (scene->load_count == 0 && !scene->told_progress) return;
  poll_all(scene);
  arrive_all(scene, listener);
  reload_with_new(scene, listener);
  tell(scene);
}

/* ---- drawing models that are loading ---- */

static void draw_box(sinew_host *host, const sinew_mat3x4 *position, const uint8_t color[4]) {
  sinew_vec3 corners[8];
  for (int i = 0; i < 8; i++) {
    sinew_vec3 corner = {i & 1 ? 0.3f : -0.3f, i & 2 ? 1.8f : 0, i & 4 ? 0.3f : -0.3f};
    corners[i] = sinew_mat3x4_transform_point(position, corner);
  }
  for (int i = 0; i < 8; i++) {
    for (int bit = 1; bit < 8; bit *= 2) {
      sinew_line line = {corners[i], corners[i | bit], {color[0], color[1], color[2], color[3]}};
      if (!(i & bit)) sinew_host_draw_line(host, &line, false);
    }
  }
}

static void draw_stand_in(sinew_scene *scene, const actor_record *record, const model_load *l) {
  static const uint8_t waiting[4] = {24, 74, 130, 255}, failed[4] = {170, 30, 24, 255};
  const uint8_t *color = l->failed ? failed : waiting;
  sinew_transform t = sinew_actor_transform(scene->declarations.stage, record->actor);
  sinew_mat3x4 position = sinew_mat3x4_from_transform(&t);
  char text[DECLARED_NAME + 160];
  int width, height;
  float pixel[2];
  sinew_vec3 above = sinew_mat3x4_transform_point(&position, (sinew_vec3){-0.2f, 1.3f, 0});
  sinew_host_size(scene->host, &width, &height);
  draw_box(scene->host, &position, color);
  snprintf(text, sizeof text, "%s\n%s%s", record->head.name, l->name, l->failed ? " was not loaded" : " …");
  const sinew_camera camera = sinew_host_shown_camera(scene->host);
  if (sinew_camera_pixel(&camera, width, height, above, pixel))
    sinew_host_draw_text(scene->host, pixel[0], pixel[1], color, text);
}

void loads_draw(sinew_scene *scene) {
  const declarations *all = &scene->declarations;
  for (int i = 0; scene->load_count > 0 && i < all->actors.count; i++) {
    const actor_record *record = actor_at(all, i);
    const model_load *l = !declaration_is_kept(&record->head) ? load_find(scene, record->model) : NULL;
    if (l && l->stand_in && sinew_actor_is_visible(all->stage, record->actor)) draw_stand_in(scene, record, l);
  }
}
