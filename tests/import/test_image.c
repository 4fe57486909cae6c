#include "support/fixture.h"

#include "import/image.h"

/* A TGA of 2 × 2: red, green above blue, half-transparent white; rows from the top. */
static const unsigned char picture[] = {0,    0, 2, 0,   0,   0, 0,   0, 0,   0,   0, 0, 2,   0,   2,   0,   32,
                                        0x28, 0, 0, 255, 255, 0, 255, 0, 255, 255, 0, 0, 255, 255, 255, 255, 128};

static void pixels_are_rgba_from_the_top(void **state) {
  (void)state;
  static const uint8_t should[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 128};
  raw_model raw;
  sinew_image_view image = {0};
  raw_init(&raw, "model", NULL);
  assert_true(image_from_memory(&raw, "picture.tga", picture, sizeof picture, &image));
  assert_int_equal(image.width, 2);
  assert_int_equal(image.height, 2);
  assert_memory_equal(image.rgba, should, sizeof should);
  assert_int_equal(raw.note_count, 0);
  raw_release(&raw);
}

/* Every cut and many single-byte changes: a picture or a checkerboard, never nothing. */
static void broken_pictures_become_checkerboards(void **state) {
  (void)state;
  for (size_t size = 0; size < sizeof picture; size++) {
    raw_model raw;
    sinew_image_view image = {0};
    raw_init(&raw, "model", NULL);
    assert_true(image_from_memory(&raw, "cut.tga", picture, size, &image));
    assert_true(image.width > 0 && image.height > 0 && image.rgba);
    raw_release(&raw);
  }
  for (size_t at = 0; at < 18; at++) {
    unsigned char changed[sizeof picture];
    raw_model raw;
    sinew_image_view image = {0};
    memcpy(changed, picture, sizeof picture);
    changed[at] = 0xFF;
    raw_init(&raw, "model", NULL);
    assert_true(image_from_memory(&raw, "changed.tga", changed, sizeof changed, &image));
    assert_true(image.width > 0 && image.height > 0 && image.rgba);
    raw_release(&raw);
  }
}

static void a_missing_file_is_noted(void **state) {
  (void)state;
  raw_model raw;
  sinew_image_view image = {0};
  raw_init(&raw, "/nowhere/model.fbx", NULL);
  assert_true(image_from_file(&raw, "C:\\art\\skin.png", &image));
  assert_true(image.width > 0 && image.rgba);
  assert_int_equal(raw.note_count, 1);
  assert_non_null(strstr(raw.notes[0], "skin.png"));
  raw_release(&raw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pixels_are_rgba_from_the_top),
      cmocka_unit_test(broken_pictures_become_checkerboards),
      cmocka_unit_test(a_missing_file_is_noted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
