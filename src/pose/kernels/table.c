#include "pose/kernels/pose_lanes.h"

extern const pose_kernels LANES_NAME(pose_kernels, LANES_SUFFIX);
const pose_kernels LANES_NAME(pose_kernels, LANES_SUFFIX) = {
    LANES_NAME(pose_sample, LANES_SUFFIX),
    LANES_NAME(pose_blend, LANES_SUFFIX),
    LANES_NAME(pose_layer, LANES_SUFFIX),
    LANES_NAME(pose_additive, LANES_SUFFIX),
    LANES_NAME(pose_additive_make, LANES_SUFFIX),
    LANES_NAME(pose_additive_apply, LANES_SUFFIX),
    LANES_NAME(pose_inertialize_begin, LANES_SUFFIX),
    LANES_NAME(pose_inertialize, LANES_SUFFIX),
    LANES_NAME(pose_local_to_model, LANES_SUFFIX),
    LANES_NAME(pose_place, LANES_SUFFIX),
    LANES_NAME(pose_evaluate, LANES_SUFFIX),
    LANES_NAME(pose_evaluate_eight, LANES_SUFFIX),
};
