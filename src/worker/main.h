/* heap – a heap for a program that lives for one import: it asks the system for memory rarely and in large pages, and
 * returns nothing. Getting a small page takes longer than most of the work done with it. */
#ifndef SINEW_WORKER_MAIN_H
#define SINEW_WORKER_MAIN_H

#include "import/worker/worker.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- writes to the pipe of the program that started this one ---- */

bool answer_send(const void *bytes, size_t size);

/* ---- the work of sinew-import once it is confined ---- */

/* Reads the model and writes the answer; false if that could not be written. */
bool run_import(const char *path, const sinew_load_options *options, unsigned walls);

#endif
