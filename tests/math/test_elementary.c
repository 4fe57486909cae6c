/* Our elementary functions: within 1 ulp of a calculation with more bits, C's special values, no step backwards between
 * neighbours, and the same bits on every machine that runs this. */
#include "support/fixture.h"

#include "math/elementary.h"

#include <float.h>

typedef struct function {
  const char *name;
  double (*of_one)(double), (*of_two)(double, double);
  long double (*truth_of_one)(long double), (*truth_of_two)(long double, long double);
  enum { ANY, UNIT, EXPONENT, POSITIVE, PAIR, POWER } arguments;
  int rises; /* 1: between neighbours never down; −1: never up */
} function;

static const function functions[] = {
    {"sin", .of_one = sinew_sin, .truth_of_one = sinl, .arguments = ANY},
    {"cos", .of_one = sinew_cos, .truth_of_one = cosl, .arguments = ANY},
    {"tan", .of_one = sinew_tan, .truth_of_one = tanl, .arguments = ANY},
    {"asin", .of_one = sinew_asin, .truth_of_one = asinl, .arguments = UNIT, .rises = 1},
    {"acos", .of_one = sinew_acos, .truth_of_one = acosl, .arguments = UNIT, .rises = -1},
    {"atan", .of_one = sinew_atan, .truth_of_one = atanl, .arguments = ANY, .rises = 1},
    {"exp", .of_one = sinew_exp, .truth_of_one = expl, .arguments = EXPONENT, .rises = 1},
    {"ln", .of_one = sinew_ln, .truth_of_one = logl, .arguments = POSITIVE, .rises = 1},
    {"log2", .of_one = sinew_log2, .truth_of_one = log2l, .arguments = POSITIVE, .rises = 1},
    {"log10", .of_one = sinew_log10, .truth_of_one = log10l, .arguments = POSITIVE, .rises = 1},
    {"cbrt", .of_one = sinew_cbrt, .truth_of_one = cbrtl, .arguments = ANY, .rises = 1},
    {"atan2", .of_two = sinew_atan2, .truth_of_two = atan2l, .arguments = PAIR},
    {"hypot", .of_two = sinew_hypot, .truth_of_two = hypotl, .arguments = PAIR},
    {"pow", .of_two = sinew_pow, .truth_of_two = powl, .arguments = POWER}};
enum { FUNCTIONS = sizeof functions / sizeof *functions, TURNS = 40000 };

/* 53 random bits in 0..1. */
static double fraction(void) {
  uint64_t high = random_bits();
  return (double)((high << 32 | random_bits()) >> 11) * 0x1p-53;
}

/* Any finite double, every exponent alike. */
static double any_double(void) {
  for (;;) {
    uint64_t high = random_bits(), bits = high << 32 | random_bits();
    double x;
    memcpy(&x, &bits, sizeof x);
    if (isfinite(x)) return x;
  }
}

/* Around 1 by powers of two, of both signs. */
static double scaled(int least, int most) {
  double x = 1 + fraction(); /* one random number after the other: C does not order arguments */
  x = ldexp(x, least + (int)(random_bits() % (uint32_t)(most - least)));
  return random_bits() & 1 ? -x : x;
}

/* In turn anything, what scenes use, and where the function is difficult. */
static double argument(const function *f, int turn) {
  static const double half_pi = 1.57079632679489661923;
  int third = turn % 3;
  switch (f->arguments) {
  case UNIT: return third == 0 ? 2 * fraction() - 1 : third == 1 ? scaled(-60, -1) : 1 - fabs(scaled(-53, -2));
  case EXPONENT: return third == 0 ? -745 + 1455 * fraction() : third == 1 ? 4 * fraction() - 2 : scaled(-60, 0);
  case POSITIVE:
  case POWER: return fabs(third == 0 ? any_double() : third == 1 ? 0.5 + 2 * fraction() : 1 + scaled(-52, -3));
  default: break;
  }
  if (third == 0) return any_double();
  if (third == 1) return scaled(-12, 10);
  double quarters = fraction();
  return half_pi * floor(ldexp(quarters, 1 + (int)(random_bits() % 53)));
}

/* A second argument: for a direction of any size or near the first, for a power so that it stays within the range. */
static double second_argument(const function *f, double x, int turn) {
  if (f->arguments == PAIR) return turn % 2 ? any_double() : x * scaled(-9, 9);
  double most = x > 0 && x != 1 ? 745 / fabs(sinew_ln(x)) : 1;
  return turn % 4 == 0 ? floor(17 * fraction()) - 8 : most * (turn % 4 == 1 ? scaled(-3, 0) : scaled(-30, 0));
}

static double value(const function *f, double x, double y) { return f->of_one ? f->of_one(x) : f->of_two(x, y); }

#if LDBL_MANT_DIG > 60 && defined(__GLIBC__)
/* In units of the last place of the true value. */
static double error_of(double is, long double truth) {
  int exponent;
  if (fabsl(truth) > (long double)DBL_MAX) return isinf(is) || fabs(is) == DBL_MAX ? 0 : INFINITY;
  frexpl(truth, &exponent);
  return (double)(fabsl((long double)is - truth) / ldexpl(1, exponent - 53 > -1074 ? exponent - 53 : -1074));
}

static void nothing_is_farther_off_than_an_ulp(void **state) {
  (void)state;
  random_seed(3);
  for (int k = 0; k < FUNCTIONS; k++) {
    const function *f = functions + k;
    double worst = 0;
    for (int i = 0; i < TURNS; i++) {
      double x = argument(f, i), y = f->of_two ? second_argument(f, x, i) : 0;
      long double truth = f->of_one ? f->truth_of_one((long double)x) : f->truth_of_two((long double)x, (long double)y);
      double error = error_of(value(f, x, y), truth);
      if (!(error <= 0.8)) fail_msg("%s(%a, %a) is off by %.3f", f->name, x, y, error);
      worst = fmax(worst, error);
    }
    printf("%s: %.3f ulp\n", f->name, worst);
  }
}
#endif

static void neighbours_are_in_order(void **state) {
  (void)state;
  random_seed(5);
  for (int k = 0; k < FUNCTIONS; k++) {
    const function *f = functions + k;
    for (int i = 0; f->rises && i < TURNS; i++) {
      double x = argument(f, i), next = nextafter(x, INFINITY);
      double step = f->of_one(next) - f->of_one(x); /* NaN past the last, or from infinity to infinity */
      if (step * f->rises < 0) fail_msg("%s steps back after %a", f->name, x);
    }
  }
}

#define PI 3.14159265358979323846

/* As Annex F of the C standard has them; NaN stands for any. */
static const struct {
  const char *name;
  double x, y, is;
} values[] = {
    {"sin", 0, 0, 0},
    {"sin", -0.0, 0, -0.0},
    {"sin", INFINITY, 0, NAN},
    {"cos", -0.0, 0, 1},
    {"cos", -INFINITY, 0, NAN},
    {"tan", -0.0, 0, -0.0},
    {"tan", INFINITY, 0, NAN},
    {"asin", -0.0, 0, -0.0},
    {"asin", 1, 0, PI / 2},
    {"asin", 1.5, 0, NAN},
    {"acos", 1, 0, 0},
    {"acos", -1, 0, PI},
    {"acos", 0, 0, PI / 2},
    {"acos", -1.5, 0, NAN},
    {"atan", -0.0, 0, -0.0},
    {"atan", -INFINITY, 0, -PI / 2},
    {"exp", -0.0, 0, 1},
    {"exp", -INFINITY, 0, 0},
    {"exp", INFINITY, 0, INFINITY},
    {"exp", 1000, 0, INFINITY},
    {"exp", -1000, 0, 0},
    {"ln", 0, 0, -INFINITY},
    {"ln", -0.0, 0, -INFINITY},
    {"ln", 1, 0, 0},
    {"ln", -1, 0, NAN},
    {"ln", INFINITY, 0, INFINITY},
    {"log2", 0x1p-1074, 0, -1074},
    {"log2", 0x1p1023, 0, 1023},
    {"log10", 1e15, 0, 15},
    {"log10", 1000, 0, 3},
    {"cbrt", -0.0, 0, -0.0},
    {"cbrt", -INFINITY, 0, -INFINITY},
    {"cbrt", -27, 0, -3},
    {"cbrt", 0x1p-1074, 0, 0x1p-358},
    {"sin", NAN, 0, NAN},
    {"exp", NAN, 0, NAN},
    {"ln", NAN, 0, NAN},
    {"asin", NAN, 0, NAN},
    {"cbrt", NAN, 0, NAN},
    {"atan2", NAN, 1, NAN},
    {"atan2", 1, NAN, NAN},
    {"atan2", 0, -0.0, PI},
    {"atan2", -0.0, -0.0, -PI},
    {"atan2", -0.0, 0, -0.0},
    {"atan2", 0, -1, PI},
    {"atan2", -0.0, 1, -0.0},
    {"atan2", -1, 0, -PI / 2},
    {"atan2", 1, -INFINITY, PI},
    {"atan2", -1, INFINITY, -0.0},
    {"atan2", INFINITY, 1, PI / 2},
    {"atan2", INFINITY, -INFINITY, 3 * PI / 4},
    {"atan2", -INFINITY, INFINITY, -PI / 4},
    {"hypot", INFINITY, NAN, INFINITY},
    {"hypot", NAN, -INFINITY, INFINITY},
    {"hypot", NAN, 1, NAN},
    {"hypot", -3, 4, 5},
    {"hypot", -0.0, -0.0, 0},
    {"hypot", 0x1p1023, 0x1p1023, 0x1.6a09e667f3bcdp1023},
    {"hypot", 0x1p-1074, 0, 0x1p-1074},
    {"pow", 0, -1, INFINITY},
    {"pow", -0.0, -3, -INFINITY},
    {"pow", -0.0, -2, INFINITY},
    {"pow", -0.0, 3, -0.0},
    {"pow", -0.0, 2, 0},
    {"pow", -1, INFINITY, 1},
    {"pow", -1, -INFINITY, 1},
    {"pow", 1, NAN, 1},
    {"pow", NAN, 0, 1},
    {"pow", NAN, 1, NAN},
    {"pow", -8, 1.0 / 3, NAN},
    {"pow", 0.5, -INFINITY, INFINITY},
    {"pow", -0.5, INFINITY, 0},
    {"pow", -2, INFINITY, INFINITY},
    {"pow", 2, -INFINITY, 0},
    {"pow", -INFINITY, -3, -0.0},
    {"pow", -INFINITY, 3, -INFINITY},
    {"pow", -INFINITY, 2, INFINITY},
    {"pow", -INFINITY, 0.5, INFINITY},
    {"pow", INFINITY, -1, 0},
    {"pow", -2, 3, -8},
    {"pow", 10, 22, 1e22},
    {"pow", 2, -1074, 0x1p-1074},
    {"pow", 2, 1024, INFINITY},
    {"pow", 9, 0.5, 3},
    {"pow", -2, 0x1p60, INFINITY},
    {"pow", -0x1p-1074, 0x1p53, 0},
};

static void special_values_are_as_in_c(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    int k = 0;
    while (strcmp(functions[k].name, values[i].name) != 0) k++;
    double is = value(functions + k, values[i].x, values[i].y), expected = values[i].is;
    bool good = isnan(expected) ? isnan(is) : is == expected && !signbit(is) == !signbit(expected);
    if (!good) fail_msg("%s(%a, %a) is %a and not %a", values[i].name, values[i].x, values[i].y, is, expected);
  }
}

static void every_machine_has_the_same_bits(void **state) {
  (void)state;
  uint64_t hash = 14695981039346656037u;
  random_seed(7);
  for (int k = 0; k < FUNCTIONS; k++)
    for (int i = 0; i < TURNS; i++) {
      double x = argument(functions + k, i), y = functions[k].of_two ? second_argument(functions + k, x, i) : 0;
      double is = value(functions + k, x, y);
      uint64_t bits;
      memcpy(&bits, &is, sizeof bits);
      if (!isnan(is)) hash = (hash ^ bits) * 1099511628211u;
    }
  printf("%016llx\n", (unsigned long long)hash);
  assert_true(hash == 0x1a8e80284ea53488);
}

static void floats_are_the_nearest(void **state) {
  (void)state;
  random_seed(9);
  for (int i = 0; i < TURNS; i++) {
    float x = (float)scaled(-20, 20), y = (float)scaled(-20, 20);
    assert_true(float_hypot(x, y) == (float)sinew_hypot((double)x, (double)y));
    assert_true(float_atan2(x, y) == (float)sinew_atan2((double)x, (double)y));
  }
  assert_true(float_hypot(3e38f, 1e38f) == 3.1622777e38f && float_hypot(1e-45f, 0) == 1e-45f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#if LDBL_MANT_DIG > 60 && defined(__GLIBC__)
    cmocka_unit_test(nothing_is_farther_off_than_an_ulp),
#endif
    cmocka_unit_test(neighbours_are_in_order),
    cmocka_unit_test(special_values_are_as_in_c),
    cmocka_unit_test(every_machine_has_the_same_bits),
    cmocka_unit_test(floats_are_the_nearest)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
