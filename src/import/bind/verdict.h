/* verdict – decides whether a clip of another file looks on our joints as it does on its own. */
#ifndef SINEW_IMPORT_VERDICT_H
#define SINEW_IMPORT_VERDICT_H

#include "import/bind/binding.h"

/* If the clips' file rests in mid-stride, takes the height of its ankles on the ground from its clips: their lowest
 * position. False when memory runs out. */
bool verdict_lower_ankles(binding *b);

/* Compares a bound clip with its source at moments all over it: its `fit`, and a note on feet under the ground, hips
 * that stand 5 % too high or too low, and limbs that point 5° elsewhere. False when memory runs out. */
bool verdict_check(const binding *b, const raw_clip *theirs, raw_clip *ours);

#endif
