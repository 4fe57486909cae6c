/* levers – how far a rotation of each joint moves the end of the limb below it. */
#ifndef SINEW_ACTOR_LEVERS_H
#define SINEW_ACTOR_LEVERS_H

#include <sinew/model.h>

/* Metres along the bones from each joint to the farthest one below it, at rest; as many as a pose has lanes. NULL
 * when memory runs out. */
float *levers_find(const sinew_model *model);

#endif
