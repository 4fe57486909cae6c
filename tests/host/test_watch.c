/* Times are waited for and never asserted: each wait ends as soon as what it waits for has come. */
#include "host_fixture.h"

#include "host/system/watch.h"

#include <sys/stat.h>

typedef struct heard {
  int count, deleted;
  char last[1024], content[256];
} heard;

static void hear(void *user, const char *path, bool exists) {
  heard *h = user;
  size_t size = 0;
  if (!exists) {
    h->deleted++;
    return;
  }
  h->count++;
  snprintf(h->last, sizeof h->last, "%s", path);
  unsigned char *data = file_read(path, 200, &size, NULL);
  snprintf(h->content, sizeof h->content, "%s", data ? (char *)data : "");
  mem_free(data);
}

static bool wait_for(watch *w, heard *h, int count) {
  for (int i = 0; i < 1000 && h->count < count; i++) {
    watch_poll(w, hear, h);
    wait_ms(5);
  }
  return h->count >= count;
}

/* Long enough for a report that should not come to come. */
static void listen_on(watch *w, heard *h) {
  for (int i = 0; i < 80; i++) {
    watch_poll(w, hear, h);
    wait_ms(5);
  }
}

static watch *watching(const char *path) {
  sinew_error error = {0};
  watch *w = watch_create(&error);
  assert_non_null(w);
  if (!watch_add(w, path, &error)) fail_msg("%s", error.message);
  return w;
}

static void test_a_save_is_reported_once(void **state) {
  (void)state;
  const char *path = test_file("plain.lua");
  heard h = {0};
  write_text(path, "one");
  watch *w = watching(path);
  assert_true(watch_add(w, path, NULL)); /* twice is fine */
  listen_on(w, &h);
  assert_int_equal(h.count, 0);
  write_text(path, "second");
  assert_true(wait_for(w, &h, 1));
  assert_string_equal(h.content, "second");
  assert_string_equal(h.last, path);
  listen_on(w, &h);
  assert_int_equal(h.count, 1);
  watch_destroy(w);
}

typedef struct together {
  int files;
} together;

static void hear_together(void *user, const char *path, bool exists) {
  (void)path, (void)exists;
  ((together *)user)->files++;
}

/* One file that is whole at once waits for those that are still being written. */
static void test_files_that_change_together_are_reported_together(void **state) {
  static const char *const names[] = {"first.lua", "second.lua", "third.lua"};
  sinew_error error = {0};
  together t = {0};
  watch *w = watch_create(&error);
  (void)state;
  for (int i = 0; i < 3; i++) {
    write_text(test_file(names[i]), "one");
    assert_true(watch_add(w, test_file(names[i]), &error));
  }
  write_text(test_file("new"), "two");
  assert_int_equal(rename(test_file("new"), test_file(names[0])), 0);
  for (int i = 1; i < 3; i++) remove(test_file(names[i])), write_text(test_file(names[i]), "three");
  for (int i = 0; i < 1000 && t.files == 0; i++) {
    watch_poll(w, hear_together, &t);
    wait_ms(1);
  }
  assert_int_equal(t.files, 3);
  watch_destroy(w);
}

static void test_a_save_by_rename(void **state) {
  (void)state;
  const char *path = test_file("renamed.lua");
  heard h = {0};
  write_text(path, "one");
  watch *w = watching(path);
  for (int i = 0; i < 3; i++) {
    char text[32];
    snprintf(text, sizeof text, "save %d", i);
    write_text(test_file("renamed.lua.new"), text);
    assert_int_equal(rename(test_file("renamed.lua.new"), path), 0);
    assert_true(wait_for(w, &h, i + 1));
    assert_string_equal(h.content, text);
  }
  watch_destroy(w);
}

/* The same size and the same time, but another file: an archive that is unpacked does that. */
static void test_a_rename_that_keeps_size_and_time(void **state) {
  (void)state;
  const char *path = test_file("twin.lua");
  heard h = {0};
  write_text(path, "aaaa");
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  watch *w = watching(path);
  write_text(test_file("twin.new"), "bbbb");
  struct timespec times[2] = {info.st_mtim, info.st_mtim};
  assert_int_equal(utimensat(-100, test_file("twin.new"), times, 0), 0);
  assert_int_equal(rename(test_file("twin.new"), path), 0);
  assert_true(wait_for(w, &h, 1));
  assert_string_equal(h.content, "bbbb");
  watch_destroy(w);
}

/* Truncated, then written in pieces with pauses under 20 ms: half a file is never handed out as the last word. */
static void test_a_file_written_in_pieces(void **state) {
  (void)state;
  const char *path = test_file("pieces.lua");
  heard h = {0};
  write_text(path, "old");
  watch *w = watching(path);
  FILE *file = fopen(path, "wb");
  for (int i = 0; i < 10; i++) {
    fprintf(file, "piece %d\n", i);
    fflush(file);
    watch_poll(w, hear, &h);
    wait_ms(4);
  }
  fclose(file);
  assert_true(wait_for(w, &h, 1));
  for (int i = 0; i < 200 && !strstr(h.content, "piece 9\n"); i++) {
    watch_poll(w, hear, &h);
    wait_ms(5);
  }
  assert_non_null(strstr(h.content, "piece 9\n"));
  watch_destroy(w);
}

static void make_older(const char *path) {
  struct timespec past[2] = {{1000000000, 0}, {1000000000, 0}};
  assert_int_equal(utimensat(-100, path, past, 0), 0);
}

/* One look is enough: the file was written before it got its name. */
static void test_an_atomic_save_is_not_waited_for(void **state) {
  (void)state;
  const char *path = test_file("atomic.lua");
  heard h = {0};
  write_text(path, "one");
  watch *w = watching(path);
  write_text(test_file("atomic.new"), "two");
  make_older(test_file("atomic.new"));
  assert_int_equal(rename(test_file("atomic.new"), path), 0);
  watch_poll(w, hear, &h);
  assert_int_equal(h.count, 1);
  assert_string_equal(h.content, "two");
  watch_destroy(w);
}

/* Also where the name comes within the tick of the clock in which the file was written. */
static void test_a_quick_atomic_save_is_not_waited_for(void **state) {
  (void)state;
  char path[1024], fresh[1024];
  snprintf(path, sizeof path, "%s", test_file("quick.lua"));
  snprintf(fresh, sizeof fresh, "%s", test_file("quick.new"));
  write_text(path, "one");
  watch *w = watching(path);
  for (int i = 0; i < 50; i++) {
    heard h = {0};
    char text[32];
    snprintf(text, sizeof text, "quick %d", i);
    write_text(fresh, text);
    assert_int_equal(rename(fresh, path), 0);
    watch_poll(w, hear, &h);
    assert_int_equal(h.count, 1);
    assert_string_equal(h.content, text);
  }
  watch_destroy(w);
}

/* Another file, but one that is written under its name: all of it is handed out in the end. */
static void test_a_file_that_is_made_again_in_pieces(void **state) {
  (void)state;
  const char *path = test_file("again.lua");
  heard h = {0};
  write_text(path, "old");
  watch *w = watching(path);
  assert_int_equal(unlink(path), 0);
  FILE *file = fopen(path, "wb");
  for (int i = 0; i < 10; i++) {
    fprintf(file, "piece %d\n", i);
    fflush(file);
    watch_poll(w, hear, &h);
    wait_ms(4);
  }
  fclose(file);
  for (int i = 0; i < 400 && !strstr(h.content, "piece 9\n"); i++) {
    watch_poll(w, hear, &h);
    wait_ms(5);
  }
  assert_non_null(strstr(h.content, "piece 9\n"));
  watch_destroy(w);
}

/* A slow frame comes long after the write: no need to look twice. */
static void test_an_older_write_is_not_waited_for(void **state) {
  (void)state;
  const char *path = test_file("older.lua");
  heard h = {0};
  write_text(path, "one");
  watch *w = watching(path);
  write_text(path, "two, longer");
  make_older(path);
  watch_poll(w, hear, &h);
  assert_int_equal(h.count, 1);
  watch_destroy(w);
}

static void test_a_file_that_never_settles_is_reported(void **state) {
  (void)state;
  const char *path = test_file("busy.lua");
  heard h = {0};
  write_text(path, "start");
  watch *w = watching(path);
  FILE *file = fopen(path, "wb");
  for (int i = 0; i < 1000 && h.count < 2; i++) {
    fprintf(file, "line %d\n", i);
    fflush(file);
    watch_poll(w, hear, &h);
    wait_ms(4);
  }
  fclose(file);
  assert_in_range(h.count, 2, 2);
  watch_destroy(w);
}

/* In frames of 100 ms, a third look would come later than 150 ms after the first that saw it change. */
static void test_slow_frames_wait_no_longer(void **state) {
  (void)state;
  const char *path = test_file("slow.lua");
  heard h = {0};
  int looks = 0;
  write_text(path, "start");
  watch *w = watching(path);
  watch_poll(w, hear, &h);
  FILE *file = fopen(path, "wb");
  for (; looks < 10 && h.count == 0; looks++) {
    wait_ms(100);
    fprintf(file, "line %d\n", looks);
    fflush(file);
    watch_poll(w, hear, &h);
  }
  fclose(file);
  assert_int_equal(looks, 2);
  watch_destroy(w);
}

static void test_a_deleted_file_is_told_once(void **state) {
  (void)state;
  const char *path = test_file("deleted.lua");
  heard h = {0};
  write_text(path, "one");
  watch *w = watching(path);
  assert_int_equal(unlink(path), 0);
  for (int i = 0; i < 1000 && h.deleted == 0; i++) {
    watch_poll(w, hear, &h);
    wait_ms(5);
  }
  listen_on(w, &h);
  assert_int_equal(h.deleted, 1);
  assert_int_equal(h.count, 0);
  write_text(path, "one");
  assert_true(wait_for(w, &h, 1));
  watch_destroy(w);
}

static void test_deleted_and_made_again(void **state) {
  (void)state;
  const char *path = test_file("gone.lua");
  heard h = {0};
  write_text(path, "one");
  watch *w = watching(path);
  assert_int_equal(unlink(path), 0);
  listen_on(w, &h);
  assert_int_equal(h.count, 0);
  write_text(path, "back");
  assert_true(wait_for(w, &h, 1));
  assert_string_equal(h.content, "back");
  watch_destroy(w);
}

static void test_a_file_that_is_not_there_yet(void **state) {
  (void)state;
  const char *path = test_file("later.lua");
  heard h = {0};
  watch *w = watching(path);
  write_text(path, "now");
  assert_true(wait_for(w, &h, 1));
  watch_destroy(w);
}

static void test_a_link_to_another_folder(void **state) {
  (void)state;
  heard h = {0};
  assert_int_equal(mkdir(test_file("real"), 0755), 0);
  write_text(test_file("real/target.lua"), "one");
  assert_int_equal(symlink("real/target.lua", test_file("link.lua")), 0);
  watch *w = watching(test_file("link.lua"));
  write_text(test_file("real/target.lua"), "through the link");
  assert_true(wait_for(w, &h, 1));
  assert_string_equal(h.content, "through the link");
  write_text(test_file("real/other.lua"), "turned");
  assert_int_equal(symlink("real/other.lua", test_file("link.new")), 0);
  assert_int_equal(rename(test_file("link.new"), test_file("link.lua")), 0);
  assert_true(wait_for(w, &h, 2));
  assert_string_equal(h.content, "turned");
  watch_destroy(w);
}

static void test_ten_saves_in_a_second(void **state) {
  (void)state;
  const char *path = test_file("fast.lua");
  heard h = {0};
  write_text(path, "start");
  watch *w = watching(path);
  for (int i = 0; i < 10; i++) {
    char text[64];
    snprintf(text, sizeof text, "save number %.*s%d", i, "..........", i);
    write_text(path, text);
    for (int j = 0; j < 20; j++) {
      watch_poll(w, hear, &h);
      wait_ms(5);
    }
  }
  listen_on(w, &h);
  assert_in_range(h.count, 1, 10);
  assert_non_null(strstr(h.content, "9")); /* the last one was heard */
  watch_destroy(w);
}

static void test_the_folder_is_replaced(void **state) {
  (void)state;
  heard h = {0};
  assert_int_equal(mkdir(test_file("checkout"), 0755), 0);
  write_text(test_file("checkout/scene.lua"), "one");
  watch *w = watching(test_file("checkout/scene.lua"));
  assert_int_equal(unlink(test_file("checkout/scene.lua")), 0);
  assert_int_equal(rmdir(test_file("checkout")), 0);
  listen_on(w, &h);
  assert_int_equal(mkdir(test_file("checkout"), 0755), 0);
  write_text(test_file("checkout/scene.lua"), "new checkout");
  assert_true(wait_for(w, &h, 1));
  assert_string_equal(h.content, "new checkout");
  watch_destroy(w);
}

static void clear_and_add(void *user, const char *path, bool exists) {
  watch *w = user;
  assert_true(exists);
  watch_clear(w);
  assert_true(watch_add(w, path, NULL));
  assert_true(watch_add(w, test_file("another.lua"), NULL));
}

static void test_the_list_may_change_while_reporting(void **state) {
  (void)state;
  const char *path = test_file("self.lua");
  heard h = {0};
  write_text(path, "one");
  watch *w = watching(path);
  write_text(path, "changed");
  for (int i = 0; i < 40; i++) {
    watch_poll(w, clear_and_add, w);
    wait_ms(5);
  }
  write_text(path, "changed again");
  assert_true(wait_for(w, &h, 1));
  watch_destroy(w);
}

/* For patterns of clip files: a folder changes when files appear or disappear, not when one is saved. */
static void test_a_folder_is_reported_when_files_come_and_go(void **state) {
  (void)state;
  const char *folder = test_file("pack");
  heard h = {0};
  assert_int_equal(mkdir(folder, 0700), 0);
  watch *w = watching(folder);
  write_text(test_file("pack/run.fbx"), "one");
  assert_true(wait_for(w, &h, 1));
  assert_string_equal(h.last, folder);
  listen_on(w, &h);
  assert_int_equal(h.count, 1);
  write_text(test_file("pack/run.fbx"), "another");
  listen_on(w, &h);
  assert_int_equal(h.count, 1);
  assert_int_equal(remove(test_file("pack/run.fbx")), 0);
  assert_true(wait_for(w, &h, 2));
  assert_int_equal(h.deleted, 0);
  assert_int_equal(remove(folder), 0);
  for (int i = 0; i < 400 && h.deleted == 0; i++) {
    watch_poll(w, hear, &h);
    wait_ms(5);
  }
  assert_int_equal(h.deleted, 1);
  watch_destroy(w);
}

static void test_a_folder_that_does_not_exist(void **state) {
  (void)state;
  sinew_error error = {0};
  watch *w = watch_create(&error);
  assert_false(watch_add(w, test_file("nowhere/x.lua"), &error));
  assert_non_null(strstr(error.message, "folder does not exist"));
  watch_destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_save_is_reported_once),
      cmocka_unit_test(test_files_that_change_together_are_reported_together),
      cmocka_unit_test(test_a_save_by_rename),
      cmocka_unit_test(test_a_rename_that_keeps_size_and_time),
      cmocka_unit_test(test_a_file_written_in_pieces),
      cmocka_unit_test(test_an_atomic_save_is_not_waited_for),
      cmocka_unit_test(test_a_quick_atomic_save_is_not_waited_for),
      cmocka_unit_test(test_a_file_that_is_made_again_in_pieces),
      cmocka_unit_test(test_an_older_write_is_not_waited_for),
      cmocka_unit_test(test_a_file_that_never_settles_is_reported),
      cmocka_unit_test(test_slow_frames_wait_no_longer),
      cmocka_unit_test(test_a_deleted_file_is_told_once),
      cmocka_unit_test(test_deleted_and_made_again),
      cmocka_unit_test(test_a_file_that_is_not_there_yet),
      cmocka_unit_test(test_a_link_to_another_folder),
      cmocka_unit_test(test_ten_saves_in_a_second),
      cmocka_unit_test(test_the_folder_is_replaced),
      cmocka_unit_test(test_the_list_may_change_while_reporting),
      cmocka_unit_test(test_a_folder_is_reported_when_files_come_and_go),
      cmocka_unit_test(test_a_folder_that_does_not_exist),
  };
  return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
