/* gait – the speed of a clip and the moments when its feet come down, found once for each clip of a model. */
#ifndef SINEW_ACTOR_GAIT_H
#define SINEW_ACTOR_GAIT_H

#include "actor/sync/distance_match.h"
#include "actor/sync/limb.h"

enum { GAIT_LEGS = 2, GAIT_STEPS = 16, GAIT_FEET = 8 };

/* The speed of a clip that lifts its feet on the spot: nothing, unless all others do so. */
#define GAIT_LEAST_SPEED 1e-3

typedef enum gait_kind {
  GAIT_UNKNOWN, /* the model has no feet that are known, and its hips do not travel */
  GAIT_STANDING,
  GAIT_MOVING /* it travels, or lifts its feet */
} gait_kind;

typedef struct gait_step {
  double time; /* a foot comes down, seconds … */
  double down; /* … and stays down for so long, … */
  double firm; /* … until it begins to roll off: no more than `down` */
  int leg;
} gait_step;

typedef struct clip_gait {
  bool known;
  bool carries_hips; /* its root travels; the speed does not come from its feet */
  gait_kind kind;
  double x, z, speed;           /* that the clip travels with in model space, metres a second */
  sinew_vec3 middle[GAIT_LEGS]; /* of each ball's path, seen from the root; y is 0 */
  gait_step steps[GAIT_STEPS];
  int step_count; /* in the order of time; 0 also where there are more */
  int strides;    /* in the clip: how often its first foot comes down; 0: it does not */
} clip_gait;

typedef struct leg {
  int thigh, shin, foot, toes; /* toes: the foot where there are none */
} leg;

/* The gaits of a model's clips, for all its actors on one stage. */
typedef struct model_gait {
  const sinew_model *model;
  int users;
  int hips; /* or −1 */
  leg legs[GAIT_LEGS];
  int leg_count; /* 0 or 2 */
  /* The joints that stand on the ground: the balls of the feet or, where no legs are known, the ends of limbs that are
   * low at rest (paws, feet that hang from something else than their legs). A clip's speed is measured at them. */
  int feet[GAIT_FEET], foot_count;
  limb_chain limbs[GAIT_FEET]; /* that end in those feet, where no legs are known */
  int limb_count;
  /* The height of these joints at rest, and how far they are below the joint from which they hang. */
  float stands[GAIT_FEET], hangs[GAIT_FEET];
  int standing; /* how many of them stand on one ground at rest: all, or none where one is lower than the others */
  double size;  /* of the character, relative to a person's: heights of feet on the ground scale with it */
  double unit;  /* … and the power of ten nearest to that: about how many of the model's lengths are a metre */
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

/* 1 where nothing is known. */
static inline double gait_unit(const model_gait *gait) { return gait ? gait->unit : 1; }

/* Whether the foot of leg `side` is on the ground; true for a clip that stands. */
bool gait_is_down(const clip_gait *gait, int side, double time, double duration);

/* Never NULL, and from then on only read: unknown where `gait` is NULL or memory runs out. It is found when it is first
 * asked for, some 1 ms for each second of the clip. */
const clip_gait *gait_of(model_gait *gait, int clip);

/* The same of how far a clip has come. */
const clip_course *course_of(model_gait *gait, int clip);

#endif
