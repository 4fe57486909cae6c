#include "render/camera.h"

#include "base/error.h"
#include "math/vec3.h"

#include <cglm/cglm.h>

#include <math.h>
#include <string.h>

sinew_camera sinew_camera_default(void) {
  return (sinew_camera){.position = {0.9f, 1.45f, 3.0f},
                        .target = {0.0f, 0.95f, 0.0f},
                        .up = {0.0f, 1.0f, 0.0f},
                        .fov_y = 0.7f,
                        .near_plane = 0.05f,
                        .far_plane = 200.0f};
}

static sinew_mat4 from_cglm(mat4 matrix) {
  sinew_mat4 result;
  memcpy(result.m, matrix, sizeof result.m);
  return result;
}

/* an up vector along the view has no sideways component, so any other axis serves */
static sinew_vec3 usable_up(const sinew_camera *camera) {
  sinew_vec3 forward = vec3_sub(camera->target, camera->position), side = vec3_cross(forward, camera->up);
  if (vec3_length(side) > 1e-6f * vec3_length(forward) * vec3_length(camera->up)) return camera->up;
  return fabsf(forward.y) > fabsf(forward.z) ? (sinew_vec3){0, 0, -1} : (sinew_vec3){0, 1, 0};
}

sinew_mat4 sinew_camera_view(const sinew_camera *camera) {
  sinew_vec3 up_used = usable_up(camera);
  vec3 eye = {camera->position.x, camera->position.y, camera->position.z};
  vec3 center = {camera->target.x, camera->target.y, camera->target.z};
  vec3 up = {up_used.x, up_used.y, up_used.z};
  mat4 view;
  glm_lookat_rh(eye, center, up, view);
  return from_cglm(view);
}

sinew_mat4 sinew_camera_projection(const sinew_camera *camera, float aspect) {
  mat4 projection;
  glm_perspective_rh_no(camera->fov_y, aspect, camera->near_plane, camera->far_plane, projection);
  projection[2][0] -= camera->shift_x; /* w is −z */
  projection[2][1] -= camera->shift_y;
  return from_cglm(projection);
}

bool sinew_camera_pixel(const sinew_camera *camera, int width, int height, sinew_vec3 point, float pixel[2]) {
  float wide = (float)width, high = height > 0 ? (float)height : wide;
  sinew_mat4 view = sinew_camera_view(camera), projection = sinew_camera_projection(camera, wide / high);
  sinew_mat4 both = mat4_multiply(&projection, &view);
  vec4 at = {point.x, point.y, point.z, 1}, clip;
  mat4 matrix;
  memcpy(matrix, both.m, sizeof matrix);
  glm_mat4_mulv(matrix, at, clip);
  pixel[0] = (clip[0] / clip[3] * 0.5f + 0.5f) * wide;
  pixel[1] = (0.5f - clip[1] / clip[3] * 0.5f) * high;
  return clip[3] > camera->near_plane;
}

sinew_mat4 mat4_multiply(const sinew_mat4 *a, const sinew_mat4 *b) {
  mat4 left, right, product;
  memcpy(left, a->m, sizeof left);
  memcpy(right, b->m, sizeof right);
  glm_mat4_mul(left, right, product);
  return from_cglm(product);
}

sinew_mat4 mat4_inverse(const sinew_mat4 *matrix) {
  mat4 copy, inverse;
  memcpy(copy, matrix->m, sizeof copy);
  glm_mat4_inv(copy, inverse);
  return from_cglm(inverse);
}

sinew_mat4 mat4_orthographic(const float minimum[3], const float maximum[3]) {
  mat4 projection;
  glm_ortho_rh_no(minimum[0], maximum[0], minimum[1], maximum[1], minimum[2], maximum[2], projection);
  return from_cglm(projection);
}

float camera_reach(const sinew_camera *camera) {
  return fmaxf(15.0f, 3.0f * vec3_distance(camera->target, camera->position));
}

bool camera_check(const sinew_camera *camera, sinew_error *error) {
  if (!vec3_is_finite(camera->position) || !vec3_is_finite(camera->target) || !vec3_is_finite(camera->up))
    return error_set(error, "camera: position, target and up must be finite numbers");
  sinew_vec3 ahead = vec3_sub(camera->target, camera->position);
  float distance = vec3_dot(ahead, ahead);
  if (!(distance > 0.0f) || !isfinite(distance))
    return error_set(error, "camera: position and target must be apart, and not farther than numbers reach");
  if (!(camera->fov_y > 0.0f && camera->fov_y < 3.1415926f))
    return error_set(error, "camera: fov_y is %g radians, but must be between 0 and pi", (double)camera->fov_y);
  if (!(camera->near_plane > 0.0f && camera->near_plane < camera->far_plane && isfinite(camera->far_plane)))
    return error_set(error, "camera: near_plane %g and far_plane %g must be 0 < near < far", (double)camera->near_plane,
                     (double)camera->far_plane);
  if (!isfinite(camera->shift_x) || !isfinite(camera->shift_y))
    return error_set(error, "camera: shift_x and shift_y must be finite numbers");
  return true;
}
