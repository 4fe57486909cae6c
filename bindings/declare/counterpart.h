/* counterpart – finds the clip of a new model that corresponds to a clip of the model it replaces. */
#ifndef SINEW_BINDINGS_COUNTERPART_H
#define SINEW_BINDINGS_COUNTERPART_H

#include <sinew/model.h>

/* The clip of the same name; otherwise, if neither model has the other's name, a clip that moves alike, which was
 * renamed. −1: none. For the same model: the clip itself. */
int counterpart_of_clip(const sinew_model *from, int clip, const sinew_model *to);
/* The same for each clip of `from`, a different model. */
void counterparts_of_clips(const sinew_model *from, const sinew_model *to, int *clips);

#endif
