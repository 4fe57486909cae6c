/* kernels – the inner loops of the pose jobs, compiled once for each backend of math/lanes.h. The jobs check; a kernel
 * runs on what has been checked. */
#ifndef SINEW_POSE_KERNELS_H
#define SINEW_POSE_KERNELS_H

#include "model/clip.h"

typedef struct pose_kernels {
  void (*sample)(const sinew_clip *clip, double time, sinew_pose_group *output);
  void (*blend)(const sinew_blend_job *job);
  void (*layer)(const sinew_layer_job *job);
  void (*additive)(const sinew_additive_job *job);
  void (*additive_make)(const sinew_additive_make_job *job);
  void (*additive_apply)(const sinew_additive_apply_job *job);
  void (*inertialize_begin)(const sinew_inertialize_begin_job *job);
  void (*inertialize)(const sinew_inertialize_job *job);
  /* Of the joints first .. end − 1. parents[0] is −1, parents[i] < i. */
  void (*local_to_model)(sinew_pose pose, const int32_t *parents, int first, int end, sinew_mat3x4 *output);
  /* All but the palette. */
  void (*evaluate)(const sinew_evaluate_job *job, sinew_pose rest, const int32_t *parents);
} pose_kernels;

/* Those of simd_current(). */
const pose_kernels *pose_kernels_current(void);

#endif
