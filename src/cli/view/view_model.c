#include "base/text.h"
#include "cli/view/view.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static sinew_stage *stage_of(const viewer *v) { return sinew_host_stage(v->host); }

/* ---- the panels' text about a model ---- */

static void count_vertices(const sinew_model *model, int *vertices, int *triangles) {
  *vertices = *triangles = 0;
  for (int i = 0; i < sinew_model_mesh_count(model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(model, i);
    *vertices += mesh.vertex_count;
    *triangles += mesh.index_count / 3;
  }
}

static void summarize(viewer *v) {
  int vertices, triangles, joints = sinew_model_joint_count(v->model) - 1, meshes = sinew_model_mesh_count(v->model),
                           clips = sinew_model_clip_count(v->model);
  count_vertices(v->model, &vertices, &triangles);
  snprintf(v->summary, sizeof v->summary, "%d %s, %d %s, %d %s\n%d vertices, %d %s", joints,
           text_plural(joints, "joint", "joints"), meshes, text_plural(meshes, "mesh", "meshes"), clips,
           text_plural(clips, "clip", "clips"), vertices, triangles, text_plural(triangles, "triangle", "triangles"));
}

static bool has_morph(const viewer *v, const char *name) {
  for (int i = 0; i < v->morph_count; i++)
    if (strcmp(v->morphs[i], name) == 0) return true;
  return false;
}

/* Targets with the same name on several meshes move together. */
static void list_morphs(viewer *v) {
  v->morph_count = 0;
  for (int i = 0; i < sinew_model_mesh_count(v->model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(v->model, i);
    for (int m = 0; m < mesh.morph_count && v->morph_count < VIEW_MORPH_LIMIT; m++)
      if (!has_morph(v, mesh.morphs[m].name)) v->morphs[v->morph_count++] = mesh.morphs[m].name;
  }
}

/* A clip without a name is listed by its number. */
static bool list_clips(viewer *v, sinew_error *error) {
  enum { NUMBER_SIZE = 16 };
  int count = sinew_model_clip_count(v->model);
  size_t pointers = ((size_t)count + 1) * sizeof *v->clip_names;
  v->clip_names = mem_alloc(pointers + (size_t)count * NUMBER_SIZE);
  if (!v->clip_names) return error_memory(error, v->path, pointers);
  char *numbers = (char *)v->clip_names + pointers;
  for (int i = 0; i < count; i++) {
    const char *name = sinew_clip_name(sinew_model_clip(v->model, i));
    char *number = numbers + (size_t)i * NUMBER_SIZE;
    snprintf(number, NUMBER_SIZE, "#%d", i);
    v->clip_names[i] = name[0] ? name : number;
  }
  return true;
}

/* ---- its box ---- */

typedef struct box {
  sinew_vec3 low, high;
} box;

static void box_add(box *b, sinew_vec3 p) {
  if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) return;
  b->low = (sinew_vec3){fminf(b->low.x, p.x), fminf(b->low.y, p.y), fminf(b->low.z, p.z)};
  b->high = (sinew_vec3){fmaxf(b->high.x, p.x), fmaxf(b->high.y, p.y), fmaxf(b->high.z, p.z)};
}

static void box_add_mesh(box *b, const viewer *v, int index) {
  sinew_mesh_view mesh = sinew_model_mesh(v->model, index);
  float *positions = mem_alloc_array((size_t)mesh.vertex_count, 3 * sizeof *positions);
  sinew_cpu_skin_job job = {.model = v->model,
                            .mesh = index,
                            .palette = sinew_actor_palette(stage_of(v), v->actor),
                            .morph_weights = sinew_actor_morphs(stage_of(v), v->actor, index),
                            .positions = positions};
  if (positions && job.palette && sinew_cpu_skin(&job))
    for (int i = 0; i < mesh.vertex_count; i++)
      box_add(b, (sinew_vec3){positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]});
  mem_free(positions);
}

/* Whether a joint has neither parent nor children, as cameras and lights do, which may be far away. */
static bool is_alone(const sinew_model *model, int joint) {
  if (sinew_model_joint_parent(model, joint) > 0) return false;
  for (int i = joint + 1; i < sinew_model_joint_count(model); i++)
    if (sinew_model_joint_parent(model, i) == joint) return false;
  return true;
}

static void box_add_joints(box *b, const viewer *v, bool alone) {
  const sinew_mat3x4 *joints = sinew_actor_joints(stage_of(v), v->actor);
  for (int i = 1; joints && i < sinew_model_joint_count(v->model); i++)
    if (alone || !is_alone(v->model, i)) box_add(b, (sinew_vec3){joints[i].m[3], joints[i].m[7], joints[i].m[11]});
}

static void box_add_pose(box *b, const viewer *v) {
  sinew_stage_update(stage_of(v), 0);
  for (int i = 0; i < sinew_model_mesh_count(v->model); i++) box_add_mesh(b, v, i);
  if (sinew_model_mesh_count(v->model) == 0) box_add_joints(b, v, false);
  if (!(b->low.x <= b->high.x)) box_add_joints(b, v, true);
}

static float size_of(const box *b) {
  float x = b->high.x - b->low.x, y = b->high.y - b->low.y, z = b->high.z - b->low.z;
  return sqrtf(x * x + y * y + z * z);
}

/* The box of the pose now and at eight moments of the clip, so that a leap stays in the picture. If the clip travels
 * far, the box of the pose now, which the camera follows, because a figure that crosses a hall would be a dot. */
static box measure(viewer *v, bool *travels) {
  enum { MOMENTS = 8 };
  box now = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  double time = view_time(v), duration = view_duration(v);
  box_add_pose(&now, v);
  if (!(now.low.x <= now.high.x)) return (box){{0, 0, 0}, {0, 0, 0}};
  box all = now;
  for (int i = 0; i < MOMENTS && duration > 0; i++) {
    view_seek(v, duration * i / MOMENTS);
    box_add_pose(&all, v);
  }
  view_seek(v, time);
  sinew_stage_update(stage_of(v), 0);
  float most = sinew_model_mesh_count(v->model) > 0 ? 4 : 1.5f; /* motion capture travels, meshes grow */
  *travels = !(size_of(&all) < most * size_of(&now));
  return *travels ? now : all;
}

/* ---- following it ---- */

static sinew_vec3 middle_of(const viewer *v) {
  box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  box_add_joints(&b, v, false);
  if (!(b.low.x <= b.high.x)) box_add_joints(&b, v, true);
  if (!(b.low.x <= b.high.x)) return (sinew_vec3){0, 0, 0};
  return (sinew_vec3){(b.low.x + b.high.x) / 2, (b.low.y + b.high.y) / 2, (b.low.z + b.high.z) / 2};
}

static float beyond(float x, float low, float high) { return x - fminf(fmaxf(x, low), high); }

/* How far the joints have moved out of the box at which the camera was aimed. */
static sinew_vec3 departure_of(const viewer *v) {
  sinew_vec3 at = middle_of(v), low = v->kept_low, high = v->kept_high;
  return (sinew_vec3){beyond(at.x, low.x, high.x), beyond(at.y, low.y, high.y), beyond(at.z, low.z, high.z)};
}

void view_follow(viewer *v) {
  if (!v->model) return;
  sinew_camera *camera = sinew_host_camera(v->host);
  sinew_vec3 *both[] = {&camera->position, &camera->target}, now = departure_of(v);
  for (int i = 0; i < 2; i++) {
    both[i]->x += now.x - v->followed.x;
    both[i]->y += now.y - v->followed.y;
    both[i]->z += now.z - v->followed.z;
  }
  v->followed = now;
}

/* Lifts a model that reaches through the ground, or a flat one that lies in it. */
static void put_on_ground(viewer *v, const box *b) {
  sinew_transform transform = sinew_transform_identity();
  float height = b->high.y - b->low.y, size = size_of(b);
  if (b->low.y < -0.02f * height) transform.translation.y = -b->low.y;
  if (height < 0.01f * size && fabsf(b->low.y) < 0.01f * size) transform.translation.y = 0.1f * size;
  sinew_actor_set_transform(stage_of(v), v->actor, &transform);
  v->low = (sinew_vec3){b->low.x, b->low.y + transform.translation.y, b->low.z};
  v->high = (sinew_vec3){b->high.x, b->high.y + transform.translation.y, b->high.z};
}

void view_frame(viewer *v) {
  if (!v->model) return;
  bool travels = false;
  box b = measure(v, &travels);
  put_on_ground(v, &b);
  v->kept_low = travels ? middle_of(v) : b.low;
  v->kept_high = travels ? v->kept_low : b.high;
  v->followed = departure_of(v);
  sinew_vec3 low = v->low;
  if (v->pack) low.y -= 0.6f * (v->high.y - v->low.y); /* the table covers the lower part */
  sinew_host_frame_box(v->host, low, v->high);
}

/* From above the left shoulder, as figures are usually drawn. */
static void turn_camera(viewer *v) {
  sinew_camera *camera = sinew_host_camera(v->host);
  camera->target = (sinew_vec3){0, 0, 0};
  camera->position = (sinew_vec3){0.5f, 0.28f, 1};
}

/* ---- open and close ---- */

static void forget(viewer *v) {
  if (v->actor.id) sinew_actor_destroy(stage_of(v), v->actor);
  sinew_model_release(v->model);
  mem_free(v->clip_names);
  v->model = NULL;
  v->clip_names = NULL;
  v->actor = (sinew_actor){0};
  v->action = (sinew_action){0};
  v->clip = -1;
}

/* The picture says what the window waits for. */
static sinew_model *wait_for(sinew_host *host, sinew_load *load, const char *path, sinew_error *error) {
  static const double pause = 0.1;
  sinew_model *model = NULL;
  char line[256];
  double begun = clock_seconds(), told = begun;
  bool cancelled = false;
  while (!cancelled && sinew_load_poll(load, &model, error) == SINEW_LOAD_RUNNING) {
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    if (clock_seconds() - told < pause) continue;
    told = clock_seconds();
    text_format(line, sizeof line, "%.200s is being imported: %.1f s (Esc cancels)", path_file(path), told - begun);
    sinew_host_set_progress(host, line);
    sinew_host_refresh(host);
    cancelled = sinew_host_is_cancelled(host);
  }
  sinew_host_set_progress(host, NULL);
  sinew_load_end(load);
  if (cancelled) error_set(error, "%s: its import was cancelled", path);
  return model;
}

static sinew_model *load(const viewer *v, const char *path, sinew_error *error) {
  sinew_load_options options = v->load ? *v->load : sinew_load_options_default();
  options.clip_files = v->clip_files;
  options.clip_file_count = v->clip_file_count;
  sinew_load *begun = sinew_load_begin(path, &options, error);
  return begun ? wait_for(v->host, begun, path, error) : NULL;
}

/* Makes everything that can fail beside the old state, which is replaced only then. */
static bool replace(viewer *v, sinew_model *model, const char *path, sinew_error *error) {
  viewer next = *v;
  next.model = model;
  next.clip = -1;
  next.action = (sinew_action){0};
  snprintf(next.path, sizeof next.path, "%s", path);
  if (!list_clips(&next, error)) return false;
  next.actor = sinew_actor_create(stage_of(v), path_file(path), model, error);
  if (!next.actor.id) {
    mem_free(next.clip_names);
    return false;
  }
  forget(v);
  *v = next;
  return true;
}

/* The first clip may be anything; if there is one called Idle, it is shown first. */
static int first_clip(const viewer *v) {
  int idle = sinew_model_find_clip(v->model, "Idle");
  return idle >= 0 ? idle : 0;
}

static void begin_show(viewer *v) {
  summarize(v);
  list_morphs(v);
  v->is_paused = v->shows_bind_pose = false;
  if (sinew_model_mesh_count(v->model) == 0) sinew_host_view(v->host)->skeleton = true;
  if (sinew_model_clip_count(v->model) > 0) view_play(v, first_clip(v), 0);
  turn_camera(v);
  view_frame(v);
  for (int i = 0; i < sinew_model_note_count(v->model); i++)
    sinew_log(SINEW_LOG_INFO, "%s: %s", path_file(v->path), sinew_model_note(v->model, i));
  sinew_host_unwatch_all(v->host);
  (void)sinew_host_watch(v->host, v->path, NULL); /* a file that cannot be watched can still be shown */
}

bool view_show(viewer *v, sinew_model *model, const char *path, sinew_error *error) {
  if (!replace(v, sinew_model_retain(model), path, error)) {
    sinew_model_release(model);
    return false;
  }
  begin_show(v);
  return true;
}

bool view_open(viewer *v, const char *path, sinew_error *error) {
  if (strlen(path) >= sizeof v->path) return error_set(error, "%.60s…: the path is too long", path);
  sinew_model *model = load(v, path, error);
  bool shown = model && view_show(v, model, path, error);
  sinew_model_release(model);
  return shown;
}

void view_close(viewer *v) { forget(v); }

/* ---- play ---- */

static bool action_state(const viewer *v, sinew_play_def *state) {
  return sinew_action_read_state(stage_of(v), v->action, state);
}

void view_play(viewer *v, int clip, double fade) {
  sinew_play_def def = sinew_play_def_default();
  sinew_error error;
  def.clip = clip;
  def.fade = fade;
  def.speed = (double)v->speed;
  v->action = sinew_actor_play(stage_of(v), v->actor, &def, &error);
  if (!v->action.id) {
    sinew_host_log(v->host, SINEW_LOG_ERROR, error.message);
    return;
  }
  v->clip = clip;
  view_set_paused(v, false);
}

void view_restart(viewer *v) {
  view_seek(v, v->speed < 0 ? view_duration(v) : 0);
  view_set_paused(v, false);
}

void view_set_paused(viewer *v, bool paused) {
  v->is_paused = paused;
  if (v->model) sinew_actor_set_paused(stage_of(v), v->actor, paused);
}

void view_seek(viewer *v, double time) {
  sinew_play_def state;
  if (!action_state(v, &state)) return;
  double duration = view_duration(v);
  state.time = time < 0 ? 0 : time > duration ? duration : time;
  sinew_action_set_state(stage_of(v), v->action, &state);
}

double view_time(const viewer *v) {
  sinew_play_def state;
  return action_state(v, &state) ? state.time : 0;
}

double view_duration(const viewer *v) {
  return v->model && v->clip >= 0 ? sinew_clip_duration(sinew_model_clip(v->model, v->clip)) : 0;
}
