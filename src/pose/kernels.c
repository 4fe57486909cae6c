#include "pose/kernels.h"

#include "math/simd.h"

SIMD_TABLE(const pose_kernels, tables, pose_kernels, &);

const pose_kernels *pose_kernels_current(void) { return tables[simd_current()]; }
