#include "render/frame_uniforms.h"

#include "base/error.h"
#include "math/vec3.h"
#include "render/camera.h"

#include <math.h>
#include <string.h>

sinew_light sinew_light_default(void) {
  return (sinew_light){.direction = {0.45f, 0.8f, 0.55f},
                       .color = {1.0f, 0.93f, 0.82f},
                       .intensity = 3.0f,
                       .sky = {0.28f, 0.40f, 0.60f},
                       .ground = {0.24f, 0.21f, 0.17f},
                       .exposure = 1.0f};
}

static bool is_color(const float color[3]) {
  for (int i = 0; i < 3; i++)
    if (!isfinite(color[i]) || color[i] < 0.0f) return false;
  return true;
}

static bool is_amount(float value) { return isfinite(value) && value >= 0.0f; }

static bool check_light(const sinew_light *light, sinew_error *error) {
  float length = vec3_dot(light->direction, light->direction);
  if (!(length > 0.0f) || !isfinite(length))
    return error_set(error, "light: the direction must be finite and not zero");
  if (!is_color(light->color) || !is_color(light->sky) || !is_color(light->ground))
    return error_set(error, "light: colours must be finite numbers of at least 0");
  if (!is_amount(light->intensity) || !is_amount(light->exposure) || !is_amount(light->fog))
    return error_set(error, "light: intensity, exposure and fog must be finite numbers of at least 0");
  if ((int)light->environment < 0 || light->environment >= SINEW_ENVIRONMENT_COUNT)
    return error_set(error, "light: environment %d is not one of sinew_environment", (int)light->environment);
  if ((int)light->curve < 0 || light->curve >= SINEW_CURVE_COUNT)
    return error_set(error, "light: curve %d is not one of sinew_curve", (int)light->curve);
  return true;
}

void frame_uniforms_light(frame_uniforms *uniforms, const environment *from) {
  const surroundings *around = &from->around;
  for (int i = 0; i < 3; i++) {
    uniforms->sun[i] = around->sun[i];
    uniforms->sun_color[i] = around->sun_color[i];
    uniforms->zenith[i] = around->zenith[i];
    uniforms->horizon[i] = around->horizon[i];
  }
  uniforms->zenith[3] = around->steepness;
  uniforms->horizon[3] = around->glow;
  memcpy(uniforms->ambient, from->ambient, sizeof uniforms->ambient);
}

bool frame_uniforms_fill(frame_uniforms *uniforms, const sinew_frame *frame, sinew_error *error) {
  if (!camera_check(&frame->camera, error) || !check_light(&frame->light, error)) return false;
  *uniforms = (frame_uniforms){0};
  sinew_mat4 view = sinew_camera_view(&frame->camera);
  float width = (float)frame->width, height = (float)frame->height;
  sinew_mat4 projection = sinew_camera_projection(&frame->camera, width / height);
  uniforms->view_projection = mat4_multiply(&projection, &view);
  uniforms->inverse_view_projection = mat4_inverse(&uniforms->view_projection);
  const sinew_vec3 eye = frame->camera.position;
  memcpy(uniforms->camera, (float[4]){eye.x, eye.y, eye.z, frame->light.exposure}, sizeof uniforms->camera);
  memcpy(uniforms->viewport, (float[4]){width, height, 1.0f / width, 1.0f / height}, sizeof uniforms->viewport);
  uniforms->fog[0] = frame->light.fog;
  return true;
}
