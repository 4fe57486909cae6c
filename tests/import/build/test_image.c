#include "support/fixture.h"

#include "import/source/image.h"

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

/* Every cut and many single-byte changes: a picture or what stands in for one, never nothing. */
static void broken_pictures_have_a_stand_in(void **state) {
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

/* Twice as wide and half as high as what it is joined with: each texel finds the one at its place. */
static void opacity_joins_colours_of_another_size(void **state) {
  (void)state;
  static const uint8_t colors[] = {1, 2, 3, 9, 4, 5, 6, 9, 7, 8, 9, 9, 10, 11, 12, 9};   /* 2 × 2 */
  static const uint8_t alphas[] = {9, 9, 9, 0, 9, 9, 9, 50, 9, 9, 9, 100, 9, 9, 9, 255}; /* 4 × 1 */
  static const uint8_t grays[] = {0, 0, 0, 255, 9, 9, 9, 255, 90, 90, 90, 255, 255, 255, 255, 255};
  const sinew_image_view color = {.name = "c", .width = 2, .height = 2, .rgba = colors};
  const sinew_image_view alpha = {.name = "a", .width = 4, .height = 1, .rgba = alphas};
  const sinew_image_view gray = {.name = "g", .width = 4, .height = 1, .rgba = grays};
  sinew_image_view joined = {.name = "j"}, white = {.name = ""};
  raw_model raw;
  raw_init(&raw, "model", NULL);
  assert_true(image_join_opacity(&raw, &color, &alpha, &joined));
  assert_memory_equal(joined.rgba, ((uint8_t[]){1, 2, 3, 0, 4, 5, 6, 100, 7, 8, 9, 0, 10, 11, 12, 100}), 16);
  assert_true(image_join_opacity(&raw, &color, &gray, &joined));
  assert_memory_equal(joined.rgba, ((uint8_t[]){1, 2, 3, 0, 4, 5, 6, 90, 7, 8, 9, 0, 10, 11, 12, 90}), 16);
  assert_true(image_join_opacity(&raw, &white, &gray, &joined));
  assert_true(joined.width == 4 && joined.height == 1);
  assert_memory_equal(joined.rgba, ((uint8_t[]){255, 255, 255, 0, 255, 255, 255, 9, 255, 255, 255, 90}), 12);
  raw_release(&raw);
}

static void alphas_say_how_they_want_to_be_drawn(void **state) {
  (void)state;
  uint8_t rgba[4 * 40];
  const sinew_image_view image = {.name = "i", .width = 40, .height = 1, .rgba = rgba};
  memset(rgba, 255, sizeof rgba);
  assert_int_equal(image_alpha_mode(&image), SINEW_ALPHA_OPAQUE);
  for (int i = 0; i < 3; i++) rgba[4 * i + 3] = (uint8_t)(100 * i); /* a soft edge */
  assert_int_equal(image_alpha_mode(&image), SINEW_ALPHA_MASK);
  for (int i = 0; i < 10; i++) rgba[4 * i + 3] = 128;
  assert_int_equal(image_alpha_mode(&image), SINEW_ALPHA_BLEND);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pixels_are_rgba_from_the_top),
      cmocka_unit_test(broken_pictures_have_a_stand_in),
      cmocka_unit_test(a_missing_file_is_noted),
      cmocka_unit_test(opacity_joins_colours_of_another_size),
      cmocka_unit_test(alphas_say_how_they_want_to_be_drawn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
