/* worker – the import of a file in a child process, `sinew-import`, which is src/worker/main.c, or
 * `sinew-import-assimp` beside it for what only Assimp reads: that is slower to start. The child reads what it
 * is told on its command line, asks for files, and writes one answer: a cooked model, or the sentence why there is
 * none. Nothing that it writes is trusted here; the model is validated like any cooked file. */
#ifndef SINEW_IMPORT_WORKER_H
#define SINEW_IMPORT_WORKER_H

#include "base/process/process.h"
#include "import/vfs/vfs.h"

#include <sinew/model.h>

/* ---- in the parent ---- */

/* Whether $SINEW_IMPORT is "in-process". */
bool worker_is_off(void);

/* The program that imports: $SINEW_IMPORT, else sinew-import beside the running executable, else in the nearest bin/
 * above the library. False where there is none. */
bool worker_find(char *program, size_t size);

/* The one with Assimp beside a program that imports. False where there is none. */
bool worker_find_assimp(const char *program, char *other, size_t size);

typedef struct worker worker;

/* The files are read through `fs`, which is then used by another thread until the child has ended, and the model has
 * `size` bytes there; NULL: from the disk. All but `program` outlives the worker. NULL and an error message where the
 * program cannot be run or memory runs out. */
worker *worker_start(const char *program, const char *path, const sinew_load_options *options, vfs *fs, size_t size,
                     sinew_error *error);

/* Waits for at most this many seconds; true once it has ended. */
bool worker_wait(worker *w, double seconds);

/* After its end: the model with one reference, or NULL and one sentence. What the child logged goes to the log. */
sinew_model *worker_model(const worker *w, sinew_error *error);

/* After its end, with a model: the cooked bytes, and the files on the disk that the import opened or looked for. They
 * live as long as the worker. */
process_bytes worker_cooked(const worker *w);
const source_list *worker_sources(worker *w);

void worker_destroy(worker *w); /* ends the child where it still runs; NULL is allowed */

/* The walls around a child, as bits. Calls: only those that computing needs (seccomp). Files: none, nor ports
 * (Landlock).
 */
enum { WORKER_WALL_CALLS = 1, WORKER_WALL_FILES = 2 };

/* Asks the program which walls stand around it on this system. False where it cannot be run. */
bool worker_walls(const char *program, unsigned *walls);

/* ---- what both sides must agree about ---- */

/* By the sizes of the files that are named: 2 GiB of memory and 10 s of processor time for small ones; 256 open files,
 * and none to write. */
process_limits worker_limits(const char *path, const sinew_load_options *options);
process_limits worker_limits_of(uint64_t bytes); /* the same for files that are not on the disk */

/* The files that the child may ask for by number (vfs_socket.h): the path and the clip files, NULL at the end. Free
 * with mem_free; NULL when memory runs out. */
const char **worker_mains(const char *path, const sinew_load_options *options);

/* The child's command line, sinew-import [--threads N] [--simd NAME] [--raw] [--exact] [--influences N]
 * [--tolerance N] [--unit N] [--up AXIS] [--clips FILE]… [--map THEIRS OURS]… [--edit CLIP NAME
 * FROM,TO,REVERSE,LOOP,MIRROR]… -- PATH; or sinew-import --walls, or sinew-import --time-assimp PATH. The array is one
 * allocation (mem_free) that points into the options; NULL when memory runs out.
 */
const char **worker_arguments(const char *program, const char *path, const sinew_load_options *options);

/* Settings from the parent's environment; NULL: not given. */
typedef struct worker_settings {
  const char *threads, *simd;
} worker_settings;

/* Room for the data to which the options point: each array has room for argc items. */
typedef struct worker_room {
  const char **clip_files;
  sinew_joint_pair *map;
  sinew_clip_edit *edits;
  worker_settings settings;
} worker_room;

/* The other way round. The path, or NULL for a wrong command line. */
const char *worker_read_arguments(int argc, char **argv, sinew_load_options *options, worker_room *room);

/* An answer: this head, little-endian; the list of files (source_list_bytes) where the child opened them itself
 * (Windows); and the rest is the cooked model or the sentence. Elsewhere: only Assimp reads the file, and the child has
 * none. */
enum { WORKER_HEAD = 16, WORKER_MODEL = 1, WORKER_SENTENCE = 2, WORKER_ELSEWHERE = 3 };
typedef struct worker_head {
  unsigned kind, walls; /* 16 bits each */
  uint64_t files_size;
} worker_head;
void worker_write_head(unsigned char head[WORKER_HEAD], const worker_head *from);

/* A log line of the child on its standard error begins with this byte and the level as a digit. */
enum { WORKER_LOG_MARK = 0x1E };

#endif
