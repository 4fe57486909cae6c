#include "host/picking/picking.h"
#include "math/elementary.h"
#include "math/vec3.h"

#include <math.h>

ray ray_through(const sinew_camera *camera, float x, float y, float width, float height) {
  sinew_vec3 ahead = vec3_unit(vec3_sub(camera->target, camera->position), (sinew_vec3){0, 0, -1});
  sinew_vec3 right = vec3_unit(vec3_cross(ahead, camera->up), vec3_across(ahead)), up = vec3_cross(right, ahead);
  float tangent = float_tan(camera->fov_y / 2), h = (2 * x / width - 1 - camera->shift_x) * tangent * width / height;
  float v = (1 - 2 * y / height - camera->shift_y) * tangent;
  return (ray){camera->position, vec3_add_scaled(vec3_add_scaled(ahead, h, right), v, up)};
}

bool ray_pixel(const sinew_camera *camera, sinew_vec3 p, float width, float height, float out[2]) {
  sinew_vec3 ahead = vec3_unit(vec3_sub(camera->target, camera->position), (sinew_vec3){0, 0, -1});
  sinew_vec3 right = vec3_unit(vec3_cross(ahead, camera->up), vec3_across(ahead)), up = vec3_cross(right, ahead);
  sinew_vec3 to = vec3_sub(p, camera->position);
  float depth = vec3_dot(to, ahead), tangent = float_tan(camera->fov_y / 2);
  out[0] = (vec3_dot(to, right) / (depth * tangent * width / height) + 1 + camera->shift_x) * width / 2;
  out[1] = (1 - camera->shift_y - vec3_dot(to, up) / (depth * tangent)) * height / 2;
  return depth > 1e-4f;
}

static sinew_vec3 read(const float *p) { return (sinew_vec3){p[0], p[1], p[2]}; }

/* Möller and Trumbore, "Fast, minimum storage ray/triangle intersection", 1997; both sides count. */
float ray_triangle(const ray *r, const float *a, const float *b, const float *c, float inside[3]) {
  sinew_vec3 corner = read(a), ab = vec3_sub(read(b), corner), ac = vec3_sub(read(c), corner);
  sinew_vec3 p = vec3_cross(r->direction, ac), from = vec3_sub(r->origin, corner), q = vec3_cross(from, ab);
  float determinant = vec3_dot(ab, p);
  if (!(fabsf(determinant) > 1e-20f)) return INFINITY;
  inside[1] = vec3_dot(from, p) / determinant;
  inside[2] = vec3_dot(r->direction, q) / determinant;
  inside[0] = 1 - inside[1] - inside[2];
  float distance = vec3_dot(ac, q) / determinant;
  bool meets = inside[0] >= 0 && inside[1] >= 0 && inside[2] >= 0 && distance > 0;
  return meets ? distance : INFINITY;
}
