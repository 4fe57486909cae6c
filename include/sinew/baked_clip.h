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

/* Adds a key: all joints of a pose at a time in seconds, from 0 on and later than the key before. `position` moves
 * the whole character, or is NULL. False, and an error message, and nothing added: another number of joints, a time
 * that is not later, a value that is not finite, memory. */
SINEW_API bool sinew_baked_clip_add_key(sinew_baked_clip *clip, double time, sinew_pose pose,
                                        const sinew_transform *position, sinew_error *error);
/* Adds a key to a curve, a named number over the clip's time (curve.h): no earlier than the one before, and within the
 * time of the clip's keys, as what is read cuts it off there. False, and an error message, and nothing added: what
 * sinew_stage_set_curve refuses, memory. */
SINEW_API bool sinew_baked_clip_add_curve_key(sinew_baked_clip *clip, const char *name, double time, double value,
                                              sinew_error *error);
SINEW_API bool sinew_baked_clip_has_curve(const sinew_baked_clip *clip, const char *name);
SINEW_API int sinew_baked_clip_key_count(const sinew_baked_clip *clip);
SINEW_API const sinew_model *sinew_baked_clip_model(const sinew_baked_clip *clip);

/* Writes a binary glTF 2.0 file with one animation called `name`: a node for each joint with its name, parent and rest
 * transform (the virtual root and helpers, too), and for each a translation, a rotation and a scale with linear
 * interpolation at the times of the keys, as floats, in metres and y up. Neighbouring rotations have the same sign.
 * What never changes has one key. Curves are among the animation's extras, as they are read there (formats.md), without
 * keys on the line between others. Joints only: meshes, skins, materials and morph targets stay in the model's own
 * file. False and an error message: no key, more than 4 GiB, a file that cannot be written (an old one stays), memory.
 */
SINEW_API bool sinew_baked_clip_write(const sinew_baked_clip *clip, const char *path, const char *name,
                                      sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
