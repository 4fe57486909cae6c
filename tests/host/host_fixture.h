/* host_fixture – folders for files, and PNG files read back, for the tests of the host. */
#ifndef SINEW_TESTS_HOST_FIXTURE_H
#define SINEW_TESTS_HOST_FIXTURE_H

#include "support/fixture.h"

#include "base/file.h"
#include "base/memory/memory.h"
#include "host/capture/picture.h"
#include "host/display/offscreen.h"
#include "import/source/image.h"

#include <dirent.h>
#include <time.h>
#include <unistd.h>

/* A new folder for one test program; test_file gives names in it. */
static char test_folder[256];

static inline int make_test_folder(void **state) {
  (void)state;
  const char *base = getenv("TMPDIR");
  snprintf(test_folder, sizeof test_folder, "%.200s/sinew-test-XXXXXX", base && base[0] ? base : "/tmp");
  return mkdtemp(test_folder) ? 0 : -1;
}

/* One level deep is as deep as the tests go. */
static inline void empty_folder(const char *folder) {
  char path[1024];
  struct dirent *entry;
  DIR *directory = opendir(folder);
  while (directory && (entry = readdir(directory))) {
    if (entry->d_name[0] == '.' && (entry->d_name[1] == '\0' || entry->d_name[1] == '.')) continue;
    snprintf(path, sizeof path, "%.500s/%.255s", folder, entry->d_name);
    if (unlink(path) != 0) {
      empty_folder(path);
      rmdir(path);
    }
  }
  if (directory) closedir(directory);
}

static inline int remove_test_folder(void **state) {
  (void)state;
  empty_folder(test_folder);
  return rmdir(test_folder);
}

/* The names of 64 calls live side by side. */
static inline const char *test_file(const char *name) {
  static char paths[64][1024];
  static int next;
  char *path = paths[next++ % 64];
  snprintf(path, sizeof paths[0], "%s/%s", test_folder, name);
  return path;
}

static inline void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static inline void wait_ms(int milliseconds) {
  struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&pause, NULL);
}

/* Read by the importer's decoder, which is not the code that wrote it. */
static inline picture read_png(const char *path) {
  raw_model raw;
  sinew_error error = {0};
  sinew_image_view view = {0};
  picture p;
  size_t size = 0;
  unsigned char *data = file_read(path, (size_t)1 << 28, &size, &error);
  if (!data) fail_msg("%s", error.message);
  assert_memory_equal(data, "\x89PNG", 4);
  raw_init(&raw, path, &error);
  assert_true(image_from_memory(&raw, path, data, size, &view));
  assert_true(image_need_texels(&raw, &view));
  assert_int_equal(raw.note_count, 0);
  assert_true(picture_create(&p, view.width, view.height, &error));
  memcpy(p.rgba, view.rgba, (size_t)view.width * (size_t)view.height * 4);
  raw_release(&raw);
  mem_free(data);
  return p;
}

static inline picture plain_picture(int width, int height, uint8_t red, uint8_t green, uint8_t blue) {
  picture p;
  assert_true(picture_create(&p, width, height, NULL));
  for (int i = 0; i < width * height; i++) {
    const uint8_t color[4] = {red, green, blue, 255};
    memcpy(p.rgba + 4 * i, color, 4);
  }
  return p;
}

static inline const uint8_t *pixel_at(const picture *p, int x, int y) {
  return p->rgba + ((size_t)y * (size_t)p->width + (size_t)x) * 4;
}

/* Whether there is no way to draw at all. */
static inline bool no_pictures_here(void) {
  sinew_error error = {0};
  offscreen *context = offscreen_create(&error);
  if (!context) fprintf(stderr, "skipped: %s\n", error.message);
  offscreen_destroy(context);
  return !context;
}

#endif
