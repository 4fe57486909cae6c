/* same_rig – decides whether a clip file has our rig, even if the two rest poses differ. */
#ifndef SINEW_IMPORT_SAME_RIG_H
#define SINEW_IMPORT_SAME_RIG_H

#include "import/bind/bind.h"

/* Sets binding.mode; needs binding's map, plan and rest poses. False when memory runs out.
 *
 * A joint's offset from its parent shows the parent's axes and length, and does not change when the parent rotates. So
 * two files have the same rig if the joints that a skin needs have the same hierarchy, and their offsets agree within 3
 * %. Programs animate a few offsets (collar bones, hips), which then differ between two poses of one rig: such a joint
 * may differ if its length agrees or its clip moves it, as long as most of the rig agrees. */
bool same_rig_find_mode(binding *b);

/* The nearest joint above that has a partner; 0 if there is none. */
int matched_above(const binding *b, int ours);

#endif
