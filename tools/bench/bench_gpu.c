/* sinew-dev bench --gpu – measures drawing, from one character to many: the GPU's time, and the data sent to it. */
#include "bench/bench_gpu.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "base/text.h"
#include "cli/cli.h"
#include "host/display/offscreen.h"
#include "model/pose_group.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSES = 64, PICTURES = 9, WIDTH = 1280, HEIGHT = 720 };

typedef struct gpu_bench {
  sinew_model *model;
  sinew_renderer *renderer;
  sinew_gpu_model *uploaded;
  sinew_mat3x4 *palettes; /* one for each character */
  sinew_mat3x4 *positions;
  bool is_software;
  int pictures, warm_up; /* for one number */
  int width, height;
} gpu_bench;

/* ---- a crowd ---- */

/* Moments of the first clip, spread over the characters; without a clip, the bind pose. */
static bool fill_palettes(gpu_bench *b, int count) {
  const sinew_model *model = b->model;
  int joints = sinew_model_joint_count(model), entries = sinew_model_palette_count(model);
  int clip = sinew_model_find_clip(model, "Walk");
  sinew_pose pose = {mem_alloc_array((size_t)sinew_pose_group_count(joints), sizeof(sinew_pose_group)), joints};
  sinew_mat3x4 *matrices = mem_alloc_array((size_t)joints, sizeof *matrices);
  if (clip < 0 && sinew_model_clip_count(model) > 0) clip = 0;
  for (int i = 0; pose.groups && matrices && i < count; i++) {
    sinew_mat3x4 *out = b->palettes + (size_t)i * (size_t)entries;
    if (i >= POSES) {
      memcpy(out, out - (size_t)POSES * (size_t)entries, (size_t)entries * sizeof *out);
      continue;
    }
    const sinew_clip *played = clip >= 0 ? sinew_model_clip(model, clip) : NULL;
    if (played) (void)sinew_sample(&(sinew_sample_job){model, played, sinew_clip_duration(played) * i / POSES, pose});
    sinew_pose shown = played ? pose : model_rest_pose(model);
    (void)sinew_local_to_model(&(sinew_local_to_model_job){.model = model, .pose = shown, .output = matrices});
    (void)sinew_palette(&(sinew_palette_job){model, matrices, out});
  }
  bool filled = pose.groups && matrices;
  mem_free(pose.groups);
  mem_free(matrices);
  return filled;
}

static bool make_crowd(gpu_bench *b, int count) {
  size_t entries = (size_t)sinew_model_palette_count(b->model);
  int columns = (int)ceil(sqrt(count));
  b->palettes = mem_alloc_array((size_t)count * entries, sizeof *b->palettes);
  b->positions = mem_alloc_array((size_t)count, sizeof *b->positions);
  if (!b->palettes || !b->positions || !fill_palettes(b, count)) return false;
  for (int i = 0; i < count; i++) {
    int row = i / columns, position = i % columns; /* from the middle outwards, so that the first are in the picture */
    int steps = (position + 1) / 2;
    b->positions[i] = sinew_mat3x4_identity();
    b->positions[i].m[3] = (position % 2 ? 1.2f : -1.2f) * (float)steps;
    b->positions[i].m[11] = -4.0f - 1.2f * (float)row;
  }
  return true;
}

/* ---- measuring ---- */

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

typedef struct cost {
  sinew_render_stats stats;
  double call, maps, all; /* medians in seconds: the CPU's part, and the GPU's */
} cost;

static bool draw_pictures(const gpu_bench *b, const sinew_frame *frame, uint8_t *pixels, cost *out,
                          sinew_error *error) {
  double calls[PICTURES], maps[PICTURES], all[PICTURES];
  for (int i = -b->warm_up; i < b->pictures; i++) {
    double begin = clock_seconds();
    if (!sinew_renderer_draw(b->renderer, frame, error)) return false;
    double ended = clock_seconds();
    if (!sinew_renderer_read(b->renderer, frame->width, frame->height, pixels, error)) return false;
    sinew_render_stats stats = sinew_renderer_stats(b->renderer);
    if (i >= 0) calls[i] = ended - begin, maps[i] = stats.shadow_seconds, all[i] = stats.seconds;
  }
  *out = (cost){.stats = sinew_renderer_stats(b->renderer),
                .call = median(calls, b->pictures),
                .maps = median(maps, b->pictures),
                .all = median(all, b->pictures)};
  return true;
}

/* Draws the first `count` characters of the crowd, in a picture with sides divided by `part`. */
static bool measure(const gpu_bench *b, int count, int part, cost *out, sinew_error *error) {
  sinew_render_batch batch = {.model = b->uploaded,
                              .count = count,
                              .transforms = b->positions,
                              .palettes = b->palettes,
                              .palette_stride = (size_t)sinew_model_palette_count(b->model)};
  sinew_frame frame = {.width = b->width / part,
                       .height = b->height / part,
                       .camera = sinew_camera_default(),
                       .light = sinew_light_default(),
                       .batches = &batch,
                       .batch_count = 1,
                       .ground = true};
  frame.camera.position = (sinew_vec3){0, 8, 14};
  frame.camera.target = (sinew_vec3){0, 0, -10};
  size_t size = (size_t)b->width * (size_t)b->height * 4;
  uint8_t *pixels = mem_alloc(size);
  if (!pixels) return error_memory(error, "a picture", size);
  bool good = draw_pictures(b, &frame, pixels, out, error);
  mem_free(pixels);
  return good;
}

static bool measure_row(const gpu_bench *b, int count, cost *out, sinew_error *error) {
  if (!measure(b, count, 1, out, error)) return false;
  const sinew_render_stats *s = &out->stats;
  text_print(stdout, "%10d %8d %10d %7d %12.3f %12.3f %10.3f %10.3f %12.3f %12.3f\n", count, s->seen, s->instances,
             s->calls, (double)s->vertices * 1e-6, (double)s->skinned_once * 1e-6, (double)s->bytes * 1e-6,
             out->call * 1e3, out->maps * 1e3, out->all * 1e3);
  fflush(stdout);
  return true;
}

/* Prints what limits the frame rate: if the GPU takes about as long for a 64th of the pixels, it is not the pixels. */
static bool name_limit(const gpu_bench *b, int count, const cost *full, sinew_error *error) {
  cost small;
  if (b->is_software) return printf("limited by the processor: it rasterises, there is no GPU\n") > 0;
  if (full->call > full->all) return printf("limited by the processor: gathering and sending\n") > 0;
  if (!measure(b, count, 8, &small, error)) return false;
  double pixels = 1 - small.all / full->all;
  const char *limit = pixels > 0.5 ? "pixels" : full->maps > 0.5 * full->all ? "vertices, of shadows" : "vertices";
  text_print(stdout, "limited by the GPU's %s: with a 64th of the pixels a frame takes %.0f %% less\n", limit,
             pixels * 100);
  return true;
}

static bool set_pictures(gpu_bench *b, sinew_error *error) {
  sinew_pictures *pictures = sinew_pictures_begin(b->model, 0, error);
  bool good = pictures != NULL;
  while (good && sinew_pictures_left(pictures) > 0) {
    sinew_picture picture;
    if (sinew_pictures_next(pictures, 1, &picture, error) && picture.rgba)
      good = sinew_gpu_model_set_picture(b->renderer, b->uploaded, &picture, error);
  }
  sinew_pictures_end(pictures);
  return good;
}

static bool create(gpu_bench *b, offscreen **context, sinew_error *error) {
  sinew_renderer_def def = sinew_renderer_def_default();
  def.proc_address = offscreen_proc;
  *context = offscreen_create(error);
  b->renderer = *context ? sinew_renderer_create(&def, error) : NULL;
  b->uploaded = b->renderer ? sinew_gpu_model_create(b->renderer, b->model, error) : NULL;
  if (!b->uploaded || !set_pictures(b, error)) return false;
  sinew_renderer_set_timing(b->renderer, true);
  b->is_software = strstr(sinew_renderer_description(b->renderer), "software rasteriser");
  b->width = b->is_software ? WIDTH / 2 : WIDTH, b->height = b->is_software ? HEIGHT / 2 : HEIGHT;
  b->pictures = b->is_software ? 3 : PICTURES;
  b->warm_up = 4; /* the times arrive some pictures later */
  return true;
}

static bool measure_counts(const gpu_bench *b, int most, sinew_error *error) {
  printf("%10s %8s %10s %7s %12s %12s %10s %10s %12s %12s\n", "characters", "seen", "instances", "calls", "M vertices",
         "M of them so", "MB sent", "call ms", "shadow ms", "all ms");
  cost all;
  for (int count = 1; count < most; count *= 10)
    if (!measure_row(b, count, &all, error)) return false;
  return measure_row(b, most, &all, error) && name_limit(b, most, &all, error);
}

static bool measure_all(gpu_bench *b, int most, sinew_error *error) {
  static const char *const stages[SINEW_SKIN_STAGE_COUNT] = {"vertex shaders, in each pass", "transform feedback, once",
                                                             "a compute shader, once"};
  if (!make_crowd(b, most)) {
    snprintf(error->message, sizeof error->message, "%d characters: out of memory", most);
    return false;
  }
  printf("%s; pictures of %d × %d\n", sinew_renderer_description(b->renderer), b->width, b->height);
  for (int stage = 0; stage < SINEW_SKIN_STAGE_COUNT; stage++) {
    printf("\nskinned by %s\n", stages[stage]);
    if (!sinew_renderer_set_skin_stage(b->renderer, (sinew_skin_stage)stage, error)) printf("%s\n", error->message);
    else if (!measure_counts(b, most, error)) return false;
  }
  return true;
}

int bench_gpu(sinew_model *model, int most) {
  gpu_bench b = {.model = model};
  offscreen *context = NULL;
  sinew_error error;
  bool good = create(&b, &context, &error) && measure_all(&b, most, &error);
  if (b.uploaded) sinew_gpu_model_destroy(b.renderer, b.uploaded);
  if (b.renderer) sinew_renderer_destroy(b.renderer);
  offscreen_destroy(context);
  mem_free(b.palettes);
  mem_free(b.positions);
  return good ? 0 : cli_fail("%s", error.message);
}
