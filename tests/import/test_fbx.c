/* What happens to the reader of FBX when memory is out, and when files are cut short or changed. The files are those of
 * the fuzz target's corpus (tests/fuzz/write_fbx_corpus.py): everything in it, in every container. */
#include "support/failing_heap.h"
#include "support/fixture.h"

#include "import/source/fbx/fbx.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_request_may_fail),
      cmocka_unit_test(files_that_are_cut_short_get_a_sentence),
      cmocka_unit_test(files_with_changed_bytes_are_read_or_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
