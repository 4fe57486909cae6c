/* gait_search – where a clip's feet are at each moment, and when they are on the ground. */
#ifndef SINEW_ACTOR_GAIT_SEARCH_H
#define SINEW_ACTOR_GAIT_SEARCH_H

#include "actor/sync/gait.h"
#include "model/model.h"

/* Moments a second; the feet on the ground determine the speed, and the speed determines which feet are on the ground,
 * so searches repeat that so many times. */
enum { SEARCH_RATE = 120, SEARCH_PASSES = 4 };

/* Metres per second of a figure of size 1: a slower clip stands. */
#define SEARCH_LEAST_SPEED 0.05

typedef struct gait_search {
  const model_gait *gait;
  const sinew_clip *clip;
  int moments; /* 0 and 1: the clip is too short to move */
  int smooth;  /* speeds are means over so many moments more on either side */
  sinew_vec3 *positions[GAIT_FEET];
  float lowest[GAIT_FEET];
  bool *down[GAIT_FEET]; /* from this moment to the next */
  bool goes[GAIT_FEET];  /* it moves at all */
  float *sorted;
  sinew_vec3 *ankle; /* scratch: a path */
  double x, z;       /* what the hips travel with */
  bool carries_hips;
} gait_search;

static inline double search_time(const gait_search *s, int moment) {
  return s->clip->duration * moment / (s->moments - 1);
}

static inline double search_interval(const gait_search *s) { return s->clip->duration / (s->moments - 1); }

/* Of a search that has its gait, with the feet that are looked for, and its clip. False when memory runs out; end it in
 * any case. */
bool search_begin(gait_search *s);
void search_end(gait_search *s);

/* The clip's gait. `out` is zeroed. */
void search_gait(gait_search *s, clip_gait *out);

/* ---- its steps, for feet that a caller names; at a displacement of x and z metres per second ---- */

void search_watch_hips(gait_search *s);
/* Marks the feet that are down: they stand still on the ground, up to `faster` times as fast as is usual. */
void search_contacts(gait_search *s, double x, double z, double faster);
/* Of the speeds of the feet that are down. */
double search_median(gait_search *s, bool along_x, double otherwise);
/* How much faster feet may be that never quite stand. */
double search_slack(const gait_search *s, double x, double z);
/* Fills short interruptions of contacts. */
void search_close_gaps(gait_search *s);
bool search_touches_down(const gait_search *s, int foot, int moment);
/* Seconds for which a foot that touches down stays there. */
double search_time_down(const gait_search *s, int foot, int moment);

/* ---- gait_reach.c ---- */

/* Of a joint without root motion. */
sinew_vec3 search_position(const gait_search *s, int joint, double time);
/* The step of a foot on its path, in the direction (x, z) of length 1: from where it is farthest ahead to where it is
 * farthest back. Returns how often it goes to and fro. */
int search_reach(const gait_search *s, const sinew_vec3 *path, double x, double z, gait_step *step);
/* Feet that slip have no moment at which they come down: they do when they begin to go back. Replaces steps that
 * contacts show elsewhere, or not at all. */
void search_step_by_reach(const gait_search *s, clip_gait *out);
/* The moments at which ankles are farthest ahead, if each goes to and fro once. */
void search_find_reaches(const gait_search *s, clip_gait *out);

#endif
