/* worker – the import of a file in a child process, `sinew-import`, which is src/worker/main.c, or
 * `sinew-import-assimp` beside it, which starts more slowly, for formats that only Assimp reads. The child gets its
 * options on the command line, requests files, and writes one answer: a cooked model or an error message. Nothing that
 * it writes is trusted; the model is validated like any cooked file. */
#ifndef SINEW_IMPORT_WORKER_H
#define SINEW_IMPORT_WORKER_H

#include "base/process/process.h"
#include "import/vfs/vfs.h"

#include <sinew/model.h>

/* ---- in the parent ---- */

/* Whether $SINEW_IMPORT is "in-process", or there are no processes: a page has the browser's own sandbox. */
bool worker_is_off(void);

/* The program that imports: $SINEW_IMPORT, else sinew-import beside the running executable, else in the nearest bin/
 * above the library. False if there is none. */
bool worker_find(char *program, size_t size);

typedef struct worker worker;

/* Files are read through `fs`, in which the model has `size` bytes, and which another thread uses until the child has
 * ended; NULL: from the disk. Everything except `program` must outlive the worker. NULL and an error message if the
 * program cannot be run or memory runs out. */
worker *worker_start(const char *program, const char *path, const sinew_load_options *options, vfs *fs, size_t size,
                     sinew_error *error);

/* Waits for at most this many seconds; true once it has ended. */
bool worker_wait(worker *w, double seconds);

/* After its end: the model with one reference, or NULL and an error message. The child's log lines are logged. */
sinew_model *worker_model(const worker *w, sinew_error *error);

/* After its end, with a model: the cooked bytes, and the files on the disk that the import opened or looked for. They
 * live as long as the worker. */
process_bytes worker_cooked(const worker *w);
const source_list *worker_sources(worker *w);

void worker_destroy(worker *w); /* ends the child if it is still running; NULL is allowed */

/* The restrictions of a child, as bits. Calls: only those that computing needs (seccomp). Files: none, and no ports
 * (Landlock). */
enum { WORKER_WALL_CALLS = 1, WORKER_WALL_FILES = 2 };

/* Asks the program which restrictions are in force on this system. False if it cannot be run. */
bool worker_walls(const char *program, unsigned *walls);

/* ---- shared by both sides ---- */

/* Depends on the sizes of the files: 2 GiB of memory and 10 s of processor time for small ones; 256 open files, none of
 * them for writing. */
process_limits worker_limits(const char *path, const sinew_load_options *options);
enum { WORKER_IDLE = 10 };                       /* seconds after which a child that does nothing is ended */
process_limits worker_limits_of(uint64_t bytes); /* the same for files that are not on the disk */

/* The files that the child may request by number (vfs.h): the path and the clip files, ending with NULL. Free
 * with mem_free; NULL when memory runs out. */
const char **worker_mains(const char *path, const sinew_load_options *options);

/* The child's command line, sinew-import [--threads N] [--simd NAME] [--raw] [--exact] [--influences N]
 * [--tolerance N] [--unit N] [--up AXIS] [--front AXIS] [--clips FILE]… [--map THEIRS OURS]… [--role ROLE JOINT]…
 * [--edit CLIP NAME FROM,TO,REVERSE,LOOP,MIRROR]… -- PATH; or sinew-import --walls, or sinew-import --time-assimp PATH.
 * The array is one allocation (mem_free) that points into the options; NULL when memory runs out.
 */
const char **worker_arguments(const char *program, const char *path, const sinew_load_options *options);

/* Settings from the parent's environment; NULL: not given. */
typedef struct worker_settings {
  const char *threads, *simd;
} worker_settings;

/* Memory for the data to which the options point: each array has room for argc items. */
typedef struct worker_room {
  const char **clip_files;
  sinew_joint_pair *map;
  sinew_joint_role *roles;
  sinew_clip_edit *edits;
  worker_settings settings;
} worker_room;

/* The inverse. Returns the path, or NULL for a wrong command line. */
const char *worker_read_arguments(int argc, char **argv, sinew_load_options *options, worker_room *room);

/* An answer: this header, little-endian; the list of files (source_list_bytes) if the child opened them itself
 * (Windows); then the cooked model or the error message. ELSEWHERE: only Assimp reads the format, and this program
 * lacks it. */
enum { WORKER_HEAD = 16, WORKER_MODEL = 1, WORKER_SENTENCE = 2, WORKER_ELSEWHERE = 3 };
typedef struct worker_head {
  unsigned kind, walls; /* 16 bits each */
  uint64_t files_size;
} worker_head;
void worker_write_head(unsigned char head[WORKER_HEAD], const worker_head *from);

/* A log line of the child on its standard error begins with this byte and the level as a digit. */
enum { WORKER_LOG_MARK = 0x1E };

#endif
