#include "import/kernels.h"

#include "math/simd.h"

/* Eight moments of a joint side by side: the kernels that compare track groups with curves, compiled once for each
 * backend of math/lanes.h. */

SIMD_TABLE(const moments_kernels, tables, moments_kernels, &);

const moments_kernels *moments_kernels_current(void) { return tables[simd_current()]; }

void moments_fill(moments_transform *out, const sinew_transform *t) {
  const float values[10] = {t->translation.x, t->translation.y, t->translation.z, t->rotation.x, t->rotation.y,
                            t->rotation.z,    t->rotation.w,    t->scale.x,       t->scale.y,    t->scale.z};
  for (int c = 0; c < 10; c++)
    for (int i = 0; i < MOMENTS; i++) out->v[c][i] = values[c];
}

/* ---- rotations ---- */

/* Checks the assumptions that sampling makes about a clip's rotations; compiled once for each backend of math/lanes.h.
 */

SIMD_TABLE(rotations_check, checks, rotations_check, );

rotations_check *rotations_check_current(void) { return checks[simd_current()]; }
