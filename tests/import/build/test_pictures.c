/* Large pictures stay packed in a model, and come as texels afterwards. */
#include "support/failing_heap.h"
#include "support/fixture.h"
#include "support/packed_picture.h"

#include "base/memory/memory.h"
#include "import/cook/cook.h"

#include <math.h>
#include <unistd.h>

enum { COUNT = 5, WIDTH = 600, HEIGHT = 500, SMALL = 100 }; /* the last one is small */

static char folder[] = "/tmp/sinew-pictures-XXXXXX";

static const char *path_of(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void write_number(int i, const picture_bytes *p) {
  char name[32];
  snprintf(name, sizeof name, "%d.png", i);
  write_picture(path_of(name), p);
}

static void write_files(void) {
  for (int i = 0; i < COUNT; i++) {
    int width = i < COUNT - 1 ? WIDTH : SMALL, height = i < COUNT - 1 ? HEIGHT : SMALL;
    picture_bytes p = packed_png(i, width, height);
    write_number(i, &p);
    free(p.data);
  }
  write_picture_gltf(path_of("pictures.gltf"), COUNT);
}

static sinew_model *load(void) {
  sinew_error error = {""};
  sinew_load_options options = sinew_load_options_default();
  options.no_cache = true;
  sinew_model *model = sinew_model_load(path_of("pictures.gltf"), &options, &error);
  if (!model) fail_msg("%s", error.message);
  return model;
}

static void assert_texels(int picture, const uint8_t *rgba, int width, int height) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      unsigned char expected[4];
      picture_texel(picture, x, y, expected);
      assert_memory_equal(rgba + 4 * (y * width + x), expected, 4);
    }
}

/* Takes what comes; answers which pictures had no texels, as bits. */
static unsigned take_all(sinew_model *model, const char *why) {
  sinew_error error = {""};
  sinew_picture picture;
  unsigned came = 0, broken = 0;
  sinew_pictures *pictures = sinew_pictures_begin(model, 0, &error);
  if (!pictures) fail_msg("%s", error.message);
  assert_int_equal(sinew_pictures_left(pictures), COUNT - 1);
  while (sinew_pictures_left(pictures) > 0) {
    if (!sinew_pictures_next(pictures, 1, &picture, &error)) continue;
    assert_in_range(picture.image, 0, COUNT - 2);
    assert_false(came >> picture.image & 1);
    came |= 1u << picture.image;
    if (picture.rgba) {
      assert_texels(picture.image, picture.rgba, WIDTH, HEIGHT);
      continue;
    }
    broken |= 1u << picture.image;
    if (!strstr(error.message, ".png'") || !strstr(error.message, why)) fail_msg("%s", error.message);
  }
  assert_int_equal(came, (1u << (COUNT - 1)) - 1);
  assert_false(sinew_pictures_next(pictures, 0, &picture, &error));
  sinew_pictures_end(pictures);
  return broken;
}

static void large_pictures_stay_packed(void **state) {
  (void)state;
  sinew_model *model = load();
  assert_int_equal(sinew_model_image_count(model), COUNT);
  for (int i = 0; i < COUNT; i++) {
    sinew_image_view image = sinew_model_image(model, i);
    bool small = i == COUNT - 1;
    assert_int_equal(image.width, small ? SMALL : WIDTH);
    assert_int_equal(image.height, small ? SMALL : HEIGHT);
    assert_true((image.rgba != NULL) == small && (image.packed == NULL) == small);
    if (small) assert_texels(i, image.rgba, SMALL, SMALL);
  }
  assert_int_equal(take_all(model, ""), 0);
  sinew_model_release(model);
}

/* The average of the 2 × 2 texels of the whole picture, as often as it was halved. */
static void expect_halved(int picture, int x, int y, int halvings, double expected[4]) {
  int side = 1 << halvings;
  for (int c = 0; c < 4; c++) expected[c] = 0;
  for (int i = 0; i < side * side; i++) {
    unsigned char texel[4];
    picture_texel(picture, x * side + i % side, y * side + i / side, texel);
    for (int c = 0; c < 4; c++) expected[c] += (double)texel[c] / (side * side);
  }
}

static void assert_halved(const sinew_picture *p, int halvings) {
  assert_int_equal(p->width, WIDTH >> halvings);
  assert_int_equal(p->height, HEIGHT >> halvings);
  for (int y = 0; y < p->height; y += 7)
    for (int x = 0; x < p->width; x += 5) {
      double expected[4];
      expect_halved(p->image, x, y, halvings, expected);
      for (int c = 0; c < 4; c++) /* each halving rounds */
        assert_true(fabs(expected[c] - p->rgba[4 * (y * p->width + x) + c]) <= 0.5 * halvings + 1e-9);
    }
}

/* The largest are halved until all fit, here and in the process. */
static void they_fit_into_a_budget(void **state) {
  (void)state;
  static const struct {
    uint64_t most, texels;
    int halved;
  } budgets[] = {{0, 4 * WIDTH * HEIGHT, 0},
                 {4 * WIDTH * HEIGHT, 4 * WIDTH * HEIGHT, 0},
                 {4 * WIDTH * HEIGHT - 1, 3 * WIDTH * HEIGHT + WIDTH * HEIGHT / 4, 1},
                 {WIDTH * HEIGHT, WIDTH * HEIGHT, 4}};
  for (int here = 0; here < 2; here++)
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
      sinew_model *model = load();
      sinew_picture picture;
      int image = 0, halved = 0;
      if (here) setenv("SINEW_IMPORT", "in-process", 1);
      sinew_pictures *pictures = sinew_pictures_begin(model, budgets[i].most, NULL);
      assert_int_equal(sinew_pictures_texels(pictures), budgets[i].texels);
      assert_int_equal(sinew_pictures_halved(pictures, &image), budgets[i].halved);
      while (sinew_pictures_left(pictures) > 0) {
        if (!sinew_pictures_next(pictures, 1, &picture, NULL)) continue;
        halved += picture.width < WIDTH;
        assert_halved(&picture, picture.width < WIDTH);
      }
      assert_int_equal(halved, budgets[i].halved);
      sinew_pictures_end(pictures);
      setenv("SINEW_IMPORT", TEST_IMPORT, 1);
      sinew_model_release(model);
    }
}

/* Images with the same bytes are decoded once, and each of them is returned. */
static void equal_pictures_are_one(void **state) {
  (void)state;
  picture_bytes p = packed_png(0, WIDTH, HEIGHT);
  const uint8_t *texels[COUNT] = {NULL};
  sinew_picture picture;
  write_number(2, &p), write_number(3, &p);
  sinew_model *model = load();
  sinew_pictures *pictures = sinew_pictures_begin(model, 0, NULL);
  assert_int_equal(sinew_pictures_texels(pictures), 2 * WIDTH * HEIGHT);
  assert_int_equal(sinew_pictures_left(pictures), COUNT - 1);
  while (sinew_pictures_left(pictures) > 0)
    if (sinew_pictures_next(pictures, 1, &picture, NULL)) texels[picture.image] = picture.rgba;
  assert_true(texels[0] && texels[0] == texels[2] && texels[2] == texels[3] && texels[1] && texels[1] != texels[0]);
  sinew_pictures_end(pictures);
  sinew_model_release(model);
  free(p.data);
  write_files();
}

static void they_are_unpacked_here_without_a_process(void **state) {
  (void)state;
  sinew_model *model = load();
  setenv("SINEW_IMPORT", "in-process", 1);
  assert_int_equal(take_all(model, ""), 0);
  setenv("SINEW_IMPORT", TEST_IMPORT, 1);
  sinew_model_release(model);
}

static void a_cooked_model_has_them_packed(void **state) {
  (void)state;
  sinew_error error = {""};
  sinew_model *model = load();
  size_t size;
  void *cooked = cook_bytes(model, &size, &error);
  assert_true(cooked && size < (COUNT - 1) * (4 * WIDTH * HEIGHT + 4096) + 4 * SMALL * SMALL + 65536);
  sinew_model *again = cook_read(cooked, size, "again.sinew", &error);
  if (!again) fail_msg("%s", error.message);
  assert_int_equal(take_all(again, ""), 0);
  sinew_model_release(again);
  sinew_model_release(model);
  mem_free(cooked);
}

/* The import finds a truncated picture. Damage inside a picture is found when it is unpacked, and the other pictures
 * arrive. */
static void broken_pictures_are_told(void **state) {
  (void)state;
  picture_bytes p = packed_png(1, WIDTH, HEIGHT);
  memset(p.data + p.size / 2, 0xff, 4096);
  write_number(1, &p);
  sinew_model *model = load();
  assert_int_equal(sinew_model_note_count(model), 0);
  assert_int_equal(take_all(model, "is broken"), 2);
  sinew_model_release(model);
  p.size /= 2;
  write_number(1, &p);
  model = load();
  assert_int_equal(sinew_model_note_count(model), 1);
  assert_non_null(strstr(sinew_model_note(model, 0), "1.png"));
  assert_null(sinew_model_image(model, 1).packed);
  sinew_model_release(model);
  free(p.data);
  write_files();
}

static void a_process_that_ends_gives_sentences(void **state) {
  (void)state;
  sinew_model *model = load();
  setenv("SINEW_IMPORT", "/bin/false", 1);
  assert_int_equal(take_all(model, "ended with status 1"), (1u << (COUNT - 1)) - 1);
  setenv("SINEW_IMPORT", TEST_IMPORT, 1);
  sinew_model_release(model);
}

/* Wherever memory ends, each picture comes once, with its texels or with a sentence, and nothing is left behind. */
static void memory_may_run_out(void **state) {
  (void)state;
  failing_heap heap = {-1, 0};
  bool whole = false;
  setenv("SINEW_IMPORT", "in-process", 1);
  failing_heap_install(&heap);
  sinew_model *model = load();
  long before = heap.living;
  for (long n = 0; !whole; n++) {
    sinew_error error = {""};
    sinew_picture picture;
    heap.left = n;
    sinew_pictures *pictures = sinew_pictures_begin(model, 0, &error);
    whole = pictures != NULL;
    if (!pictures) assert_true(error.message[0]);
    while (pictures && sinew_pictures_left(pictures) > 0)
      if (sinew_pictures_next(pictures, 0, &picture, &error) && !picture.rgba) whole = false;
    sinew_pictures_end(pictures);
    assert_int_equal(heap.living, before);
    assert_true(n < 10000);
  }
  heap.left = -1;
  sinew_model_release(model);
  sinew_set_allocator(NULL);
  setenv("SINEW_IMPORT", TEST_IMPORT, 1);
}

static int set_up(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  setenv("SINEW_IMPORT", TEST_IMPORT, 1);
  write_files();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  char command[300];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(large_pictures_stay_packed),
                                     cmocka_unit_test(they_fit_into_a_budget),
                                     cmocka_unit_test(equal_pictures_are_one),
                                     cmocka_unit_test(they_are_unpacked_here_without_a_process),
                                     cmocka_unit_test(a_cooked_model_has_them_packed),
                                     cmocka_unit_test(broken_pictures_are_told),
                                     cmocka_unit_test(a_process_that_ends_gives_sentences),
                                     cmocka_unit_test(memory_may_run_out)};
  return cmocka_run_group_tests_name("pictures", tests, set_up, tear_down);
}
