/* Small pictures of a model in a clip, for lists of clips. */
#include "host/host.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "host/drawing/lines.h"
#include "host/input/orbit.h"

#include <math.h>
#include <string.h>

typedef struct thumbnail {
  sinew_host *host;
  const sinew_thumbnail_job *job;
  const gpu_entry *gpu;
  sinew_pose pose;
  sinew_mat3x4 *joints, *palette;
  const float **morphs; /* one for each mesh, into `weights` */
  float *weights;
  uint8_t *marks;
  line_list lines;
} thumbnail;

/* ---- the pose ---- */

static int count_weights(const sinew_model *model) {
  int count = 0;
  for (int i = 0; i < sinew_model_mesh_count(model); i++) count += sinew_model_mesh(model, i).morph_count;
  return count;
}

static bool reserve(thumbnail *t) {
  const sinew_model *model = t->job->model;
  size_t joints = (size_t)sinew_model_joint_count(model);
  t->pose.joint_count = sinew_model_joint_count(model);
  t->pose.groups = mem_alloc_array((size_t)sinew_pose_group_count(t->pose.joint_count), sizeof *t->pose.groups);
  t->joints = mem_alloc_array(joints, sizeof *t->joints);
  t->palette = mem_alloc_array((size_t)sinew_model_palette_count(model) + 1, sizeof *t->palette);
  t->morphs = mem_alloc_array((size_t)sinew_model_mesh_count(model) + 1, sizeof *t->morphs);
  t->weights = mem_alloc_array((size_t)count_weights(model) + 1, sizeof *t->weights);
  t->marks = mem_alloc_array(joints, 1);
  return t->pose.groups && t->joints && t->palette && t->morphs && t->weights && t->marks;
}

static void release(thumbnail *t) {
  mem_free(t->pose.groups);
  mem_free(t->joints);
  mem_free(t->palette);
  mem_free(t->morphs);
  mem_free(t->weights);
  mem_free(t->marks);
  line_list_release(&t->lines);
}

static void pose_morphs(thumbnail *t, const sinew_clip *clip) {
  float *weights = t->weights;
  for (int i = 0; i < sinew_model_mesh_count(t->job->model); i++) {
    sinew_mesh_view mesh = sinew_model_mesh(t->job->model, i);
    t->morphs[i] = weights;
    for (int m = 0; m < mesh.morph_count; m++) weights[m] = mesh.morphs[m].rest_weight;
    if (mesh.morph_count) sinew_sample_morphs(t->job->model, clip, t->job->time, i, weights);
    weights += mesh.morph_count;
  }
}

static void take_pose(thumbnail *t) {
  const sinew_model *model = t->job->model;
  const sinew_clip *clip = sinew_model_clip(model, t->job->clip);
  sinew_sample(&(sinew_sample_job){model, clip, t->job->time, t->pose});
  sinew_local_to_model(&(sinew_local_to_model_job){model, t->pose, t->joints, 0});
  sinew_palette(&(sinew_palette_job){model, t->joints, t->palette});
  pose_morphs(t, clip);
}

/* ---- the camera ---- */

static void grow(sinew_vec3 *low, sinew_vec3 *high, sinew_vec3 p) {
  *low = (sinew_vec3){fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z)};
  *high = (sinew_vec3){fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z)};
}

/* The box around the joints that bend the skin, plus a margin for flesh; cameras and lights are far away. */
static void find_box(const thumbnail *t, sinew_vec3 *low, sinew_vec3 *high) {
  bool any = false;
  skeleton_mark(t->job->model, t->marks);
  *low = *high = (sinew_vec3){0, 0, 0};
  for (int i = 1; i < t->pose.joint_count; i++) {
    sinew_vec3 p = {t->joints[i].m[3], t->joints[i].m[7], t->joints[i].m[11]};
    if (!t->marks[i] || !isfinite(p.x + p.y + p.z)) continue;
    if (!any) *low = *high = p;
    grow(low, high, p);
    any = true;
  }
  float flesh = 0.04f * (high->x - low->x + high->y - low->y + high->z - low->z);
  *low = (sinew_vec3){low->x - flesh, low->y - flesh, low->z - flesh};
  *high = (sinew_vec3){high->x + flesh, high->y + flesh, high->z + flesh};
}

static sinew_camera look_at(const thumbnail *t) {
  orbit o = {0};
  sinew_vec3 low, high;
  sinew_camera camera = sinew_camera_default();
  camera.target = (sinew_vec3){0, 0, 0};
  camera.position = (sinew_vec3){0.5f, 0.28f, 1};
  find_box(t, &low, &high);
  orbit_frame_box(&o, &camera, low, high, (float)t->job->width / (float)t->job->height);
  const float nearer = 0.87f; /* because the corners of the box are empty */
  float *to = &camera.position.x;
  const float *from = &camera.target.x;
  for (int i = 0; i < 3; i++) to[i] = from[i] + nearer * (to[i] - from[i]);
  return camera;
}

/* ---- the picture ---- */

static bool draw(thumbnail *t, sinew_error *error) {
  const sinew_model *model = t->job->model;
  sinew_transform here = sinew_transform_identity();
  sinew_draw_item item = {.model = t->gpu->made,
                          .transform = sinew_mat3x4_identity(),
                          .palette = t->palette,
                          .morph_weights = t->morphs,
                          .tint = {1, 1, 1, 1}};
  bool bare = sinew_model_mesh_count(model) == 0;
  sinew_camera camera = look_at(t);
  if (bare) skeleton_lines_add(&t->lines, model, t->marks, &here, t->joints);
  sinew_frame frame = {.width = t->job->width,
                       .height = t->job->height,
                       .camera = camera,
                       .light = t->host->light,
                       .items = &item,
                       .item_count = !bare,
                       .lines = t->lines.lines,
                       .line_count = t->lines.count};
  return sinew_renderer_draw(t->host->renderer, &frame, error) &&
         sinew_renderer_read(t->host->renderer, t->job->width, t->job->height, t->job->rgba, error);
}

bool sinew_host_thumbnail(sinew_host *host, const sinew_thumbnail_job *job, sinew_error *error) {
  thumbnail t = {.host = host, .job = job};
  if (!host->renderer) return error_set(error, "thumbnail: this host draws no pictures");
  bool waits = host->models.waits, stays_off = host->models.stays_off;
  host->models.waits = true, host->models.stays_off = false;
  t.gpu = gpu_models_use(&host->models, host->renderer, job->model, host->frame, error);
  host->models.waits = waits, host->models.stays_off = stays_off;
  bool drawn = t.gpu && (reserve(&t) || error_memory(error, "thumbnail", sizeof t));
  if (drawn) take_pose(&t);
  drawn = drawn && draw(&t, error);
  release(&t);
  return drawn;
}

uint32_t sinew_host_picture(sinew_host *host, uint32_t number, int width, int height, const uint8_t *rgba,
                            sinew_error *error) {
  if (host->renderer) return sinew_renderer_set_overlay_texture(host->renderer, number, width, height, rgba, error);
  error_set(error, "a picture for panels: this host draws none");
  return 0;
}
