#include "host/capture/picture.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#define STBIW_MALLOC(size) mem_alloc(size)
#define STBIW_REALLOC(pointer, size) mem_resize(pointer, size)
#define STBIW_FREE(pointer) mem_free(pointer)
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

typedef struct destination {
  const char *path;
  sinew_error *error;
  bool written;
} destination;

static void write_file(void *context, void *data, int size) {
  destination *d = context;
  d->written = file_write(d->path, data, (size_t)size, d->error);
}

bool png_write(const char *path, const picture *p, sinew_error *error) {
  destination d = {path, error, false};
  stbi_write_png_compression_level = 5; /* half the time of the default for files a few per cent larger */
  if (stbi_write_png_to_func(write_file, &d, p->width, p->height, 4, p->rgba, p->width * 4)) return d.written;
  return error_memory(error, path, (size_t)p->width * (size_t)p->height * 4);
}
