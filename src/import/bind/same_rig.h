/* same_rig – decides whether a clip file has our rig, whatever the rest poses of the two. */
#ifndef SINEW_IMPORT_SAME_RIG_H
#define SINEW_IMPORT_SAME_RIG_H

#include "import/bind/binding.h"

/* Writes binding.mode; binding's map, plan and rest poses are there. False when memory runs out.
 *
 * A joint's offset from its parent says which axes its parent has and how long it is, and turning the parent does not
 * change it. So two files have one rig where the joints that a skin needs hang from each other alike and their offsets
 * agree within 3 %. Programs animate a few offsets (collar bones, hips), which then differ between two poses of one
 * rig: such a joint may differ where its length agrees or its clip moves it, as long as most of the rig agrees. */
bool same_rig_find_mode(binding *b);

/* The nearest joint above that has a partner; 0 where there is none. */
int matched_above(const binding *b, int ours);

#endif
