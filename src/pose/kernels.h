/* kernels – the inner loops of the pose jobs, compiled once for each backend of math/lanes.h. Jobs check their
 * arguments; kernels assume that they are valid. */
#ifndef SINEW_POSE_KERNELS_H
#define SINEW_POSE_KERNELS_H

#include "model/model.h"

typedef struct pose_kernels {
  void (*sample)(const sinew_clip *clip, double time, sinew_pose_group *output);
  void (*blend)(const sinew_blend_job *job);
  void (*layer)(const sinew_layer_job *job);
  void (*additive)(const sinew_additive_job *job);
  void (*additive_make)(const sinew_additive_make_job *job);
  void (*additive_apply)(const sinew_additive_apply_job *job);
  void (*inertialize_begin)(const sinew_inertialize_begin_job *job);
  void (*inertialize)(const sinew_inertialize_job *job);
  void (*local_to_model)(const sinew_local_to_model_job *job);
  /* Computes the joints of groups first .. end − 1, from whatever group the job starts. The joints before them have
   * been computed. */
  void (*place)(const sinew_local_to_model_job *job, int first, int end);
  /* Everything except the palette. `still` uses matrices computed in advance (clip_still); without it, the bits equal
   * evaluate_eight's. */
  void (*evaluate)(const sinew_evaluate_job *job, bool still);
  /* Evaluates eight characters side by side, without a pose: each joint's matrices go to EIGHT_MATRIX floats
   * (kernels/eight_lanes.h). */
  void (*evaluate_eight)(const sinew_evaluate_job *jobs, float *matrices);
} pose_kernels;

/* The kernels of simd_current(). */
const pose_kernels *pose_kernels_current(void);

#endif
