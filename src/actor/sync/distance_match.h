/* distance_match – the distance and rotation of a clip at each of its times, by which distance matching plays it. */
#ifndef SINEW_ACTOR_DISTANCE_MATCH_H
#define SINEW_ACTOR_DISTANCE_MATCH_H

#include "actor/play/playback.h"

#include <sinew/graph.h>

typedef struct clip_course {
  bool known;
  double x, z;    /* unit vector of the clip's displacement, in model space; 0, 0: it has none */
  unsigned axes;  /* SINEW_ROOT_X … added up: what of it the root has */
  double unit;    /* as in model_gait: of all lengths here */
  double reach;   /* metres: the farthest that it comes from where it begins */
  double angle;   /* of its whole rotation about y, radians; above 0 to the left */
  int count;      /* moments, evenly from 0 to the clip's end; 0: no memory */
  float *travel;  /* metres along the displacement, never falling */
  float *turning; /* radians of its rotation, never falling, from 0 to |angle| */
} clip_course;

/* `root`: the root joint (−1: none). Without a displacement of it the `feet` say how far the clip
 * goes, as in sinew_root_from_feet. */
void course_find(clip_course *course, const sinew_model *model, int clip, int root, const int *feet, int foot_count,
                 double size);
void course_free(clip_course *course);

/* Metres, or radians, that the clip has covered at a time. */
double course_travelled(const clip_course *course, double duration, double time);
double course_turned(const clip_course *course, double duration, double time);

/* By so much of its own rotation a clip turns its actor at most: feet of one that turns it by more slide. */
#define COURSE_MOST_TURNED 1.4

/* The measure by which a clip advances in an update. */
typedef struct course_step {
  sinew_match match;
  double dt;    /* seconds, > 0 */
  double value; /* travelled: metres of this update; to_stop: metres left; turn: radians left, >= 0 */
} course_step;

/* Moves the clip to where it matches: never back, and no slower than half its own speed nor faster than twice. A clip
 * that has no such course moves by its time. */
void course_advance(const clip_course *course, double clip_duration, playback *p, course_step step);

#endif
