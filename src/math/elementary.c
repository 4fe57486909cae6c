/* Elementary functions from additions, multiplications, divisions and square roots alone, which IEEE 754 rounds the
 * same everywhere; the C library's differ from system to system, and with the processor. Each result is within 1 ulp,
 * and most are the nearest double: what comes before the last addition is known to some 65 bits, as the sum of two
 * doubles. */
#include "math/elementary.h"

#include <stdint.h>
#include <string.h>

/* high + low, where low is at most half a place of high. */
typedef struct pair {
  double high, low;
} pair;

/* ---- arithmetic of pairs (Dekker 1971, Knuth's TwoSum) ---- */

/* Exact, for |a| ≥ |b| or a = 0. */
static inline pair fast_sum(double a, double b) {
  double sum = a + b;
  return (pair){sum, b - (sum - a)};
}

/* Exact. */
static inline pair exact_sum(double a, double b) {
  double sum = a + b, of_b = sum - a;
  return (pair){sum, (a - (sum - of_b)) + (b - of_b)};
}

/* The upper 26 bits, and the others. Veltkamp's; |a| below 2^996. */
static inline pair halves(double a) {
  double t = 134217729 * a, high = t - (t - a);
  return (pair){high, a - high};
}

/* Exact, unless it is near the ends of the range. */
static inline pair exact_product(double a, double b) {
  double product = a * b;
  pair p = halves(a), q = halves(b);
  return (pair){product, ((p.high * q.high - product) + p.high * q.low + p.low * q.high) + p.low * q.low};
}

static inline pair pair_sum(pair a, pair b) {
  pair sum = exact_sum(a.high, b.high);
  return fast_sum(sum.high, sum.low + (a.low + b.low));
}

static inline pair pair_product(pair a, pair b) {
  pair product = exact_product(a.high, b.high);
  return fast_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static inline pair pair_quotient(pair a, pair b) {
  double q = a.high / b.high;
  pair back = exact_product(q, b.high);
  return fast_sum(q, ((a.high - back.high) - back.low + a.low - q * b.low) / b.high);
}

static inline pair pair_root(pair a) {
  if (a.high <= 0) return (pair){0, 0};
  double root = sqrt(a.high);
  pair back = exact_product(root, root);
  return fast_sum(root, ((a.high - back.high) - back.low + a.low) / (2 * root));
}

static inline pair negated(pair a) { return (pair){-a.high, -a.low}; }

/* c[0] + c[1] x + … + c[count − 1] x^(count − 1). */
static inline double polynomial(const double *c, int count, double x) {
  double sum = c[count - 1];
  for (int i = count - 2; i >= 0; i--) sum = sum * x + c[i];
  return sum;
}

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const pair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/* ---- sine, cosine and tangent ---- */

/* The binary digits of 2/π after the point, after 64 zeros. */
static const uint32_t two_over_pi[] = {
    0,          0,          0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041,
    0xFE5163AB, 0xDEBBC561, 0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E,
    0xE88235F5, 0x2EBB4484, 0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B, 0xBDF9283B,
    0x1FF897FF, 0xDE05980F, 0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7, 0x4F463F66, 0x9E5FEA2D,
    0x7527BAC7, 0xEBE5F17B, 0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1, 0x1F8D5D08, 0x56033046, 0xFC7B6BAB};

enum { DIGITS = 6 }; /* 192 bits: two for the quadrant, up to 62 zeros after them, and 128 that count */

/* mantissa · 2^exponent · 2/π without its multiples of 4, as `digits`, of which the first two bits are whole. The bits
 * of 2/π whose product with any whole number is a multiple of 4 are left out (Payne and Hanek 1983). */
static void quadrants(uint64_t mantissa, int exponent, uint32_t digits[DIGITS]) {
  int first = exponent - 2 + 64, shift = first % 32;
  uint64_t factors[2] = {mantissa & 0xFFFFFFFF, mantissa >> 32}, sums[DIGITS + 1] = {0};
  for (int i = DIGITS - 1; i >= 0; i--) {
    const uint32_t *at = two_over_pi + first / 32 + i;
    uint32_t bits = (uint32_t)((((uint64_t)at[0] << 32 | at[1]) << shift) >> 32);
    for (int k = 0; k < 2 && k <= i; k++) {
      uint64_t product = bits * factors[k];
      sums[i - k] += product & 0xFFFFFFFF;
      if (i > k) sums[i - k - 1] += product >> 32;
    }
  }
  uint64_t carry = 0;
  for (int i = DIGITS - 1; i >= 0; i--) {
    carry += sums[i];
    digits[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* x = n π/2 + *rest with |*rest| ≤ π/4; returns n % 4. */
static int reduce_far(double x, pair *rest) {
  int exponent;
  uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53);
  uint32_t digits[DIGITS];
  quadrants(mantissa, exponent - 53, digits);
  int n = (int)(digits[0] >> 30);
  bool is_above = digits[0] >> 29 & 1; /* half a quadrant: the rest is negative */
  digits[0] &= 0x3FFFFFFF;
  pair part = {is_above ? -1 : 0, 0};
  for (int i = 0; i < DIGITS; i++) part = pair_sum(part, (pair){ldexp(digits[i], 2 - 32 * (i + 1)), 0});
  *rest = pair_product(part, half_pi);
  n += is_above;
  if (x < 0) *rest = negated(*rest), n = -n;
  return n & 3;
}

/* As above; x is finite. π/2 in three parts, the first two of 33 bits, so that their multiples are exact (Cody and
 * Waite 1980). Where little remains, the third part has too few bits. */
static int reduce(double x, pair *rest) {
  if (fabs(x) <= 0.785398163397448279) return *rest = (pair){x, 0}, 0;
  if (fabs(x) < 524288) {
    double n = floor(x * 0.636619772367581343 + 0.5);
    pair near = exact_sum(x - n * 0x1.921fb544p+0, -(n * 0x1.0b4611a6p-34));
    *rest = fast_sum(near.high, near.low - n * 0x1.3198a2e037073p-69);
    if (fabs(rest->high) > 0x1p-20) return (int)n & 3;
  }
  return reduce_far(x, rest);
}

/* sin and cos within −π/4..π/4, by their series. */
static pair sine_of(pair x) {
  static const double terms[] = {-1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
                                 -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
  double square = x.high * x.high;
  return fast_sum(x.high, x.high * square * polynomial(terms, COUNT(terms), square) + x.low * (1 - square / 2));
}

static pair cosine_of(pair x) {
  static const double terms[] = {1.0 / 24,        -1.0 / 720,         1.0 / 40320,          -1.0 / 3628800,
                                 1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000, -1.0 / 6402373705728000};
  pair square = exact_product(x.high, x.high), start = fast_sum(1, -square.high / 2);
  double fourth = square.high * square.high;
  return fast_sum(start.high, start.low - square.low / 2 +
                                  (fourth * polynomial(terms, COUNT(terms), square.high) - x.high * x.low));
}

/* sin(x + quarters · π/2). */
static double sine_after(double x, int quarters) {
  if (!isfinite(x)) return NAN;
  pair rest;
  int n = reduce(x, &rest) + quarters;
  double value = n & 1 ? cosine_of(rest).high : sine_of(rest).high;
  return n & 2 ? -value : value;
}

double sinew_sin(double x) { return fabs(x) < 0x1p-27 ? x : sine_after(x, 0); }

double sinew_cos(double x) { return sine_after(x, 1); }

double sinew_tan(double x) {
  if (!isfinite(x)) return NAN;
  if (fabs(x) < 0x1p-27) return x;
  pair rest;
  int n = reduce(x, &rest);
  pair sine = sine_of(rest), cosine = cosine_of(rest);
  return n & 1 ? -pair_quotient(cosine, sine).high : pair_quotient(sine, cosine).high;
}

/* ---- their inverses ---- */

/* atan(y / x) for 0 ≤ y ≤ x and 0 < x: that of the nearest eighth c from a table, and by its series the arctangent of
 * (y − c x) / (x + c y), which is at most 1/16. */
static pair arctangent(pair y, pair x) {
  static const pair eighths[] = {{0, 0},
                                 {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                 {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                 {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                 {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                 {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                 {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                 {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                 {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
  static const double terms[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13, -1.0 / 15};
  int nearest = (int)(8 * (y.high / x.high) + 0.5);
  pair c = {nearest / 8.0, 0};
  pair t = nearest == 0 ? pair_quotient(y, x)
                        : pair_quotient(pair_sum(y, negated(pair_product(c, x))), pair_sum(x, pair_product(c, y)));
  double square = t.high * t.high, more = t.high * square * polynomial(terms, COUNT(terms), square);
  pair sum = fast_sum(eighths[nearest].high, t.high);
  return fast_sum(sum.high, sum.low + (more + (t.low + eighths[nearest].low)));
}

/* The angle 0..π of the direction (±x, y), x and y not negative and not both 0. */
static double angle_of(pair y, pair x, bool is_behind) {
  bool is_steep = y.high > x.high;
  pair angle = is_steep ? pair_sum(half_pi, negated(arctangent(x, y))) : arctangent(y, x);
  if (is_behind) angle = pair_sum((pair){2 * half_pi.high, 2 * half_pi.low}, negated(angle));
  return angle.high;
}

/* √(1 − x²) */
static pair other_side(double x) {
  pair square = exact_product(x, x), left = exact_sum(1, -square.high);
  return pair_root(fast_sum(left.high, left.low - square.low));
}

double sinew_asin(double x) {
  if (!(fabs(x) <= 1)) return NAN;
  if (fabs(x) < 0x1p-27) return x;
  return copysign(angle_of((pair){fabs(x), 0}, other_side(x), false), x);
}

double sinew_acos(double x) {
  if (!(fabs(x) <= 1)) return NAN;
  if (fabs(x) < 0x1p-60) return half_pi.high;
  return angle_of(other_side(x), (pair){fabs(x), 0}, x < 0);
}

double sinew_atan2(double y, double x) {
  if (isnan(x) || isnan(y)) return NAN;
  double up = fabs(y), along = fabs(x);
  bool is_behind = signbit(x);
  if (isinf(up) && isinf(along)) up = along = 1;
  if (up == 0 || isinf(along)) return copysign(is_behind ? 2 * half_pi.high : 0, y);
  if (along == 0 || isinf(up)) return copysign(half_pi.high, y);
  int larger, smaller;
  frexp(fmax(up, along), &larger);
  frexp(fmin(up, along), &smaller);
  if (larger - smaller < 60) {
    up = ldexp(up, -larger), along = ldexp(along, -larger);
    return copysign(angle_of((pair){up, 0}, (pair){along, 0}, is_behind), y);
  }
  if (up > along) return copysign(half_pi.high, y);
  return copysign(is_behind ? 2 * half_pi.high : up / along, y);
}

double sinew_atan(double x) { return sinew_atan2(x, 1); }

/* ---- logarithms, exponentials and powers ---- */

/* ln x of a finite x > 0: with x = 2^e m, ln m is that of the nearest sixteenth c from a table and 2 artanh(s), where s
 * is (m − c) / (m + c), at most 1/44; by its series, of which the first two terms are pairs. */
static pair logarithm_of(double x) {
  static const pair sixteenths[] = {{-0x1.7fafa3bd8151cp-2, 0x1.219024acd3b77p-58}, /* 11/16 */
                                    {-0x1.269621134db92p-2, -0x1.e0efadd9db02bp-56},
                                    {-0x1.a93ed3c8ad9e3p-3, -0x1.bcafa9de97203p-57},
                                    {-0x1.1178e8227e47cp-3, 0x1.0e63a5f01c691p-58},
                                    {-0x1.08598b59e3a07p-4, 0x1.dd7009902bf32p-58},
                                    {0, 0},
                                    {0x1.f0a30c01162a6p-5, 0x1.85f325c5bbacdp-59},
                                    {0x1.e27076e2af2e6p-4, -0x1.61578001e0162p-60},
                                    {0x1.5ff3070a793d4p-3, -0x1.bc60efafc6f6ep-58},
                                    {0x1.c8ff7c79a9a22p-3, -0x1.4f689f8434012p-57},
                                    {0x1.1675cababa60ep-2, 0x1.ce63eab883717p-61},
                                    {0x1.4618bc21c5ec2p-2, 0x1.f42decdeccf1dp-56},
                                    {0x1.739d7f6bbd007p-2, -0x1.8c76ceb014b04p-56}};
  static const pair two_thirds = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
  static const double terms[] = {2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13};
  int e;
  double m = frexp(x, &e);
  if (m < 0.707106781186547524) m *= 2, e--;
  int nearest = (int)(16 * m + 0.5);
  double c = nearest / 16.0;
  pair s = pair_quotient((pair){m - c, 0}, exact_sum(m, c)), table = sixteenths[nearest - 11];
  pair third = pair_product(pair_product(pair_product(s, s), s), two_thirds);
  double square = s.high * s.high, rest = s.high * square * square * polynomial(terms, COUNT(terms), square);
  pair sum = exact_sum(e * 0x1.62e42fefa3000p-1, table.high), more = exact_sum(sum.high, 2 * s.high);
  pair last = exact_sum(more.high, third.high);
  double low = e * 0x1.3de6af278ece6p-42 + table.low + 2 * s.low + third.low + rest;
  return fast_sum(last.high, last.low + (more.low + (sum.low + low)));
}

/* e^x */
static double exponential_of(pair x) {
  static const double terms[] = {1.0 / 2,         1.0 / 6,          1.0 / 24,         1.0 / 120,     1.0 / 720,
                                 1.0 / 5040,      1.0 / 40320,      1.0 / 362880,     1.0 / 3628800, 1.0 / 39916800,
                                 1.0 / 479001600, 1.0 / 6227020800, 1.0 / 87178291200};
  if (x.high > 710) return INFINITY;
  if (x.high < -746) return 0;
  double n = floor(x.high * 1.44269504088896341 + 0.5);
  pair rest = exact_sum(x.high - n * 0x1.62e42fefa3000p-1, x.low - n * 0x1.3de6af278ece6p-42);
  double more = rest.high * rest.high * polynomial(terms, COUNT(terms), rest.high);
  pair start = fast_sum(1, rest.high);
  return ldexp(start.high + (start.low + (more + rest.low * (1 + rest.high))), (int)n);
}

/* The logarithm to a base of which 1 / ln is known. */
static double logarithm(double x, pair factor) {
  if (isnan(x) || x < 0) return NAN;
  if (x == 0) return -INFINITY;
  return isinf(x) ? x : pair_product(logarithm_of(x), factor).high;
}

double sinew_ln(double x) { return logarithm(x, (pair){1, 0}); }

double sinew_log2(double x) { return logarithm(x, (pair){0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}); }

double sinew_log10(double x) { return logarithm(x, (pair){0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}); }

double sinew_exp(double x) { return isnan(x) ? x : exponential_of((pair){x, 0}); }

/* The power of a base ≥ 0 that is neither 1 nor NaN, with an exponent that is neither 0 nor NaN. */
static double positive_power(double base, double exponent) {
  bool grows = (base > 1) == (exponent > 0);
  if (base == 0 || isinf(base) || isinf(exponent)) return grows ? INFINITY : 0;
  pair logarithm = logarithm_of(base);
  if (fabs(logarithm.high * exponent) > 750) return grows ? INFINITY : 0;
  return exponential_of(pair_product(logarithm, (pair){exponent, 0}));
}

double sinew_pow(double base, double exponent) {
  if (base == 1 || exponent == 0) return 1;
  if (isnan(base) || isnan(exponent)) return NAN;
  bool is_whole = floor(exponent) == exponent, is_odd = fabs(fmod(exponent, 2)) == 1;
  if (base < 0 && !is_whole && isfinite(base)) return NAN;
  double power = base == -1 ? 1 : positive_power(fabs(base), exponent);
  return is_odd ? copysign(power, base) : power;
}

double sinew_cbrt(double x) {
  static const pair third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
  if (x == 0 || !isfinite(x)) return x;
  return copysign(exponential_of(pair_product(logarithm_of(fabs(x)), third)), x);
}

double sinew_hypot(double x, double y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  if (isnan(x) || isnan(y)) return NAN;
  double longer = fmax(fabs(x), fabs(y)), shorter = fmin(fabs(x), fabs(y));
  if (shorter <= longer * 0x1p-28) return longer;
  int exponent;
  longer = frexp(longer, &exponent);
  shorter = ldexp(shorter, -exponent);
  pair square = pair_sum(exact_product(longer, longer), exact_product(shorter, shorter));
  return ldexp(pair_root(square).high, exponent);
}
