/* limb – the chain of joints that ends in a foot, in rigs whose legs are not known. */
#ifndef SINEW_ACTOR_LIMB_H
#define SINEW_ACTOR_LIMB_H

#include <sinew/modifier_jobs.h>

/* Its joints are those from `foot` up to `top`. */
typedef struct limb_chain {
  int top, foot;
  bool blade; /* it begins with a shoulder blade: above it are three joints at least */
} limb_chain;

/* Whether `joint` is `other`, or above it. */
bool limb_is_above(const sinew_model *model, int joint, int other);

/* The limb that ends in one of the feet: it begins as high as there is no other foot below it. False where it has no
 * joint that could bend. */
bool limb_find(const sinew_model *model, const int *feet, int foot_count, int foot, limb_chain *out);

/* Turns the foot as the goal is turned, and the joints above it as little as brings it there, without a bend of its own
 * that it could snap to; out of reach it falls a little short. The pose's matrices are up to date, and stay so. */
void limb_bring(const limb_chain *l, const sinew_posed *posed, sinew_transform goal);

#endif
