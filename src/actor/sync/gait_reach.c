/* Steps by how far feet reach, which is seen even where none is ever still. */
#include "actor/sync/gait_search.h"

#include "math/elementary.h"
#include "model/body/body.h"
#include "pose/modifiers/posed.h"

#include <math.h>

sinew_vec3 search_position(const gait_search *s, int joint, double time) {
  sinew_mat3x4 m = joint_position(s->gait->model, s->clip, joint, time);
  return (sinew_vec3){m.m[3], m.m[7], m.m[11]};
}

/* How far ahead a foot is at a moment, along a direction; without what its sole rolls on in a cycle. */
static double ahead_at(const gait_search *s, const sinew_vec3 *p, int moment, double x, double z) {
  const sinew_vec3 *end = p + s->moments - 1;
  double part = (double)moment / (s->moments - 1);
  return x * ((double)(p[moment].x - p->x) - part * (double)(end->x - p->x)) +
         z * ((double)(p[moment].z - p->z) - part * (double)(end->z - p->z));
}

int search_reach(const gait_search *s, const sinew_vec3 *path, double x, double z, gait_step *step) {
  int count = s->moments - 1, most = 0, least = 0, passes = 0;
  for (int i = 1; i < count; i++) {
    if (ahead_at(s, path, i, x, z) > ahead_at(s, path, most, x, z)) most = i;
    if (ahead_at(s, path, i, x, z) < ahead_at(s, path, least, x, z)) least = i;
  }
  double middle = (ahead_at(s, path, most, x, z) + ahead_at(s, path, least, x, z)) / 2;
  for (int i = 0; i < count; i++)
    passes += (ahead_at(s, path, i, x, z) < middle) != (ahead_at(s, path, (i + 1) % count, x, z) < middle);
  double down = ((least - most + count) % count) * search_interval(s);
  *step = (gait_step){search_time(s, most), down, down, 0, 0, {0, 0, 0}};
  return passes / 2;
}

void search_step_by_reach(const gait_search *s, clip_gait *out) {
  static const double apart = 0.12;
  gait_step steps[GAIT_LEGS];
  double x = out->x / fmax(out->speed, 1e-9), z = out->z / fmax(out->speed, 1e-9);
  bool differ = out->step_count != GAIT_LEGS;
  for (int foot = 0; foot < s->gait->stepping; foot++) {
    int strides = search_reach(s, s->positions[foot], x, z, steps + foot);
    steps[foot].leg = foot;
    if (strides != 1) {
      out->step_count = 0, out->strides = strides > 0 ? strides : 1;
      return;
    }
    for (int i = 0; i < out->step_count; i++)
      if (out->steps[i].leg == foot)
        differ |= fabs(remainder(out->steps[i].time - steps[foot].time, s->clip->duration)) > apart * s->clip->duration;
  }
  if (!differ) return;
  int first = steps[1].time < steps[0].time;
  out->steps[0] = steps[first], out->steps[1] = steps[!first];
  out->step_count = GAIT_LEGS, out->strides = 1;
}

void search_find_reaches(const gait_search *s, clip_gait *out) {
  const model_body *b = s->gait->model->body;
  if (out->kind != GAIT_MOVING || out->speed < SEARCH_LEAST_SPEED * s->gait->size) return;
  for (int side = 0; side < s->gait->stepping; side++) {
    gait_step step;
    for (int i = 0; i < s->moments; i++) s->ankle[i] = search_position(s, b->feet[side].foot, search_time(s, i));
    if (search_reach(s, s->ankle, out->x / out->speed, out->z / out->speed, &step) != 1) return;
    out->reach[side] = step.time;
  }
  out->reaches = s->gait->stepping > 0;
}
