/* picture – pixels of a drawn frame, and how they compare with a stored one. */
#ifndef SINEW_TESTS_PICTURE_H
#define SINEW_TESTS_PICTURE_H

#include "render/gpu.h"

typedef struct picture {
  int width, height;
  uint8_t *rgba;
} picture;

static inline void picture_free(picture *p) { free(p->rgba), p->rgba = NULL; }

static inline picture picture_draw(sinew_renderer *renderer, const sinew_frame *frame) {
  sinew_error error = {0};
  picture p = {frame->width, frame->height, malloc((size_t)frame->width * (size_t)frame->height * 4)};
  if (!sinew_renderer_draw(renderer, frame, &error)) fail_msg("%s", error.message);
  if (!sinew_renderer_read(renderer, p.width, p.height, p.rgba, &error)) fail_msg("%s", error.message);
  return p;
}

static inline const uint8_t *picture_at(const picture *p, int x, int y) {
  assert_in_range(x, 0, p->width - 1);
  assert_in_range(y, 0, p->height - 1);
  return p->rgba + 4 * ((size_t)y * (size_t)p->width + (size_t)x);
}

static inline double picture_light(const picture *p, int x, int y) {
  const uint8_t *c = picture_at(p, x, y);
  return (0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]) / 255;
}

/* Pixels in which any channel differs by more than `tolerance`. */
static inline int picture_difference(const picture *a, const picture *b, int tolerance) {
  assert_int_equal(a->width, b->width);
  assert_int_equal(a->height, b->height);
  int count = 0;
  for (int i = 0; i < a->width * a->height; i++)
    for (int c = 0; c < 3; c++)
      if (abs(a->rgba[4 * i + c] - b->rgba[4 * i + c]) > tolerance) {
        count++;
        break;
      }
  return count;
}

/* Where a point of the world is in the picture, in pixels from the top left: the camera's matrices, in doubles. */
static inline void picture_position(const sinew_frame *frame, sinew_vec3 point, int *x, int *y) {
  sinew_mat4 view = sinew_camera_view(&frame->camera);
  sinew_mat4 projection = sinew_camera_projection(&frame->camera, (float)frame->width / (float)frame->height);
  double p[4] = {point.x, point.y, point.z, 1}, q[4] = {0}, r[4] = {0};
  for (int row = 0; row < 4; row++)
    for (int k = 0; k < 4; k++) q[row] += view.m[4 * k + row] * p[k];
  for (int row = 0; row < 4; row++)
    for (int k = 0; k < 4; k++) r[row] += projection.m[4 * k + row] * q[k];
  *x = (int)((r[0] / r[3] * 0.5 + 0.5) * frame->width);
  *y = (int)((0.5 - r[1] / r[3] * 0.5) * frame->height);
}

/* A post on the ground, seen from the front; the sun stands at the left, so that the shadow falls to the right. */
typedef struct post_scene {
  sinew_model *model;
  sinew_gpu_model *uploaded;
  sinew_mat3x4 palette[3];
  sinew_draw_item item;
  sinew_frame frame;
} post_scene;

static inline void post_scene_free(post_scene *scene, sinew_renderer *renderer) {
  sinew_gpu_model_destroy(renderer, scene->uploaded);
  sinew_model_release(scene->model);
  free(scene);
}

#include "render/shapes.h"

static inline post_scene *post_scene_make(sinew_renderer *renderer, const sinew_material *material,
                                          const sinew_image_view *image) {
  sinew_error error = {0};
  post_scene *s = calloc(1, sizeof *s);
  s->model = post_model(1.6f, material, image);
  s->uploaded = sinew_gpu_model_create(renderer, s->model, &error);
  if (!s->uploaded) fail_msg("%s", error.message);
  for (int i = 0; i < 3; i++) s->palette[i] = sinew_mat3x4_identity();
  s->item = (sinew_draw_item){
      .model = s->uploaded, .transform = sinew_mat3x4_identity(), .palette = s->palette, .tint = {1, 1, 1, 1}};
  s->frame = (sinew_frame){.width = 240,
                           .height = 180,
                           .camera = sinew_camera_default(),
                           .light = sinew_light_default(),
                           .items = &s->item,
                           .item_count = 1,
                           .ground = true};
  s->frame.camera.position = (sinew_vec3){0, 1.5f, 5};
  s->frame.camera.target = (sinew_vec3){0, 0.8f, 0};
  s->frame.light.direction = (sinew_vec3){-0.7f, 0.7f, 0.25f};
  return s;
}

#endif
