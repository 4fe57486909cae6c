/* Measures the time and memory that Sinew and Assimp take to read FBX files, as a table of Markdown:
 *
 *   import_measure_fbx TURNS FILE|FOLDER|PATTERN …
 *
 * Times are processor time of the whole process in milliseconds, the lowest of all turns; each turn runs the four in
 * sequence. Reading makes a description of the file and frees it, a load makes a model, with compiled clips. Assimp
 * makes its scene with the steps that Sinew requests for other formats, and frees it; built, that becomes a model with
 * compiled clips, too. Memory is the largest size of
 * the heap in kilobytes (of 1000 bytes), for a load and for Assimp. A folder means the .fbx files in it. */
#include "bench/bench_assimp.h"
#include "import/build/build.h"
#include "import/import_model.h"
#include "import/raw/raw_nodes.h"
#include "import/raw/weld.h"
#include "import/source/assimp/assimp_import.h"
#include "import/source/fbx/fbx.h"
#include "import/source/files.h"
#include "import/vfs/find_files.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the heap ---- */

/* The C library's own, under the names by which programs that replace them reach them. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

/* Seen by Assimp's library, which asks for memory in the same way. */
static bool counting;
static size_t held, most;

static void *count_new(void *memory) {
  if (counting && memory) held += malloc_usable_size(memory);
  if (held > most) most = held;
  return memory;
}

/* Memory from before the count may be freed during it. */
static void count_old(void *memory) {
  size_t size = counting && memory ? malloc_usable_size(memory) : 0;
  held -= size < held ? size : held;
}

SINEW_API void *malloc(size_t size) { return count_new(__libc_malloc(size)); }
SINEW_API void *calloc(size_t count, size_t size) { return count_new(__libc_calloc(count, size)); }
SINEW_API void *memalign(size_t alignment, size_t size) { return count_new(__libc_memalign(alignment, size)); }
SINEW_API void *aligned_alloc(size_t alignment, size_t size) { return count_new(__libc_memalign(alignment, size)); }

SINEW_API int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = count_new(__libc_memalign(alignment, size));
  return *memory ? 0 : 12;
}

SINEW_API void *realloc(void *memory, size_t size) {
  count_old(memory);
  return count_new(__libc_realloc(memory, size));
}

SINEW_API void free(void *memory) {
  count_old(memory);
  __libc_free(memory);
}

static double count_most(double (*work)(const char *), const char *path) {
  counting = true;
  held = most = 0;
  double worked = work(path);
  counting = false;
  return worked < 0 ? worked : 1e-3 * (double)most;
}

/* ---- what is measured ---- */

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Each returns seconds, or −1 where the file cannot be read. */

static double read_file(const char *path) {
  sinew_error error;
  disk_vfs disk = disk_vfs_open(NULL);
  import_files files;
  raw_model raw;
  double begin = processor_seconds();
  raw_init(&raw, path, &error);
  raw.format = RAW_FBX;
  bool read = files_open(&files, &disk.fs, path, &error);
  if (read) {
    raw.files = &files;
    read = fbx_import(&raw, &files, false);
    files_close(&files);
  }
  raw_release(&raw);
  return read ? processor_seconds() - begin : -1;
}

static double load_file(const char *path) {
  sinew_error error;
  disk_vfs disk = disk_vfs_open(NULL);
  sinew_load_options options = sinew_load_options_default();
  double begin = processor_seconds();
  sinew_model *model = import_model(path, &options, &disk.fs, &error);
  double seconds = processor_seconds() - begin;
  sinew_model_release(model);
  return model ? seconds : -1;
}

/* What Assimp reads, with its keys as they are, becomes a model in the way of all others. */
static double build_from_assimp(const char *path) {
  sinew_error error;
  disk_vfs disk = disk_vfs_open(NULL);
  sinew_load_options options = sinew_load_options_default();
  import_files files;
  raw_model raw;
  double begin = processor_seconds();
  raw_init(&raw, path, &error);
  bool read = files_open(&files, &disk.fs, path, &error);
  if (read) {
    raw.files = &files;
    read = assimp_import(&raw, &files, false) && raw_check(&raw) && split_shear(&raw);
    for (int i = 0; read && i < raw.mesh_count; i++) {
      raw_mesh *mesh = raw.meshes + i;
      if (mesh->is_copy) raw_follow(&raw, mesh);
      else if (!mesh->welded) read = weld_mesh(&raw, mesh);
    }
    files_close(&files);
  }
  sinew_model *model = read ? build_model(&raw, &options) : NULL;
  sinew_model_release(model);
  raw_release(&raw);
  return model ? processor_seconds() - begin : -1;
}

static double ask_assimp(const char *path) {
  double begin = processor_seconds();
  bool read = assimp_seconds(path) >= 0;
  return read ? processor_seconds() - begin : -1;
}

/* ---- the table ---- */

static double (*const works[])(const char *) = {read_file, load_file, ask_assimp, build_from_assimp};
enum { READING, LOAD, ASSIMP, BUILT, WORKS };

static void tell(double value, const char *format) {
  if (value > 0 && isfinite(value)) printf(format, value);
  else fputs("–", stdout);
  fputs(" | ", stdout);
}

static void measure(const char *path, int turns) {
  double least[WORKS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
  for (int i = 0; i < turns; i++)
    for (int w = 0; w < WORKS; w++) least[w] = fmin(least[w], works[w](path));
  double own = count_most(load_file, path), theirs = count_most(ask_assimp, path);
  bool both = least[LOAD] >= 0 && least[ASSIMP] >= 0;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  printf("| %.*s | ", (int)strcspn(name, "."), name);
  for (int w = 0; w < WORKS; w++) tell(1e3 * least[w], "%.2f");
  tell(both ? least[READING] / least[ASSIMP] : -1, "%.2f");
  tell(both ? least[LOAD] / least[ASSIMP] : -1, "%.2f");
  tell(both && least[BUILT] >= 0 ? least[LOAD] / least[BUILT] : -1, "%.2f");
  tell(own, "%.0f");
  tell(theirs, "%.0f");
  tell(both ? own / theirs : -1, "%.2f");
  putchar('\n');
  fflush(stdout);
}

static bool measure_all(const char *pattern, int turns) {
  file_list found = {0};
  bool matched = files_find(pattern, &found) && found.count > 0;
  for (int i = 0; i < found.count; i++) {
    size_t length = strlen(found.paths[i]);
    if (length > 4 && strcmp(found.paths[i] + length - 4, ".fbx") == 0) measure(found.paths[i], turns);
  }
  if (!matched) fprintf(stderr, "%s: no such file\n", pattern);
  file_list_reset(&found);
  return matched;
}

int main(int argc, char **argv) {
  int turns = argc > 2 ? atoi(argv[1]) : 0, status = 0;
  if (turns < 1) return fputs("usage: import_measure_fbx TURNS FILE|FOLDER|PATTERN …\n", stderr), 2;
  setenv("SINEW_THREADS", "1", 1);
  puts("| file | reading | load | Assimp | Assimp, built | reading : Assimp | load : Assimp | load : built | memory | "
       "Assimp | memory : Assimp |\n"
       "|---|---|---|---|---|---|---|---|---|---|---|");
  for (int i = 2; i < argc; i++)
    if (!measure_all(argv[i], turns)) status = 1;
  return status;
}
