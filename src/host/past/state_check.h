#ifndef SINEW_HOST_STATE_CHECK_H
#define SINEW_HOST_STATE_CHECK_H

#include <sinew/actor.h>

/* A hash of where all actors are, their parameters and what plays: two runs that differ soon differ in it. It computes
 * no pose, so it costs little. */
uint64_t state_check(const sinew_stage *stage);

#endif
