/* verdict – decides whether a clip of another file looks the same on our joints as on its own. */
#ifndef SINEW_IMPORT_VERDICT_H
#define SINEW_IMPORT_VERDICT_H

#include "import/bind/binding.h"

/* If the clips' file has a rest pose in mid-stride, takes the height of the planted ankles from its clips: their lowest
 * position. False when memory runs out. */
bool verdict_lower_ankles(binding *b);

/* Compares a bound clip with its source at moments all over it: sets its `fit`, and adds a note if feet go below the
 * ground, hips are 5 % too high or too low, or limbs point 5° elsewhere. False when memory runs out. */
bool verdict_check(const binding *b, const raw_clip *theirs, raw_clip *ours);

#endif
