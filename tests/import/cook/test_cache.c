#include "import/cook/cook.h"
#include "import/fixtures/cache_fixture.h"
#include "import/fixtures/small_gltf.h"
#include "support/failing_heap.h"

/* ---- hits and misses ---- */

static void what_was_stored_is_found(void **state) {
  (void)state;
  assert_false(hits());
  store(false);
  assert_true(hits());
  assert_true(hits());
}

static void other_options_are_other_models(void **state) {
  (void)state;
  store(false);
  options.max_influences = 8;
  assert_false(hits());
  options.max_influences = 4;
  options.raw = true;
  assert_false(hits());
  options.raw = false;
  options.clip_files = (const char *const[]){"clips.glb"};
  options.clip_file_count = 1;
  assert_false(hits());
  options.clip_file_count = 0;
  assert_true(hits());
}

static void every_option_makes_an_entry_of_its_own(void **state) {
  (void)state;
  sinew_joint_pair pairs[] = {{"a", "bc"}, {"ab", "c"}, {"a", NULL}};
  sinew_clip_edit plain = sinew_clip_edit_default(), edits[9];
  plain.clip = "Walk";
  for (int i = 0; i < 9; i++) edits[i] = plain;
  edits[1].from = 0.25;
  edits[2].to = 0.5;
  edits[3].reverse = true;
  edits[4].loop = true;
  edits[5].name = "Stroll";
  edits[6].clip = "WalkStroll";
  edits[7].mirror = true;
  enum { PLAIN, EXACT, UNIT, UP, DOWN, BACK, FIRST_MAP, FIRST_EDIT = FIRST_MAP + 4, COUNT = FIRST_EDIT + 10 };
  sinew_load_options sets[COUNT];
  cache_key keys[COUNT];
  for (int i = 0; i < COUNT; i++) sets[i] = options;
  sets[EXACT].exact = true;
  sets[UNIT].unit = 0.01;
  sets[UP].up = "+z";
  sets[DOWN].up = "-z";
  sets[BACK].front = "-z";
  for (int i = 0; i < 3; i++) sets[FIRST_MAP + i].map = pairs + i, sets[FIRST_MAP + i].map_count = 1;
  sets[FIRST_MAP + 3].map = pairs, sets[FIRST_MAP + 3].map_count = 2;
  for (int i = 0; i < 8; i++) sets[FIRST_EDIT + i].edits = edits + i, sets[FIRST_EDIT + i].edit_count = 1;
  for (int i = 0; i < 2; i++) sets[FIRST_EDIT + 8 + i].edits = edits + 3 + i, sets[FIRST_EDIT + 8 + i].edit_count = 2;
  store(false);
  for (int i = 0; i < COUNT; i++) {
    assert_true(cache_key_make(keys + i, model_path, sets + i));
    for (int k = 0; k < i; k++) assert_string_not_equal(keys[i].name, keys[k].name);
    options = sets[i];
    assert_int_equal(hits(), i == PLAIN);
  }
  for (int i = 0; i < COUNT; i++) cache_key_reset(keys + i);
}

static void a_relative_path_is_the_same_model(void **state) {
  (void)state;
  char before[512];
  store(false);
  assert_non_null(getcwd(before, sizeof before));
  assert_int_equal(chdir(folder), 0);
  sinew_model *model = cache_load("hero.glb", &options);
  assert_int_equal(chdir(before), 0);
  assert_non_null(model);
  assert_string_equal(sinew_model_path(model), "hero.glb");
  sinew_model_release(model);
}

static void a_changed_source_is_noticed(void **state) {
  (void)state;
  store(true);
  assert_true(hits());
  overwrite(model_path, "model two"); /* as long as before */
  assert_false(hits());
  overwrite(model_path, "model one"); /* the content decides, not the time */
  assert_true(hits());
  write_text(model_path, "model one, longer");
  assert_false(hits());
  remove(model_path);
  assert_false(hits());
}

static void set_times(const char *path, const struct stat *to) {
  assert_int_equal(utimensat(AT_FDCWD, path, (struct timespec[]){to->st_atim, to->st_mtim}, 0), 0);
}

/* Within one tick of the clock neither size nor time nor inode tells: only the content does. */
static void a_change_within_a_tick_is_noticed(void **state) {
  (void)state;
  source_list list = read_sources();
  overwrite(model_path, "model two");
  for (int i = 0; i < list.count; i++) { /* as though the clock had stood still */
    struct stat info;
    if (stat(list.items[i].path, &info) != 0) continue;
    list.items[i].modified = (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
    list.items[i].changed = (int64_t)info.st_ctim.tv_sec * 1000000000 + info.st_ctim.tv_nsec;
  }
  store_with(&list);
  source_list_reset(&list);
  assert_false(hits());
}

static void a_time_that_was_set_back_is_noticed(void **state) {
  (void)state;
  struct stat before;
  assert_int_equal(stat(model_path, &before), 0);
  store(true);
  overwrite(model_path, "model two");
  set_times(model_path, &before);
  assert_false(hits());
}

static void a_texture_that_appears_or_goes_is_noticed(void **state) {
  (void)state;
  store(true);
  assert_true(hits());
  write_text(texture_path, "pixels");
  assert_false(hits());
  store(true);
  assert_true(hits());
  overwrite(texture_path, "PIXELS");
  assert_false(hits());
  remove(texture_path);
  assert_false(hits());
}

static void a_file_that_changes_while_it_is_read_is_not_kept(void **state) {
  (void)state;
  source_list list = read_sources();
  write_text(model_path, "model two");
  size_t size;
  mem_free(source_read(&list, model_path, 1 << 20, &size, NULL)); /* the import read it twice */
  assert_true(list.broken);
  store_with(&list);
  source_list_reset(&list);
  assert_false(hits());
}

/* An entry that had to be verified by content is written again, so that the next look-up can trust the times. */
static void an_old_file_is_recorded_again(void **state) {
  (void)state;
  char path[256];
  struct stat stored, kept;
  store(true);
  entry_path(path, sizeof path);
  assert_int_equal(stat(path, &stored), 0);
  assert_true(hits());
  assert_int_equal(stat(path, &kept), 0);
  assert_true(stored.st_ino == kept.st_ino); /* trusted: nothing was written */
  source_list list = read_sources();
  for (int i = 0; i < list.count; i++) list.items[i].modified -= 1; /* an older copy with the same content */
  age(&list);
  store_with(&list);
  source_list_reset(&list);
  assert_int_equal(stat(path, &stored), 0);
  assert_true(hits());
  assert_int_equal(stat(path, &kept), 0);
  assert_true(stored.st_ino == kept.st_ino); /* the file is young: its times are no better now */
  sleep(3);
  assert_true(hits());
  assert_int_equal(stat(path, &kept), 0);
  assert_false(stored.st_ino == kept.st_ino);
  assert_true(hits());
}

/* ---- damage ---- */

static void a_damaged_entry_is_a_miss_and_is_replaced(void **state) {
  (void)state;
  char path[256];
  size_t size;
  store(false);
  entry_path(path, sizeof path);
  unsigned char *whole = file_read(path, 1 << 20, &size, NULL);
  assert_non_null(whole);
  size_t cooked = 0, pixels;
  while (memcmp(whole + cooked, "SINEWCK", 8) != 0) cooked += COOK_ALIGNMENT;
  cook_header header;
  memcpy(&header, whole + cooked, sizeof header);
  pixels = cooked + sizeof header + (size_t)header.pixels;
  for (size_t cut = 0; cut < size; cut += cut < 1024 ? 1 : 131) {
    assert_true(file_write(path, whole, cut, NULL));
    if (hits()) fail_msg("%zu of %zu bytes are a model", cut, size);
  }
  for (size_t at = 0; at < pixels; at += at < 1024 ? 1 : 131) { /* pixels may be anything */
    bool key_padding = false;
    whole[at] ^= 0x10;
    assert_true(file_write(path, whole, size, NULL));
    if (hits()) key_padding = true; /* the gap before the model, and the header's zeros */
    whole[at] ^= 0x10;
    if (key_padding && at >= 64 && at > 1024) fail_msg("byte %zu does not count", at);
  }
  store(false);
  assert_true(hits());
  mem_free(whole);
}

/* ---- pixels ---- */

enum { WIDTH = 256, HEIGHT = 129 };

/* Whole, with a picture that is worth mapping. Answers its cooked bytes; free them. */
static void *cook_pictured(uint8_t first, size_t *size) {
  static uint8_t pixels[WIDTH * HEIGHT * 4];
  sinew_model *model = whole_model(NULL);
  for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (uint8_t)(first + i / 7);
  model->images[0] = (sinew_image_view){.name = "large.png", .width = WIDTH, .height = HEIGHT, .rgba = pixels};
  void *cooked = cook_bytes(model, size, NULL);
  assert_non_null(cooked);
  sinew_model_release(model);
  return cooked;
}

static void store_pictured(uint8_t first) {
  size_t size;
  source_list list = read_sources();
  void *cooked = cook_pictured(first, &size);
  cache_store(model_path, &options, &list, cooked, size);
  source_list_reset(&list);
  mem_free(cooked);
}

static void assert_pictured(const sinew_model *model, uint8_t first) {
  sinew_image_view image = sinew_model_image(model, 0);
  assert_true(image.width == WIDTH && image.height == HEIGHT);
  for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * 4; i++) assert_int_equal(image.rgba[i], (uint8_t)(first + i / 7));
}

/* Entries are replaced and removed, never written to: whoever maps one keeps what it was. */
static void pixels_stay_in_the_entry_that_was_there(void **state) {
  (void)state;
  char path[256];
  size_t size, again_size;
  store_pictured(1);
  sinew_model *first = cache_load(model_path, &options);
  assert_non_null(first);
#if defined(__linux__)
  assert_non_null(first->pixels.start);
#endif
  store_pictured(2);
  sinew_model *second = cache_load(model_path, &options);
  entry_path(path, sizeof path);
  assert_int_equal(remove(path), 0);
  assert_pictured(first, 1);
  assert_pictured(second, 2);
  void *cooked = cook_pictured(2, &size), *again = cook_bytes(second, &again_size, NULL);
  assert_true(again && again_size == size && memcmp(cooked, again, size) == 0);
  mem_free(cooked);
  mem_free(again);
  sinew_model_release(first);
  sinew_model_release(second);
}

/* Its owner may shorten it while it is shown. */
static void a_file_of_the_users_is_not_mapped(void **state) {
  (void)state;
  char path[128];
  size_t size;
  void *cooked = cook_pictured(3, &size);
  snprintf(path, sizeof path, "%s/pictured.sinew", folder);
  assert_true(file_write(path, cooked, size, NULL));
  sinew_model *model = cook_load(path, NULL);
  assert_non_null(model);
  assert_null(model->pixels.start);
  assert_int_equal(truncate(path, 0), 0);
  assert_pictured(model, 3);
  sinew_model_release(model);
  mem_free(cooked);
}

/* Nothing but pixels may lie among the pixels, and no pixels before them, whatever the header says. */
static void pixels_begin_where_the_header_says(void **state) {
  (void)state;
  size_t size;
  unsigned char *cooked = cook_pictured(4, &size);
  cook_header header;
  memcpy(&header, cooked, sizeof header);
  size_t pixels = (size_t)header.pixels, payload_size = size - sizeof header;
  for (int step = -1; step <= 1; step++) {
    FILE *file = tmpfile();
    assert_non_null(file);
    header = cook_header_make(cooked + sizeof header, payload_size, (size_t)((int64_t)pixels + 64 * step));
    memcpy(cooked, &header, sizeof header);
    assert_true(fwrite(cooked, size, 1, file) == 1 && fflush(file) == 0);
    rewind(file);
    sinew_model *model = cook_read_cached(fileno(file), size, "cached", NULL);
    if ((model != NULL) != (step == 0)) fail_msg("%d steps off: %s", step, model ? "taken" : "refused");
    sinew_model_release(model);
    fclose(file);
  }
  mem_free(cooked);
}

/* ---- several at once ---- */

enum { PROCESSES = 4, TURNS = 60 };

/* Stores, loads and clears; exits with 1 where something was read that is no whole model. */
static void work(int number) {
  for (int i = 0; i < TURNS; i++) {
    if ((i + number) % 3 == 0) store(false);
    hits();
    if ((i + number) % 17 == 0) sinew_cache_clear();
  }
  _exit(0);
}

static void processes_share_the_folder(void **state) {
  (void)state;
  pid_t children[PROCESSES];
  for (int i = 0; i < PROCESSES; i++) {
    children[i] = fork();
    assert_true(children[i] >= 0);
    if (children[i] == 0) work(i);
  }
  for (int i = 0; i < PROCESSES; i++) {
    int status;
    waitpid(children[i], &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  store(false);
  assert_true(hits());
  assert_int_equal(sinew_cache_list(NULL, NULL), 1);
}

/* ---- through sinew_load ---- */

static float first_position(const char *path) {
  sinew_error error = {""};
  sinew_load_options in_process = options;
  in_process.in_process = true;
  sinew_model *model = sinew_model_load(path, &in_process, &error);
  if (!model) fail_msg("%s", error.message);
  float x = sinew_model_mesh(model, 0).positions[3];
  sinew_model_release(model);
  return x;
}

/* The entry's inode tells whether the model was imported again. */
static ino_t entry_inode(void) {
  char path[256];
  struct stat info;
  entry_path(path, sizeof path);
  return stat(path, &info) == 0 ? info.st_ino : 0;
}

static void every_file_of_a_model_counts(void **state) {
  (void)state;
  make_small_gltf();
  setenv("SINEW_CACHE", cache, 1);
  strcpy(model_path, small_path);
  assert_near(first_position(model_path), 1, 0);
  ino_t first = entry_inode();
  assert_true(first != 0);
  assert_near(first_position(model_path), 1, 0);
  assert_true(entry_inode() == first);
  char bin[128];
  size_t size;
  snprintf(bin, sizeof bin, "%s/small.bin", small_folder);
  unsigned char *bytes = file_read(bin, 1 << 20, &size, NULL);
  assert_non_null(bytes);
  memcpy(bytes + 3 * sizeof(float), &(float){7}, sizeof(float));
  write_small("small.bin", bytes, size);
  mem_free(bytes);
  assert_near(first_position(model_path), 7, 0);
  assert_false(entry_inode() == first);
  sinew_load_options anew = options;
  anew.no_cache = anew.in_process = true;
  first = entry_inode();
  sinew_model_release(sinew_model_load(model_path, &anew, NULL));
  assert_true(entry_inode() == first);
  remove_small_gltf();
}

static void what_cannot_be_loaded_is_not_kept(void **state) {
  (void)state;
  sinew_load_options in_process = options;
  in_process.in_process = true;
  assert_null(sinew_model_load(model_path, &in_process, NULL)); /* "model one" is no glTF */
  assert_int_equal(sinew_cache_list(NULL, NULL), 0);
}

static void a_cooked_file_is_loaded_by_the_same_function(void **state) {
  (void)state;
  char path[128];
  sinew_error error = {""};
  sinew_model *model = whole_model(&error);
  snprintf(path, sizeof path, "%s/whole.sinew", folder);
  assert_false(sinew_model_cook(model, model_path, &error));
  assert_non_null(strstr(error.message, "extension .sinew"));
  if (!sinew_model_cook(model, path, &error)) fail_msg("%s", error.message);
  sinew_model_release(model);
  model = sinew_model_load(path, NULL, &error);
  if (!model) fail_msg("%s", error.message);
  assert_string_equal(sinew_model_path(model), path);
  sinew_model_release(model);
  options.raw = true;
  assert_null(sinew_model_load(path, &options, &error));
  assert_non_null(strstr(error.message, "cooked"));
  options.raw = false;
  options.clip_files = (const char *const[]){model_path};
  options.clip_file_count = 1;
  assert_null(sinew_model_load(path, &options, &error));
  assert_non_null(strstr(error.message, "cook them in"));
  assert_int_equal(sinew_cache_list(NULL, NULL), 0); /* it needs no cache */
}

/* ---- memory ---- */

static void running_out_of_memory_is_a_miss(void **state) {
  (void)state;
  sinew_model *model = whole_model(NULL);
  failing_heap heap = {.left = -1};
  failing_heap_install(&heap);
  int n = 0;
  for (bool complete = false; !complete; n++) {
    assert_true(n < 1000);
    heap.left = n;
    source_list list = read_sources();
    cache_store_model(model_path, &options, &list, model);
    source_list_reset(&list);
    sinew_model *found = cache_load(model_path, &options);
    complete = heap.left > 0;
    heap.left = -1;
    sinew_model_release(found);
    assert_int_equal(heap.living, 0);
  }
  sinew_set_allocator(NULL);
  assert_true(n > 10);
  sinew_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(what_was_stored_is_found),
      TEST(other_options_are_other_models),
      TEST(every_option_makes_an_entry_of_its_own),
      TEST(a_relative_path_is_the_same_model),
      TEST(a_changed_source_is_noticed),
      TEST(a_change_within_a_tick_is_noticed),
      TEST(a_time_that_was_set_back_is_noticed),
      TEST(a_texture_that_appears_or_goes_is_noticed),
      TEST(a_file_that_changes_while_it_is_read_is_not_kept),
      TEST(an_old_file_is_recorded_again),
      TEST(a_damaged_entry_is_a_miss_and_is_replaced),
      TEST(pixels_stay_in_the_entry_that_was_there),
      TEST(a_file_of_the_users_is_not_mapped),
      TEST(pixels_begin_where_the_header_says),
      TEST(processes_share_the_folder),
      TEST(every_file_of_a_model_counts),
      TEST(what_cannot_be_loaded_is_not_kept),
      TEST(a_cooked_file_is_loaded_by_the_same_function),
      TEST(running_out_of_memory_is_a_miss),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
