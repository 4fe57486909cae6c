/* rig – small models with known joints and a clip that follows a function of time. */
#ifndef SINEW_TESTS_RIG_H
#define SINEW_TESTS_RIG_H

#include "support/fixture.h"

/* The transform of a joint (counted as given to make_rig) at a time. */
typedef sinew_transform rig_motion(int joint, double time);

enum { RIG_TRACK_FLOATS = 10 };

static inline void rig_fill_frame(rig_motion *motion, int joints, double time, float *frame) {
  for (int j = 0; j < joints; j++, frame += RIG_TRACK_FLOATS) {
    sinew_transform t = motion(j, time);
    memcpy(frame, &t.rotation, sizeof t.rotation);
    memcpy(frame + 4, &t.translation, sizeof t.translation);
    memcpy(frame + 7, &t.scale, sizeof t.scale);
  }
}

/* Joint i of the model is joint i − 1 here where parents are in order. `motion` (or NULL for no clip) is sampled at
 * `frames` even moments, both ends included; the tracks are floats. */
static inline sinew_model *make_rig(const joint_desc *joints, int count, rig_motion *motion, double duration,
                                    int frames) {
  clip_track *tracks = calloc((size_t)count * 3, sizeof *tracks);
  float *times = calloc((size_t)frames + 1, sizeof *times);
  float *values = calloc((size_t)(frames * count * RIG_TRACK_FLOATS) + 1, sizeof *values);
  bool *animated = calloc((size_t)count, sizeof *animated);
  sinew_transform *base = calloc((size_t)count, sizeof *base);
  for (int j = 0; j < count; j++) {
    int at = j * RIG_TRACK_FLOATS;
    tracks[3 * j] = (clip_track){TRACK_ROTATION, j, 0, false, at, true, 0};
    tracks[3 * j + 1] = (clip_track){TRACK_TRANSLATION, j, 0, false, at + 4, true, 0};
    tracks[3 * j + 2] = (clip_track){TRACK_SCALE, j, 0, false, at + 7, true, 0};
    animated[j] = true;
    base[j] = joints[j].rest;
  }
  for (int r = 0; r < frames; r++) {
    double time = duration * r / (frames - 1);
    times[r] = (float)time;
    rig_fill_frame(motion, count, time, values + r * count * RIG_TRACK_FLOATS);
  }
  track_group_desc tracks_desc = {times, frames, values, count * RIG_TRACK_FLOATS, tracks, count * 3, 0, NULL};
  clip_desc clip = {.name = "Move",
                    .duration = duration,
                    .track_groups = &tracks_desc,
                    .track_group_count = 1,
                    .animated = animated,
                    .base = base};
  model_desc desc = {.path = "rig",
                     .root = sinew_transform_identity(),
                     .joints = joints,
                     .joint_count = count,
                     .clips = &clip,
                     .clip_count = motion ? 1 : 0};
  sinew_model *model = model_create(&desc, NULL);
  free(tracks), free(times), free(values), free(animated), free(base);
  assert_non_null(model);
  return model;
}

#endif
