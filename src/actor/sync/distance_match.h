/* distance_match – the distance and rotation of a clip at each of its times, by which distance matching plays it. */
#ifndef SINEW_ACTOR_DISTANCE_MATCH_H
#define SINEW_ACTOR_DISTANCE_MATCH_H

#include "actor/play/playback.h"

#include <sinew/graph.h>

typedef struct clip_course {
  bool known;
  double x, z;    /* unit vector of the clip's displacement, in model space; 0, 0: it has none */
  unsigned axes;  /* SINEW_ROOT_X … added up: the axes that root motion takes */
  double size;    /* as in model_gait: applies to all lengths here */
  double reach;   /* metres: its farthest distance from its beginning */
  double angle;   /* of its whole rotation about y, radians; above 0 to the left */
  int count;      /* moments, evenly from 0 to the clip's end; 0: memory ran out */
  float *travel;  /* metres along the displacement, never falling */
  float *turning; /* radians of its rotation, never falling, from 0 to |angle| */
} clip_course;

/* `root`: the root joint (−1: none). If it is not displaced, the `feet` show how far the clip goes, as in
 * sinew_root_from_feet. */
void course_find(clip_course *course, const sinew_model *model, int clip, int root, const int *feet, int foot_count,
                 double size);
void course_free(clip_course *course);

/* Metres, or radians, that the clip has covered at a time. */
double course_travelled(const clip_course *course, double duration, double time);
double course_turned(const clip_course *course, double duration, double time);

/* A clip turns its actor by at most this multiple of its own rotation: beyond that, feet slide. */
#define COURSE_MOST_TURNED 1.4

/* The measure by which a clip advances in an update. */
typedef struct course_step {
  sinew_match match;
  double dt;    /* seconds, > 0 */
  double value; /* travelled: metres of this update; to_stop: metres left; turn: radians left, >= 0 */
} course_step;

/* Moves the clip to the matching moment: never back, and at half to twice its own speed. A clip without such a course
 * runs by time. */
void course_advance(const clip_course *course, double clip_duration, playback *p, course_step step);

#endif
