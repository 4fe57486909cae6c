#include "skin/kernels.h"

#include "math/simd.h"

SIMD_TABLE(const skin_kernels, tables, skin_kernels, &);

const skin_kernels *skin_kernels_current(void) { return tables[simd_current()]; }
