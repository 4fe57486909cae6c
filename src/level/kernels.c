#include "level/kernels.h"

#include "math/simd.h"

SIMD_TABLE(const level_kernels, tables, level_kernels, &);

const level_kernels *level_kernels_current(void) { return tables[simd_current()]; }
