/* feet – the paths of a clip's feet, for the analyses that use them. */
#ifndef SINEW_POSE_FEET_H
#define SINEW_POSE_FEET_H

#include <sinew/motion.h>

typedef struct foot_paths {
  double duration;
  int count, moments;           /* evenly spaced: the first is 0, the last the clip's end */
  sinew_vec3 *positions;        /* of all feet at the first moment, then at the next */
  float lowest[SINEW_FEET_MAX]; /* each foot's least height over the clip, metres */
} foot_paths;

/* False when memory runs out; must be released in any case. */
bool feet_measure(foot_paths *f, const sinew_model *model, const sinew_clip *clip, const int *joints, int count,
                  int moments);
void feet_release(foot_paths *f);
sinew_vec3 feet_position(const foot_paths *f, int foot, int moment);

/* `joints` contains the feet, to which their children are appended: a foot rolls over its ball, which still stands when
 * the ankle already moves on. Returns their number, at most SINEW_FEET_MAX. */
int feet_add_balls(const sinew_model *model, int *joints, int count);

/* The path of the root: see sinew_root_from_feet_job. */
void feet_find_path(const foot_paths *f, float height, sinew_vec3 *path);

#endif
