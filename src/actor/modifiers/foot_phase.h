/* foot_phase – where the playing clips have a foot: on the ground or in the air, until when, and where it comes down.
 */
#ifndef SINEW_ACTOR_FOOT_PHASE_H
#define SINEW_ACTOR_FOOT_PHASE_H

#include "actor/modifiers/modifier.h"

struct actor;

typedef struct foot_phase {
  bool known;              /* the model's legs are */
  bool moves;              /* some clip lifts feet; otherwise they all stand … */
  bool steps;              /* … and it tells when and where this one comes down */
  float down;              /* the fraction of the moving clips, by weight, that have it on the ground */
  double to_land, to_lift; /* seconds until it comes down, 0 while it is down; and until it lifts after that */
  sinew_vec3 landing;      /* in the air: where its ball comes down, in model space, seen from the root at that time */
} foot_phase;

foot_phase foot_phase_of(const struct actor *a, const sinew_foot *foot);

#endif
