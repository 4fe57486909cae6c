/* counterpart – finds the clip of a new model that corresponds to a clip of the model it replaces. */
#ifndef SINEW_BINDINGS_COUNTERPART_H
#define SINEW_BINDINGS_COUNTERPART_H

#include <sinew/model.h>

/* The clip of the same name; else, where neither model has the other's name, one that moves alike: a renamed one. −1:
 * none. The same model: the clip itself. */
int counterpart_of_clip(const sinew_model *from, int clip, const sinew_model *to);
/* The same of each clip of `from`, another model. */
void counterparts_of_clips(const sinew_model *from, const sinew_model *to, int *clips);

#endif
