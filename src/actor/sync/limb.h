/* limb – the chain of joints that ends in a foot, in rigs whose legs are not known. */
#ifndef SINEW_ACTOR_LIMB_H
#define SINEW_ACTOR_LIMB_H

#include <sinew/modifier_jobs.h>

/* Its joints are those from `foot` up to `top`, which may be the same. */
typedef struct limb_chain {
  int top, foot;
  bool blade; /* it begins with a shoulder blade: at least three joints are above it */
} limb_chain;

/* Whether `joint` is `other`, or above it. */
bool limb_is_above(const sinew_model *model, int joint, int other);

/* The limb that ends in one of the feet: it begins at the highest joint with no other foot below it. A foot that hangs
 * from the joint that carries all feet, as in rigs whose legs follow it, is alone. False if a single joint is above it.
 */
bool limb_find(const sinew_model *model, const int *feet, int foot_count, int foot, limb_chain *out);

/* Gives the foot the goal's rotation, and turns the joints above it as little as it takes to bring it there, without a
 * preferred bend that could snap; out of reach it falls a little short. The pose's matrices are up to date, and stay
 * so. */
void limb_bring(const limb_chain *l, const sinew_posed *posed, sinew_transform goal);

#endif
