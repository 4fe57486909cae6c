/* Eight floats in an array: what the other backends are compared with. fmaf rounds once, as their instructions do. */
#ifndef SINEW_MATH_LANES_SCALAR_H
#define SINEW_MATH_LANES_SCALAR_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct lanes {
  float v[8];
} lanes;

/* The body of an operation: `value` for each lane i. */
#define LANES_BODY(value)                                                                                              \
  {                                                                                                                    \
    lanes r;                                                                                                           \
    for (int i = 0; i < 8; i++) r.v[i] = value;                                                                        \
    return r;                                                                                                          \
  }
static inline lanes lanes_load(const float *p) LANES_BODY(p[i]) static inline lanes lanes_set(float x)
    LANES_BODY(x) static inline lanes lanes_add(lanes a, lanes b) LANES_BODY(a.v[i] + b.v[i]) static inline lanes
    lanes_sub(lanes a, lanes b) LANES_BODY(a.v[i] - b.v[i]) static inline lanes
    lanes_mul(lanes a, lanes b) LANES_BODY(a.v[i] * b.v[i]) static inline lanes lanes_div(lanes a, lanes b)
        LANES_BODY(a.v[i] / b.v[i]) static inline lanes lanes_sqrt(lanes a)
            LANES_BODY(sqrtf(a.v[i])) static inline lanes lanes_fma(lanes a, lanes b, lanes c)
                LANES_BODY(fmaf(a.v[i], b.v[i], c.v[i])) static inline lanes lanes_fnma(lanes a, lanes b, lanes c)
                    LANES_BODY(fmaf(-a.v[i], b.v[i], c.v[i])) static inline lanes lanes_min(lanes a, lanes b)
                        LANES_BODY(a.v[i] < b.v[i] ? a.v[i] : b.v[i]) static inline lanes lanes_max(lanes a, lanes b)
                            LANES_BODY(a.v[i] > b.v[i] ? a.v[i] : b.v[i]) static inline lanes lanes_sign(lanes a)
                                LANES_BODY(copysignf(0.0f, a.v[i])) static inline lanes lanes_flip(lanes a, lanes sign)
                                    LANES_BODY(a.v[i] * copysignf(1.0f, sign.v[i]))
    /* A mask is 1 or 0. */
    static inline lanes lanes_greater(lanes a, lanes b) LANES_BODY(a.v[i] > b.v[i] ? 1.0f : 0.0f) static inline lanes
    lanes_select(lanes mask, lanes a, lanes b) LANES_BODY(mask.v[i] != 0.0f ? a.v[i] : b.v[i])
#undef LANES_BODY

        static inline void lanes_store(float *p, lanes a) {
  memcpy(p, a.v, sizeof a.v);
}

static inline lanes lanes_permute(lanes a, const int32_t *index) {
  lanes r;
  for (int i = 0; i < 8; i++) r.v[i] = a.v[index[i]];
  return r;
}

static inline void lanes_load_quads(const float *p, lanes out[4]) {
  for (int i = 0; i < 8; i++)
    for (int c = 0; c < 4; c++) out[c].v[i] = p[4 * i + c];
}

static inline void lanes_lerp_integers(const int16_t *a, const int16_t *b, int wa, int wb, lanes out[4]) {
  for (int i = 0; i < 8; i++)
    for (int c = 0; c < 4; c++) out[c].v[i] = (float)(a[4 * i + c] * wa + b[4 * i + c] * wb);
}

static inline void lanes_store_rows(lanes a, lanes b, lanes c, lanes d, float *p, int stride) {
  for (int i = 0; i < 8; i++) {
    float row[4] = {a.v[i], b.v[i], c.v[i], d.v[i]};
    memcpy(p + i * stride, row, sizeof row);
  }
}

static inline void lanes_multiply_affine(const float *a, const float *b, float *out) {
  for (int r = 0; r < 12; r += 4)
    for (int c = 0; c < 4; c++) {
      float sum = fmaf(a[r], b[c], c == 3 ? a[r + 3] : 0.0f);
      sum = fmaf(a[r + 1], b[4 + c], sum);
      out[r + c] = fmaf(a[r + 2], b[8 + c], sum);
    }
}

#endif
