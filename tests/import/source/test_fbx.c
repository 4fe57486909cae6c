/* The reader of FBX when memory runs out, and with truncated or changed files. The files are those of the fuzz target's
 * corpus (tests/fuzz/write_fbx_corpus.py): every feature, in every container. */
#include "support/failing_heap.h"
#include "support/fixture.h"

#include "import/source/fbx/fbx.h"
#include "import/source/fbx/geometry/fbx_element.h"

static const char *const names[] = {"text.fbx", "old.fbx", "plain.fbx", "deflated.fbx", "wide.fbx", "big.fbx"};
enum { FILES = sizeof names / sizeof *names, MOST_BYTES = 1 << 16 };

static unsigned char loaded[MOST_BYTES];

static size_t load(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/tests/fuzz/corpus/fbx/%s", getenv("SINEW_HOME"), name);
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s: cannot be read", path);
  size_t size = fread(loaded, 1, MOST_BYTES - 1, file);
  fclose(file);
  assert_true(size > 0 && size < MOST_BYTES - 1);
  return size;
}

/* The first bytes of the file that was loaded; what is made of them is checked. */
static bool read_bytes(size_t size, sinew_error *error) {
  raw_model raw;
  unsigned char *copy = malloc(size + 1); /* to the byte, so that a sanitizer sees a step too far */
  memcpy(copy, loaded, size);
  copy[size] = 0;
  import_files files = {.path = "a.fbx", .data = copy, .size = size};
  *error = (sinew_error){""};
  raw_init(&raw, "a.fbx", error);
  raw.format = RAW_FBX;
  raw.files = &files;
  bool read = fbx_import(&raw, &files, false) && raw_check(&raw);
  raw_release(&raw);
  free(copy);
  return read;
}

static void every_request_may_fail(void **state) {
  (void)state;
  for (int i = 0; i < FILES; i++) {
    size_t size = load(names[i]);
    long requests = 0;
    for (bool read = false; !read; requests++) {
      sinew_error error;
      failing_heap heap = {.left = requests};
      failing_heap_install(&heap);
      read = read_bytes(size, &error);
      sinew_set_allocator(NULL);
      if (!read && !error.message[0]) fail_msg("%s: request %ld fails without a word", names[i], requests);
    }
    assert_true(requests > 20);
  }
}

/* A binary file that lacks its end lacks records. Of a text only what ends between records can be read. */
static void files_that_are_cut_short_get_a_sentence(void **state) {
  (void)state;
  for (int i = 0; i < FILES; i++) {
    size_t size = load(names[i]);
    sinew_error error;
    int refused = 0;
    for (size_t cut = 1; cut < size; cut += 31) {
      bool read = read_bytes(cut, &error);
      refused += !read;
      if (!read && !error.message[0]) fail_msg("%s cut to %zu bytes: no sentence", names[i], cut);
    }
    assert_true(refused > (int)(size / 31 / 2));
    assert_true(read_bytes(size, &error));
  }
}

static void files_with_changed_bytes_are_read_or_refused(void **state) {
  (void)state;
  static const unsigned char changes[] = {0, 1, 0x7f, 0x80, 0xff, '{', '"'};
  for (int i = 0; i < FILES; i++) {
    size_t size = load(names[i]);
    sinew_error error;
    for (size_t at = 0; at < size; at += 17) {
      unsigned char before = loaded[at];
      loaded[at] = changes[random_bits() % sizeof changes];
      if (!read_bytes(size, &error) && !error.message[0]) fail_msg("%s: byte %zu changed: no sentence", names[i], at);
      loaded[at] = before;
    }
  }
}

/* ---- triangles ---- */

static double signed_area(const double *a, const double *b, const double *c) {
  return 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

/* All triangles face as the polygon does, and have its area together: none lies outside, none over another. */
static void check_triangles(const double *positions, int count) {
  int32_t points[32];
  uint32_t first[2] = {0, (uint32_t)count}, corners[3 * 32];
  double whole = 0, sum = 0;
  for (int start = 0; start < count; start++) {
    for (int i = 0; i < count; i++) points[i] = (start + i) % count;
    fbx_polygons polygons = {points, first, (size_t)count, 1, (size_t)count};
    size_t made = fbx_triangulate(&polygons, 0, positions, corners);
    assert_int_equal(made, 3 * (count - 2));
    whole = sum = 0;
    for (int i = 1; i + 1 < count; i++) whole += signed_area(positions, positions + 3 * i, positions + 3 * (i + 1));
    for (size_t i = 0; i < made; i += 3) {
      const double *t[3];
      for (size_t k = 0; k < 3; k++) t[k] = positions + 3 * (size_t)points[corners[i + k]];
      double area = signed_area(t[0], t[1], t[2]);
      assert_true(area * whole >= 0);
      sum += area;
    }
    assert_near(sum, whole, 1e-9);
  }
}

static void polygons_are_cut_inside(void **state) {
  (void)state;
  static const double arrow[] = {0, 0, 0, 4, -3, 0, 1, 0, 0, 4, 3, 0};
  static const double mirrored[] = {0, 0, 0, 4, 3, 0, 1, 0, 0, 4, -3, 0};
  static const double comb[] = {0, 0, 0, 7, 0, 0, 7, 3, 0, 5, 3, 0, 5, 1, 0, 4, 1, 0,
                                4, 3, 0, 2, 3, 0, 2, 1, 0, 1, 1, 0, 1, 3, 0, 0, 3, 0};
  double star[30];
  for (int i = 0; i < 10; i++) {
    double angle = 3.14159265358979 * i / 5, radius = i % 2 ? 1 : 3;
    star[3 * i] = radius * cos(angle), star[3 * i + 1] = radius * sin(angle), star[3 * i + 2] = 0;
  }
  check_triangles(arrow, 4);
  check_triangles(mirrored, 4);
  check_triangles(comb, 12);
  check_triangles(star, 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_request_may_fail),
      cmocka_unit_test(files_that_are_cut_short_get_a_sentence),
      cmocka_unit_test(files_with_changed_bytes_are_read_or_refused),
      cmocka_unit_test(polygons_are_cut_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
