/* import – the work of sinew-import once it is confined. tests/worker replaces it by a probe. */
#ifndef SINEW_WORKER_IMPORT_H
#define SINEW_WORKER_IMPORT_H

#include "import/worker/worker.h"

/* Reads the model and writes the answer; false if that could not be written. */
bool run_import(const char *path, const sinew_load_options *options, unsigned walls);

#endif
