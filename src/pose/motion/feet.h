/* feet – where a clip has its feet, for what is found from them. */
#ifndef SINEW_POSE_FEET_H
#define SINEW_POSE_FEET_H

#include <sinew/motion.h>

typedef struct feet {
  const sinew_model *model;
  const sinew_clip *clip;
  const int *joints;
  int count;
  float lowest[SINEW_FEET_MAX]; /* each foot's least height over the clip, metres */
} feet;

/* NULL, or why the feet cannot be followed. */
const char *feet_check(const sinew_model *model, const sinew_clip *clip, const int *joints, int count);

/* Measures the lowest places at `moments` even moments of the clip. */
feet feet_measure(const sinew_model *model, const sinew_clip *clip, const int *joints, int count, int moments);

/* The time of an even moment: the first is 0, the last the clip's end. */
double feet_time(const feet *f, int moment, int moments);

sinew_vec3 feet_position(const feet *f, int foot, double time);

#endif
