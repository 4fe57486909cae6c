/* sinew/motion.h – how a clip carries its character over the ground: root motion, and what planted feet say about it.
 *
 * Jobs as in pose.h. */
#ifndef SINEW_MOTION_H
#define SINEW_MOTION_H

#include <sinew/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- root motion ------------------------------------------------------------------------------------------ */

/* What of a joint's motion is the character's own: its way along the axes of model space (y is up), and its turn about
 * y. */
enum { SINEW_ROOT_X = 1, SINEW_ROOT_Y = 2, SINEW_ROOT_Z = 4, SINEW_ROOT_YAW = 8 };

/* The root motion of a clip is R(t) = F(t) · F(0)⁻¹, where the frame F stands at the joint's place in model space along
 * the declared axes (at 0 along the others) and is turned about y by what the joint has turned since the clip began
 * (the twist about y of its rotation; none where it lies upside down). So R(0) is the identity, and a character that is
 * moved by R and shown in the pose R⁻¹ · pose is where the clip would have put it. */
typedef struct sinew_root_track {
  const sinew_model *model;
  const sinew_clip *clip;
  int joint;     /* usually the hips, or a root that was animated for this */
  unsigned axes; /* SINEW_ROOT_X … added up */
} sinew_root_track;

/* How the root moves from one moment of a playing clip to another: world_after = world_before · output. With a = R at
 * the beginning of the loop and c = a⁻¹ · R(end of the loop), it is
 *
 *   (a⁻¹ R(from))⁻¹ · cⁿ · a⁻¹ R(to)
 *
 * so N loops travel N strides at any dt, forwards and backwards. Computed in double precision. */
typedef struct sinew_root_motion_job {
  sinew_root_track track;
  double from, to;             /* seconds in the clip */
  int64_t loops;               /* n: how often the end was passed between the two; negative backwards */
  double loop_begin, loop_end; /* seconds in the clip; what one cycle is. Both 0: the whole clip */
  sinew_transform *output;     /* translation and a rotation about y; scale 1 */
} sinew_root_motion_job;

SINEW_API const char *sinew_root_motion_check(const sinew_root_motion_job *job);
SINEW_API bool sinew_root_motion(const sinew_root_motion_job *job);

/* Takes the root motion out of a pose that was sampled at `time`: the joint's transform becomes that of R⁻¹ · pose.
 * Only the joint is changed, so what does not hang from it stays. Exact where the joints above it scale evenly. */
typedef struct sinew_root_remove_job {
  sinew_root_track track;
  double time;
  sinew_pose pose; /* read and written */
} sinew_root_remove_job;

SINEW_API const char *sinew_root_remove_check(const sinew_root_remove_job *job);
SINEW_API bool sinew_root_remove(const sinew_root_remove_job *job);

#ifdef __cplusplus
}
#endif
#endif
