/* stored – a drawn picture against the one in tests/render/reference. Included by one file of a program. */
#ifndef SINEW_TESTS_STORED_H
#define SINEW_TESTS_STORED_H

#include "render/picture.h"

#include <glad/gl.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb_image.h>
#include <stb_image_write.h>

static inline void save(const char *name, const picture *p) {
  if (!stbi_write_png(name, p->width, p->height, 4, p->rgba, p->width * 4)) fail_msg("cannot write %s", name);
}

static inline void save_failure(const picture *drawn, const picture *stored) {
  picture difference = {drawn->width, drawn->height, malloc((size_t)drawn->width * (size_t)drawn->height * 4)};
  for (int i = 0; i < 4 * drawn->width * drawn->height; i++) {
    int d = abs(drawn->rgba[i] - stored->rgba[i]) * 8;
    difference.rgba[i] = i % 4 == 3 || d > 255 ? 255 : (uint8_t)d;
  }
  save(SINEW_BUILD "/failed_picture.png", drawn);
  save(SINEW_BUILD "/failed_difference.png", &difference);
  fprintf(stderr, "see %s/failed_picture.png and failed_difference.png\n", SINEW_BUILD);
  picture_free(&difference);
}

/* At most `most` pixels may be off. SINEW_UPDATE=1 in the environment stores the picture. */
static inline void expect_stored_within(const char *name, const picture *drawn, int most) {
  char path[512];
  picture stored = {0};
  snprintf(path, sizeof path, SINEW_REFERENCE "/%s.png", name);
  if (getenv("SINEW_UPDATE")) save(path, drawn);
  stored.rgba = stbi_load(path, &stored.width, &stored.height, NULL, 4);
  if (!stored.rgba) fail_msg("%s cannot be read; SINEW_UPDATE=1 stores it", path);
  int differing = picture_difference(drawn, &stored, 10);
  if (differing > most) {
    save_failure(drawn, &stored);
    fail_msg("%d of %d pixels differ from %s", differing, drawn->width * drawn->height, path);
  }
  stbi_image_free(stored.rgba);
}

/* Is it the rasteriser that the stored pictures come from? Others smooth edges, lines and masked materials in ways of
 * their own. First called while there is a context. */
static inline bool stored_by_this_device(void) {
  static const char *device;
  static bool same;
  if (!device) {
    device = (const char *)glGetString(GL_RENDERER);
    assert_non_null(device);
    same = strstr(device, "llvmpipe") != NULL;
  }
  return same;
}

/* Edges may be off: two in a hundred pixels, or ten on another rasteriser. */
static inline int stored_most(const picture *drawn) {
  return drawn->width * drawn->height / (stored_by_this_device() ? 50 : 10);
}

static inline void expect_stored(const char *name, const picture *drawn) {
  expect_stored_within(name, drawn, stored_most(drawn));
}

#endif
