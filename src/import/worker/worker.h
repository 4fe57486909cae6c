/* worker – the import of a file in a child process, `sinew-import`, which is src/worker/main.c. The child reads what it
 * is told on its command line, and writes one answer: a cooked model, or the sentence why there is none. Nothing that
 * it writes is trusted here; the model is validated like any cooked file. */
#ifndef SINEW_IMPORT_WORKER_H
#define SINEW_IMPORT_WORKER_H

#include "base/process.h"

#include <sinew/model.h>

/* ---- in the parent ---- */

/* The program that imports: $SINEW_IMPORT, else sinew-import beside the running executable, else in the nearest bin/
 * above the library. False where there is none, or $SINEW_IMPORT is "in-process". */
bool worker_find(char *program, size_t size);

typedef struct worker worker;

/* NULL and a sentence where the program cannot be run or memory is out. */
worker *worker_start(const char *program, const char *path, const sinew_load_options *options, sinew_error *error);

/* Waits for at most so many seconds; true once it has ended. */
bool worker_wait(worker *w, double seconds);

/* After its end: the model with one reference, or NULL and one sentence. What the child logged goes to the log. */
sinew_model *worker_model(const worker *w, sinew_error *error);

/* After its end, with a model: the cooked bytes, and the files that the import opened or looked for (source_list_bytes,
 * unchecked). They live as long as the worker. */
process_bytes worker_cooked(const worker *w);
process_bytes worker_files(const worker *w);

void worker_destroy(worker *w); /* ends the child where it still runs; NULL is fine */

/* ---- what both sides must agree about ---- */

/* By the sizes of the files that are named: 2 GiB of memory and 10 s of processor time for small ones; 256 open files,
 * and none to write. */
process_limits worker_limits(const char *path, const sinew_load_options *options);

/* The child's command line, sinew-import [--raw] [--exact] [--influences N] [--unit N] [--up AXIS] [--clips FILE]…
 * [--map THEIRS OURS]… [--edit CLIP NAME FROM,TO,REVERSE,LOOP,MIRROR]… -- PATH. The array is one allocation (mem_free)
 * that points into the options; NULL when memory is out. */
const char **worker_arguments(const char *program, const char *path, const sinew_load_options *options);

/* Where what the options point to is put: each has room for argc items. */
typedef struct worker_room {
  const char **clip_files;
  sinew_joint_pair *map;
  sinew_clip_edit *edits;
} worker_room;

/* The other way round. The path, or NULL for a wrong command line. */
const char *worker_read_arguments(int argc, char **argv, sinew_load_options *options, const worker_room *room);

/* An answer: this head, the list of files (source_list_bytes), and the rest is the cooked model or the sentence.
 * Little-endian. */
enum { WORKER_HEAD = 16, WORKER_MODEL = 1, WORKER_SENTENCE = 2 };
void worker_write_head(unsigned char head[WORKER_HEAD], uint32_t kind, uint64_t files_size);

/* A log line of the child on its standard error begins with this byte and the level as a digit. */
enum { WORKER_LOG_MARK = 0x1E };

#endif
