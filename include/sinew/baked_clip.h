/* sinew/baked_clip.h – a baked clip: poses recorded one after the other, and written as an animation that other
 * programs read. */
#ifndef SINEW_BAKED_CLIP_H
#define SINEW_BAKED_CLIP_H

#include <sinew/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_baked_clip sinew_baked_clip;

/* An empty baked clip of the model, which it keeps. NULL and an error message when memory runs out. */
SINEW_API sinew_baked_clip *sinew_baked_clip_create(sinew_model *model, sinew_error *error);
SINEW_API void sinew_baked_clip_destroy(sinew_baked_clip *clip); /* NULL is allowed */

/* Adds a key: all joints of a pose at a time in seconds, from 0 on and later than the key before. `position` moves the
 * whole character, or is NULL. Returns false with an error message, and adds nothing, if the number of joints differs,
 * the time is not later, a value is not finite, or memory runs out. */
SINEW_API bool sinew_baked_clip_add_key(sinew_baked_clip *clip, double time, sinew_pose pose,
                                        const sinew_transform *position, sinew_error *error);
/* Adds a key to a curve, a named number over the clip's time (curve.h): no earlier than the one before, and within the
 * time of the clip's keys, because a reader cuts it off there. Returns false with an error message, and adds nothing,
 * for everything that sinew_stage_set_curve refuses, and when memory runs out. */
SINEW_API bool sinew_baked_clip_add_curve_key(sinew_baked_clip *clip, const char *name, double time, double value,
                                              sinew_error *error);
SINEW_API bool sinew_baked_clip_has_curve(const sinew_baked_clip *clip, const char *name);
SINEW_API int sinew_baked_clip_key_count(const sinew_baked_clip *clip);
SINEW_API const sinew_model *sinew_baked_clip_model(const sinew_baked_clip *clip);

/* Writes a binary glTF 2.0 file with one animation called `name`: a node for each joint with its name, parent and rest
 * transform (including the virtual root and helpers), with a translation, a rotation and a scale with linear
 * interpolation at the times of the keys, as floats, in metres and y up. Neighbouring rotations have the same sign. A
 * property that never changes has one key. Curves go into the animation's extras, where the import finds them
 * (formats.md), without keys that lie on the line between their neighbours. Joints only: meshes, skins, materials and
 * morph targets stay in the model's own file. Returns false and an error message if there is no key, for more than 4
 * GiB, if the file cannot be written (an old one stays as it was), or when memory runs out. */
SINEW_API bool sinew_baked_clip_write(const sinew_baked_clip *clip, const char *path, const char *name,
                                      sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
