#include "import/fixtures/cache_fixture.h"

static void a_list_of_sources_is_believed_only_whole(void **state) {
  (void)state;
  size_t size;
  source_list list = read_sources(), read;
  unsigned char *bytes = source_list_bytes(&list, &size);
  assert_true(source_list_from_bytes(&read, bytes, size));
  assert_int_equal(read.count, list.count);
  for (int i = 0; i < read.count; i++) {
    assert_string_equal(read.items[i].path, list.items[i].path);
    assert_int_equal(read.items[i].state, list.items[i].state);
    assert_true(read.items[i].hash == list.items[i].hash);
    assert_true(read.items[i].modified == list.items[i].modified);
  }
  source_list_reset(&read);
  for (size_t cut = 1; cut < size; cut++) {
    unsigned char *part = malloc(cut);
    memcpy(part, bytes, cut);
    bool good = source_list_from_bytes(&read, part, cut);
    if (good) assert_true(read.count < list.count); /* cut between two */
    source_list_reset(&read);
    free(part);
  }
  random_seed(5);
  for (int i = 0; i < 5000; i++) {
    unsigned char *spoiled = malloc(size);
    memcpy(spoiled, bytes, size);
    spoiled[random_bits() % size] = (unsigned char)random_bits();
    source_list_from_bytes(&read, spoiled, size);
    source_list_reset(&read);
    free(spoiled);
  }
  mem_free(bytes);
  source_list_reset(&list);
}

static void files_are_recorded_once(void **state) {
  (void)state;
  source_list list = {0};
  size_t size;
  assert_true(source_exists(&list, model_path)); /* seen, then read: what is known grows */
  assert_int_equal(list.items[0].state, SOURCE_IGNORED);
  unsigned char *data = source_read(&list, model_path, 1 << 20, &size, NULL);
  assert_int_equal(size, strlen("model one"));
  assert_int_equal(list.count, 1);
  assert_int_equal(list.items[0].state, SOURCE_READ);
  assert_true(list.items[0].size == size);
  mem_free(data);
  assert_false(source_exists(&list, texture_path));
  assert_false(source_exists(&list, folder)); /* a folder is no file */
  assert_int_equal(list.count, 3);
  assert_int_equal(list.items[1].state, SOURCE_ABSENT);
  assert_true(source_list_has_read(&list, model_path));
  assert_false(source_list_has_read(&list, texture_path));
  bool aged;
  assert_true(source_list_check(&list, &aged));
  assert_false(list.broken);
  write_text(texture_path, "pixels");
  assert_false(source_list_check(&list, &aged));
  source_exists(&list, texture_path); /* it was not there a moment ago */
  assert_true(list.broken);
  source_list_reset(&list);
}

static void without_a_list_files_are_only_read(void **state) {
  (void)state;
  size_t size;
  sinew_error error = {""};
  unsigned char *data = source_read(NULL, model_path, 1 << 20, &size, &error);
  assert_non_null(data);
  mem_free(data);
  assert_false(source_exists(NULL, texture_path));
  assert_null(source_read(NULL, texture_path, 1 << 20, &size, &error));
  assert_non_null(strstr(error.message, "no such file"));
  assert_null(source_read(NULL, model_path, 3, &size, &error)); /* more than the limit */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(files_are_recorded_once),
      TEST(without_a_list_files_are_only_read),
      TEST(a_list_of_sources_is_believed_only_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
