/* fbx_clips – turns stacks into clips of the raw model: from LocalStart to LocalStop, in seconds since LocalStart. */
#ifndef SINEW_IMPORT_FBX_CLIPS_H
#define SINEW_IMPORT_FBX_CLIPS_H

#include "import/source/fbx/curves/fbx_reach.h"
#include "import/source/fbx/curves/fbx_sample.h"
#include "import/source/fbx/geometry/fbx_shape.h"

/* Programs compute curves in floats, so smaller movements count as standing still. Degrees; a fraction of a scale; a
 * fraction of the model's size and of the distance from the parent. */
static const double fbx_angle_noise = 1e-4, fbx_scale_noise = 2e-6, fbx_length_noise = 5e-7;

/* Finds the joints whose scales are uniform in every clip: joint.even. False when memory runs out. */
bool fbx_find_even_scales(fbx_scene *scene, const fbx_animation *animation, fbx_skeleton *skeleton);

/* One stack while it becomes a clip. */
typedef struct fbx_maker {
  fbx_scene *scene;
  const fbx_skeleton *skeleton;
  const fbx_stack *stack;
  raw_clip *clip;
  fbx_reach reach;
  fbx_marks own, all;      /* of one function; of all functions that bend */
  fbx_function *functions; /* that bend */
  int function_count, function_capacity;
} fbx_maker;

/* Makes tracks of a function whose marks are in `own`; if it bends, they are made later, together with the others.
 * `user` must live as long as the file is open. False when memory runs out. */
bool fbx_make_tracks(fbx_maker *maker, const fbx_function *function);

/* fbx_joints.c, fbx_percents.c: the curves of joints, and of morph targets. */
bool fbx_make_joints(fbx_maker *maker);
bool fbx_make_percents(fbx_maker *maker, const fbx_blends *blends);

/* False when memory runs out. */
bool fbx_make_clips(fbx_scene *scene, const fbx_animation *animation, const fbx_skeleton *skeleton,
                    const fbx_blends *blends);

#endif
