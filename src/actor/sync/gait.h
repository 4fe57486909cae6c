/* gait – the speed of a clip and the moments when its feet come down, found once for each clip of a model. */
#ifndef SINEW_ACTOR_GAIT_H
#define SINEW_ACTOR_GAIT_H

#include "actor/sync/distance_match.h"
#include "actor/sync/foot_outline.h"
#include "actor/sync/limb.h"

enum { GAIT_LEGS = 2, GAIT_STEPS = 16, GAIT_FEET = 8 };

/* The speed of a clip that lifts its feet on the spot: it counts only if all others do so, too. */
#define GAIT_LEAST_SPEED 1e-3

typedef enum gait_kind {
  GAIT_UNKNOWN, /* the model's feet are not known, and its hips do not travel */
  GAIT_STANDING,
  GAIT_MOVING /* it travels, or lifts its feet */
} gait_kind;

typedef struct gait_step {
  double time; /* a foot comes down, seconds … */
  double down; /* … and stays down for so long, … */
  double firm; /* … until it begins to roll off: at most `down` */
  int leg;
  /* Of a known leg: so much earlier the foot arrives, heel first; and where its ball is at that moment, in model space,
   * less what the root has travelled. */
  double early;
  sinew_vec3 at;
} gait_step;

typedef struct clip_gait {
  bool known;
  bool carries_hips; /* its root travels; the speed does not come from its feet */
  gait_kind kind;
  double x, z, speed;           /* of its displacement in model space, metres per second */
  sinew_vec3 middle[GAIT_LEGS]; /* of each ball's path, seen from the root; y is 0 */
  gait_step steps[GAIT_STEPS];
  int step_count;          /* in the order of time; 0 also if there are too many */
  int strides;             /* in the clip: how often its first foot comes down; 0: never */
  bool clean;              /* its steps are plain to see; else they are guesses */
  bool reaches;            /* it is one stride, in which … */
  double reach[GAIT_LEGS]; /* … each ankle is once farthest ahead, seconds */
} clip_gait;

typedef struct leg {
  int thigh, shin, foot, toes; /* toes: the foot if there are none */
  sinew_vec3 hinge;            /* the shin bends backwards about it, in its own space */
} leg;

/* The gaits of a model's clips, for all its actors on one stage. */
typedef struct model_gait {
  const sinew_model *model;
  int users;
  int hips; /* or −1 */
  leg legs[GAIT_LEGS];
  int leg_count; /* 0, or 2 where chains from the hip to the foot can be bent */
  /* The joints that stand on the ground (body.h): a clip's speed is measured at their balls or soles. */
  int feet[GAIT_FEET], foot_count;
  foot_outline outlines[GAIT_FEET]; /* of their feet */
  int stepping;                     /* of the feet, those whose steps count: 2, or 0 */
  limb_chain limbs[GAIT_FEET];      /* that end in those feet, if no legs are known */
  int limb_count;
  /* The height of these joints at rest, and their distance below their parent. */
  float stands[GAIT_FEET], hangs[GAIT_FEET];
  int standing; /* how many of them stand on one ground at rest: all, or none if one is lower than the others */
  double size;  /* of the character, relative to a person's: every length and speed scales with it */
  clip_gait *clips;
  clip_course *courses;
  int root; /* the root joint, or −1; −2: not asked for yet */
} model_gait;

typedef struct gait_table {
  model_gait **items;
  int count, capacity;
} gait_table;

/* The model's gait, for one more user; NULL when memory runs out. */
model_gait *gait_take(gait_table *table, const sinew_model *model);
void gait_leave(gait_table *table, model_gait *gait); /* or NULL */

/* As sinew_model_metre says. */
double gait_metre(const model_gait *gait);

/* 1 where nothing is known. */
static inline double gait_size(const model_gait *gait) { return gait ? gait->size : 1; }

/* The outline of a foot; of one that the body does not know, its ball. */
foot_outline gait_outline(const model_gait *gait, const sinew_model *model, int foot);

/* Whether the foot of leg `side` is on the ground; true for a standing clip. */
bool gait_is_down(const clip_gait *gait, int side, double time, double duration);

/* Found when it is first asked for, in some 1 ms for each second of the clip, and read-only afterwards. Never NULL:
 * unknown if `gait` is NULL or memory runs out. */
const clip_gait *gait_of(model_gait *gait, int clip);

/* For one question, without a table: a clip's gait, and what its model's legs are, without `clips` and `courses`. `out`
 * is zeroed. False when memory runs out. */
bool gait_alone(const sinew_model *model, int clip, model_gait *gait, clip_gait *out);

/* The same for the clip's course. */
const clip_course *course_of(model_gait *gait, int clip);

#endif
