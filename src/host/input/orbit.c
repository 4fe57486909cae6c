#include "host/input/orbit.h"

#include "math/elementary.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

static const float steepest = 1.5533f; /* 89°: at 90° "up" would lie along the view */
static const float nearest = 1e-4f, farthest = 1e6f;
static const float turn_per_pixel = 0.006f;
static const float zoom_per_notch = 0.88f;
static const double glide = 16; /* per second: 95 % of the distance in 0.19 s */

static float clamped(float value, float low, float high) { return value < low ? low : value > high ? high : value; }

/* The direction from the target to the camera. */
static sinew_vec3 direction_of(const orbit_position *position) {
  float flat = float_cos(position->pitch);
  return (sinew_vec3){flat * float_sin(position->yaw), float_sin(position->pitch), flat * float_cos(position->yaw)};
}

static bool is_finite(const sinew_camera *camera) {
  const float sum = camera->position.x + camera->position.y + camera->position.z + camera->target.x + camera->target.y +
                    camera->target.z;
  return isfinite(sum);
}

void orbit_adopt(orbit *o, const sinew_camera *camera) {
  if (!is_finite(camera)) return;
  o->written.position = camera->position;
  o->written.target = camera->target;
  sinew_vec3 d = vec3_sub(camera->position, camera->target);
  float distance = vec3_length(d);
  o->goal.target = camera->target;
  o->goal.distance = clamped(distance, nearest, farthest);
  if (distance > 0) {
    o->goal.pitch = clamped(float_asin(clamped(d.y / distance, -1, 1)), -steepest, steepest);
    if (d.x != 0 || d.z != 0) o->goal.yaw = float_atan2(d.x, d.z);
  }
  o->now = o->goal;
}

static bool same_vec3(sinew_vec3 a, sinew_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

void orbit_notice(orbit *o, const sinew_camera *camera) {
  const sinew_camera *last = &o->written;
  bool moved = !same_vec3(camera->position, last->position) || !same_vec3(camera->target, last->target);
  if (!o->has_written) o->keeps_planes = true;
  if (o->has_written && moved && is_finite(camera) && is_finite(last))
    o->carried = vec3_add(o->carried, vec3_sub(camera->target, last->target));
  if (!o->has_written || moved) orbit_adopt(o, camera);
  if (o->has_written && (camera->near_plane != last->near_plane || camera->far_plane != last->far_plane))
    o->keeps_planes = false;
  o->written = *camera;
  o->has_written = true;
}

void orbit_carry(orbit *o, sinew_camera *camera, sinew_vec3 by) {
  sinew_vec3 *places[] = {&o->goal.target,      &o->now.target,  &o->written.target,
                          &o->written.position, &camera->target, &camera->position};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) *places[i] = vec3_add(*places[i], by);
}

static void turn(orbit *o, const orbit_input *in) {
  o->goal.yaw -= in->turn_x * turn_per_pixel;
  o->goal.pitch = clamped(o->goal.pitch + in->turn_y * turn_per_pixel, -steepest, steepest);
  o->goal.distance = clamped(o->goal.distance * float_pow(zoom_per_notch, in->zoom), nearest, farthest);
}

/* Keeps the point under the mouse, at the target's depth, under the mouse. */
static void shift(orbit *o, const orbit_input *in, float fov_y) {
  if ((in->shift_x == 0 && in->shift_y == 0) || in->height <= 0) return;
  float metres = 2 * o->goal.distance * float_tan(fov_y / 2) / (float)in->height;
  float sine = float_sin(o->goal.pitch), cosine = float_cos(o->goal.pitch);
  sinew_vec3 right = {float_cos(o->goal.yaw), 0, -float_sin(o->goal.yaw)};
  sinew_vec3 up = {-sine * float_sin(o->goal.yaw), cosine, -sine * float_cos(o->goal.yaw)};
  o->goal.target =
      vec3_add_scaled(vec3_add_scaled(o->goal.target, -in->shift_x * metres, right), in->shift_y * metres, up);
}

static float towards(float from, float to, float part) {
  float gap = to - from;
  return fabsf(gap) < 1e-6f * (1 + fabsf(to)) ? to : from + gap * part;
}

static void glide_on(orbit *o, double dt) {
  float part = (float)(1 - sinew_exp(-glide * (dt > 0 ? dt : 0)));
  o->now.yaw = towards(o->now.yaw, o->goal.yaw, part);
  o->now.pitch = towards(o->now.pitch, o->goal.pitch, part);
  o->now.distance = towards(o->now.distance, o->goal.distance, part);
  o->now.target.x = towards(o->now.target.x, o->goal.target.x, part);
  o->now.target.y = towards(o->now.target.y, o->goal.target.y, part);
  o->now.target.z = towards(o->now.target.z, o->goal.target.z, part);
}

/* A ratio of far to near of at most 50,000 leaves a 24-bit depth buffer precise enough at the target. Within that, a
 * close look at a small thing still shows 200 m of the world behind it. */
static void write_planes(orbit *o, sinew_camera *camera) {
  float distance = o->now.distance;
  if (o->keeps_planes) {
    camera->near_plane = distance / 50;
    camera->far_plane = fmaxf(distance * 200, fminf(200, distance * 1000));
  }
  o->written = *camera;
  o->has_written = true;
}

static void write_camera(orbit *o, sinew_camera *camera) {
  camera->target = o->now.target;
  camera->position = vec3_add_scaled(o->now.target, o->now.distance, direction_of(&o->now));
  write_planes(o, camera);
}

static bool is_idle(const orbit *o, const orbit_input *in) {
  return in->turn_x == 0 && in->turn_y == 0 && in->shift_x == 0 && in->shift_y == 0 && in->zoom == 0 &&
         memcmp(&o->goal, &o->now, sizeof o->goal) == 0;
}

/* A camera that is not turned keeps its values to the last bit. */
void orbit_update(orbit *o, sinew_camera *camera, const orbit_input *in, double dt) {
  orbit_notice(o, camera);
  if (is_idle(o, in)) {
    write_planes(o, camera);
    return;
  }
  turn(o, in);
  shift(o, in, camera->fov_y);
  glide_on(o, dt);
  write_camera(o, camera);
}

static bool is_box(sinew_vec3 a, sinew_vec3 b) {
  return isfinite(a.x + a.y + a.z + b.x + b.y + b.z) && a.x <= b.x && a.y <= b.y && a.z <= b.z;
}

/* The distance at which a box corner (right, up, towards the camera, from the centre) is just inside the picture. */
static float corner_distance(float right, float up, float front, float tan_x, float tan_y) {
  float x = fabsf(right) / tan_x, y = fabsf(up) / tan_y;
  return front + (x > y ? x : y);
}

void orbit_frame_box(orbit *o, sinew_camera *camera, sinew_vec3 minimum, sinew_vec3 maximum, float aspect) {
  orbit_notice(o, camera);
  if (!is_box(minimum, maximum)) return;
  sinew_vec3 centre = {(minimum.x + maximum.x) / 2, (minimum.y + maximum.y) / 2, (minimum.z + maximum.z) / 2};
  sinew_vec3 half = {maximum.x - centre.x, maximum.y - centre.y, maximum.z - centre.z};
  if (half.x + half.y + half.z < 1e-6f) half = (sinew_vec3){0.5f, 0.5f, 0.5f};
  float tan_y = float_tan(camera->fov_y / 2), tan_x = tan_y * (aspect > 0 ? aspect : 1), distance = 0;
  float sine = float_sin(o->goal.pitch), cosine = float_cos(o->goal.pitch), ys = float_sin(o->goal.yaw),
        yc = float_cos(o->goal.yaw);
  for (int corner = 0; corner < 8; corner++) {
    float x = corner & 1 ? half.x : -half.x, y = corner & 2 ? half.y : -half.y, z = corner & 4 ? half.z : -half.z;
    float right = x * yc - z * ys, flat = x * ys + z * yc;
    float needed = corner_distance(right, y * cosine - flat * sine, y * sine + flat * cosine, tan_x, tan_y);
    if (needed > distance) distance = needed;
  }
  o->goal.target = centre;
  o->goal.distance = clamped(distance * 1.12f, nearest, farthest);
  o->now = o->goal;
  write_camera(o, camera);
}
