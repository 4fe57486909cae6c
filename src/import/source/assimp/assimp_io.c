#include "import/source/assimp/assimp_scene.h"

#include "base/memory/memory.h"

#include <string.h>

typedef struct open_file {
  struct aiFile api; /* first member: Assimp passes it back */
  const import_files *files;
  served_file bytes;
  size_t position;
} open_file;

static size_t read_bytes(struct aiFile *file, char *out, size_t size, size_t count) {
  open_file *f = (open_file *)file;
  size_t left = f->bytes.size - f->position;
  if (size == 0) return 0;
  if (count > left / size) count = left / size;
  if (count) memcpy(out, f->bytes.data + f->position, count * size);
  f->position += count * size;
  return count;
}

static size_t write_bytes(struct aiFile *file, const char *data, size_t size, size_t count) {
  (void)file, (void)data, (void)size, (void)count;
  return 0;
}

static size_t tell(struct aiFile *file) { return ((open_file *)file)->position; }
static size_t file_size(struct aiFile *file) { return ((open_file *)file)->bytes.size; }
static void flush(struct aiFile *file) { (void)file; }

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
  open_file *f = (open_file *)file;
  size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? f->position : f->bytes.size;
  size_t position = base + offset; /* a negative offset wraps around, as intended */
  if (position > f->bytes.size) return aiReturn_FAILURE;
  f->position = position;
  return aiReturn_SUCCESS;
}

static struct aiFile *open_path(struct aiFileIO *io, const char *path, const char *mode) {
  const import_files *files = (const import_files *)(const void *)io->UserData;
  if (mode[0] != 'r') return NULL;
  open_file *f = mem_alloc_zeroed(sizeof *f);
  if (!f) return NULL;
  f->api = (struct aiFile){read_bytes, write_bytes, tell, file_size, seek, flush, NULL};
  f->files = files;
  if (files_read(files, path, &f->bytes)) return &f->api;
  mem_free(f);
  return NULL;
}

static void close_file(struct aiFileIO *io, struct aiFile *file) {
  (void)io;
  open_file *f = (open_file *)file;
  files_free(f->files, &f->bytes);
  mem_free(f);
}

struct aiFileIO assimp_io(const import_files *files) {
  return (struct aiFileIO){open_path, close_file, (aiUserData)(uintptr_t)files};
}
