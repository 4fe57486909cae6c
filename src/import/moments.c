#include "import/moments.h"

#include <math.h>

#define EACH for (int i = 0; i < MOMENTS; i++)

void moments_fill(moments_transform *out, const sinew_transform *t) {
  const float values[10] = {t->translation.x, t->translation.y, t->translation.z, t->rotation.x, t->rotation.y,
                            t->rotation.z,    t->rotation.w,    t->scale.x,       t->scale.y,    t->scale.z};
  for (int c = 0; c < 10; c++) EACH out->v[c][i] = values[c];
}

/* One column of the rotation's matrix, stretched. */
static void set_column(float (*m)[MOMENTS], int column, const float *x, const float *y, const float *z,
                       const float *scale) {
  EACH m[column][i] = x[i] * scale[i];
  EACH m[4 + column][i] = y[i] * scale[i];
  EACH m[8 + column][i] = z[i] * scale[i];
}

void moments_to_matrix(const moments_transform *t, moments_matrix *out) {
  const float *x = t->v[3], *y = t->v[4], *z = t->v[5], *w = t->v[6];
  float s[MOMENTS], a[3][MOMENTS];
  EACH s[i] = 2 / (x[i] * x[i] + y[i] * y[i] + z[i] * z[i] + w[i] * w[i]); /* normalises, too */
  EACH a[0][i] = 1 - s[i] * (y[i] * y[i] + z[i] * z[i]);
  EACH a[1][i] = s[i] * (x[i] * y[i] + w[i] * z[i]);
  EACH a[2][i] = s[i] * (x[i] * z[i] - w[i] * y[i]);
  set_column(out->m, 0, a[0], a[1], a[2], t->v[MOMENTS_SCALE]);
  EACH a[0][i] = s[i] * (x[i] * y[i] - w[i] * z[i]);
  EACH a[1][i] = 1 - s[i] * (x[i] * x[i] + z[i] * z[i]);
  EACH a[2][i] = s[i] * (y[i] * z[i] + w[i] * x[i]);
  set_column(out->m, 1, a[0], a[1], a[2], t->v[MOMENTS_SCALE + 1]);
  EACH a[0][i] = s[i] * (x[i] * z[i] + w[i] * y[i]);
  EACH a[1][i] = s[i] * (y[i] * z[i] - w[i] * x[i]);
  EACH a[2][i] = 1 - s[i] * (x[i] * x[i] + y[i] * y[i]);
  set_column(out->m, 2, a[0], a[1], a[2], t->v[MOMENTS_SCALE + 2]);
  for (int r = 0; r < 3; r++) EACH out->m[4 * r + 3][i] = t->v[MOMENTS_TRANSLATION + r][i];
}

void moments_multiply(const moments_matrix *a, const moments_matrix *b, moments_matrix *out) {
  for (int r = 0; r < 12; r += 4)
    for (int c = 0; c < 4; c++) {
      EACH out->m[r + c][i] =
          a->m[r][i] * b->m[c][i] + a->m[r + 1][i] * b->m[4 + c][i] + a->m[r + 2][i] * b->m[8 + c][i];
      if (c == 3) EACH out->m[r + c][i] += a->m[r + 3][i];
    }
}

/* Where a sum is no length any more (a chain of huge scales), it is infinite, and stays so. */
static void lift(float worst[MOMENTS], const float sum[MOMENTS]) {
  EACH worst[i] = sum[i] <= worst[i] ? worst[i] : sum[i] < 1e30f ? sum[i] : INFINITY;
}

double moments_scale(const moments_matrix *a) {
  float largest[MOMENTS] = {0}, sum[MOMENTS], most = 0;
  for (int c = 0; c < 3; c++) {
    const float *x = a->m[c], *y = a->m[4 + c], *z = a->m[8 + c];
    EACH sum[i] = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
    lift(largest, sum);
  }
  EACH most = fmaxf(most, largest[i]);
  return sqrt((double)most);
}

void moments_compare(const moments_matrix *a, const moments_matrix *b, float shell, float worst[MOMENTS]) {
  float moved[3][MOMENTS], sum[MOMENTS];
  for (int r = 0; r < 3; r++) EACH moved[r][i] = a->m[4 * r + 3][i] - b->m[4 * r + 3][i];
  EACH sum[i] = moved[0][i] * moved[0][i] + moved[1][i] * moved[1][i] + moved[2][i] * moved[2][i];
  lift(worst, sum);
  for (int c = 0; c < 3; c++) {
    EACH sum[i] = 0;
    for (int r = 0; r < 3; r++) EACH {
        float off = moved[r][i] + shell * (a->m[4 * r + c][i] - b->m[4 * r + c][i]);
        sum[i] += off * off;
      }
    lift(worst, sum);
  }
}
