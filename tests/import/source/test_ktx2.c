/* Pictures in KTX2: the texels that Basis Universal's own transcoder reads, sentences for what is not read, and damage.
 */
#include "import/fixtures/ktx2_files.h"
#include "import/source/image.h"

#include "base/memory/hash_index.h"
#include "support/fixture.h"

enum { MOST = 4096 };

typedef struct sample {
  const unsigned char *bytes;
  size_t size;
  int width, height;
  uint64_t texels;
} sample;

enum { ETC1S, UASTC, ZSTD, SAMPLES };

static sample sample_of(int kind) {
  if (kind == ZSTD) return (sample){ktx2_zstd, sizeof ktx2_zstd, 44, 36, ktx2_zstd_texels};
  if (kind == UASTC) return (sample){ktx2_uastc, sizeof ktx2_uastc, 75, 7, ktx2_uastc_texels};
  return (sample){ktx2_etc1s, sizeof ktx2_etc1s, 27, 18, ktx2_etc1s_texels};
}

static void texels_are_those_of_the_transcoder(void **state) {
  (void)state;
  for (int i = 0; i < SAMPLES; i++) {
    sample s = sample_of(i);
    unpacked u = image_unpack(s.bytes, s.size);
    if (!u.rgba) fail_msg("%s", u.why);
    assert_true(u.width == s.width && u.height == s.height);
    assert_true(fnv_add(FNV_BEGIN, u.rgba, (size_t)u.width * (size_t)u.height * 4) == s.texels);
    image_unpacked_free(&u);
  }
}

/* A copy with one number of the header changed. */
static void expect_refused(int uastc, size_t at, uint32_t value, const char *why) {
  sample s = sample_of(uastc);
  unsigned char copy[MOST];
  memcpy(copy, s.bytes, s.size);
  for (int i = 0; i < 4; i++) copy[at + (size_t)i] = (unsigned char)(value >> 8 * i);
  unpacked u = image_unpack(copy, s.size);
  assert_null(u.rgba);
  if (!strstr(u.why, why)) fail_msg("'%s' is not in: %s", why, u.why);
}

static void what_is_not_read_is_said(void **state) {
  (void)state;
  expect_refused(0, 20, 0, "broken");
  expect_refused(0, 20, 60000, "broken");
  expect_refused(0, 24, 70000, "broken");
  expect_refused(0, 28, 2, "two-dimensional");
  expect_refused(0, 32, 3, "two-dimensional");
  expect_refused(1, 36, 6, "two-dimensional");
  expect_refused(1, 44, 2, "is broken (zstd)");
  expect_refused(2, 44, 3, "compressed once more");
  expect_refused(1, 20, 76 * 4, "ends too early");
  expect_refused(1, 80, 1 << 30, "broken");
}

/* No damage reads past the end, or forever; under sanitizers this is what they look for. */
static void damage_ends(void **state) {
  (void)state;
  for (int i = 0; i < SAMPLES; i++) {
    sample s = sample_of(i);
    for (size_t size = 0; size < s.size; size++) {
      unsigned char *part = malloc(size + 1);
      memcpy(part, s.bytes, size);
      unpacked u = image_unpack(part, size);
      assert_true(u.rgba || u.why[0]);
      image_unpacked_free(&u);
      free(part);
    }
    for (int n = 0; n < 3000; n++) {
      unsigned char *copy = malloc(s.size);
      memcpy(copy, s.bytes, s.size);
      for (int k = 0; k < 1 + n % 3; k++)
        copy[44 + random_bits() % (s.size - 44)] ^= (unsigned char)(1u << random_bits() % 8);
      unpacked u = image_unpack(copy, s.size);
      assert_true(u.rgba || u.why[0]);
      image_unpacked_free(&u);
      free(copy);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texels_are_those_of_the_transcoder),
                                     cmocka_unit_test(what_is_not_read_is_said), cmocka_unit_test(damage_ends)};
  return cmocka_run_group_tests_name("ktx2", tests, NULL, NULL);
}
