/* sinew/curve.h – named numbers over the time of clips, which blend as poses do: how much a hand holds on, how far a
 * door is open, how loud a step is. */
#ifndef SINEW_CURVE_H
#define SINEW_CURVE_H

#include <sinew/actor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Gives a clip of a model a curve on this stage, and replaces one of that name (0 keys remove it). It takes the place
 * of a curve of that name from the model's file (sinew_clip_curve), which is back when it is removed. Everything is
 * copied. False, and an error message, for a name that is empty or has more than 63 bytes, times that do not ascend or
 * are outside the clip, numbers that are not finite, more than 64 curves of a clip, 65,536 keys of a curve or 2²² in
 * all, and when memory runs out. */
SINEW_API bool sinew_stage_set_curve(sinew_stage *stage, sinew_model *model, int clip, const char *name,
                                     const sinew_curve_key *keys, int count, sinew_error *error);
/* The value of a clip's curve at a time. False, and 0, if the clip has none of that name. */
SINEW_API bool sinew_stage_curve(const sinew_stage *stage, const sinew_model *model, int clip, const char *name,
                                 double time, double *value);
/* The name of the i-th curve of a clip, the stage's own before those of the model's file, each name once; NULL past the
 * last. It lives until a curve of the model is set. */
SINEW_API const char *sinew_stage_clip_curve_name(const sinew_stage *stage, const sinew_model *model, int clip,
                                                  int index);
/* The name of the i-th curve that any clip of the model has, each name once; NULL past the last. It lives until a curve
 * of the model is set. */
SINEW_API const char *sinew_stage_curve_name(const sinew_stage *stage, const sinew_model *model, int index);

/* The curve's value in the last update, blended from the actor's clips. On the base layer a clip without the curve
 * counts as `rest`. On a layer above, a clip with the curve covers the value below by its weight, or adds to it if the
 * layer is additive; a clip without it has no effect. Masks are ignored. `rest` if no playing clip has the curve. */
SINEW_API double sinew_actor_curve(const sinew_stage *stage, sinew_actor actor, const char *name, double rest);

#ifdef __cplusplus
}
#endif
#endif
