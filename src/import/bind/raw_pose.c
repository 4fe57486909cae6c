#include "import/bind/raw_pose.h"

#include "import/raw/curve.h"

#include <math.h>
#include <string.h>

static void set_value(sinew_transform *t, track_kind kind, const double *v) {
  sinew_vec3 vector = {(float)v[0], (float)v[1], (float)v[2]};
  if (kind == TRACK_ROTATION) t->rotation = (sinew_quat){vector.x, vector.y, vector.z, (float)v[3]};
  else if (kind == TRACK_TRANSLATION) t->translation = vector;
  else t->scale = vector;
}

void raw_pose(const skeleton_view *skeleton, const raw_clip *clip, double time, sinew_transform *local,
              sinew_transform *model) {
  memcpy(local, skeleton->rest, (size_t)skeleton->count * sizeof *local);
  for (int i = 0; i < clip->track_count; i++) {
    const raw_track *track = clip->tracks + i;
    double value[4] = {0};
    if (track->kind == TRACK_MORPH) continue;
    curve_value(track, time, value);
    set_value(local + track->node + 1, track->kind, value);
  }
  skeleton_to_model(skeleton, local, model);
}

bool raw_clip_span(const raw_clip *clip, double *first, double *last) {
  *first = (double)INFINITY;
  *last = -(double)INFINITY;
  for (int i = 0; i < clip->track_count; i++) {
    const raw_track *track = clip->tracks + i;
    if (track->kind == TRACK_MORPH || track->key_count == 0) continue;
    *first = fmin(*first, track->times[0]);
    *last = fmax(*last, track->times[track->key_count - 1]);
  }
  return *first <= *last;
}
