/* a·b + c rounded once in plain C, against the C library's, bit for bit. */
#include "support/fixture.h"

#include "math/lanes_scalar.h"

static float any_float(void) {
  uint32_t bits = random_bits();
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void expect_as_library(float a, float b, float c) {
  float is = fused_multiply_add(a, b, c), expected = fmaf(a, b, c);
  bool good = isnan(expected) ? isnan(is) : memcmp(&is, &expected, sizeof is) == 0;
  if (!good) fail_msg("%a * %a + %a is %a and not %a", (double)a, (double)b, (double)c, (double)is, (double)expected);
}

static void any_numbers_are_as_in_the_library(void **state) {
  (void)state;
  random_seed(1);
  for (int i = 0; i < 300000; i++) {
    float a = any_float(), b = any_float(), c = any_float();
    expect_as_library(a, b, c);
    expect_as_library(a, b, -(a * b)); /* what the product's rounding leaves */
    expect_as_library(a, b, a * b * ldexpf(any_float() < 0 ? -1 : 1, (int)(random_bits() % 120) - 60));
  }
}

/* The sum lies on a float's half-way point, or beside it by far less than a double shows. */
static void half_way_points_are_as_in_the_library(void **state) {
  (void)state;
  random_seed(2);
  for (int i = 0; i < 300000; i++) {
    float half = ldexpf((float)(random_bits() % 0x1000000u) * 2 + 1, -25); /* 25 bits would need one more */
    float tiny = ldexpf((float)(random_bits() % 3) - 1, -(int)(random_bits() % 120));
    expect_as_library(ldexpf(1 + (float)(random_bits() % 4096) * 0x1p-12f, 0),
                      1 + (float)(random_bits() % 4096) * 0x1p-12f, tiny);
    expect_as_library(half, 1 + 0x1p-12f, tiny);
    expect_as_library(1 + 0x1p-12f, 1 + 0x1p-12f, tiny);
    expect_as_library(ldexpf(half, -126), 0.5f, tiny * 0x1p-120f); /* among the subnormal ones */
  }
}

static void special_values_are_as_in_the_library(void **state) {
  (void)state;
  const float values[] = {0,        -0.0f,     1,  -1, 0x1p-149f, -0x1p-149f, 0x1p-126f, 3.4028235e38f, -3.4028235e38f,
                          INFINITY, -INFINITY, NAN};
  const int count = sizeof values / sizeof *values;
  for (int i = 0; i < count * count * count; i++)
    expect_as_library(values[i % count], values[i / count % count], values[i / count / count]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(any_numbers_are_as_in_the_library),
                                     cmocka_unit_test(half_way_points_are_as_in_the_library),
                                     cmocka_unit_test(special_values_are_as_in_the_library)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
