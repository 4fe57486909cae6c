/* import_model – turns a file into a model, in this process. */
#ifndef SINEW_IMPORT_IMPORT_MODEL_H
#define SINEW_IMPORT_IMPORT_MODEL_H

#include "import/raw/raw.h"
#include "import/source/files.h"
#include "import/vfs/vfs.h"

#include <sinew/model.h>

/* Every file is read through `fs`. */
sinew_model *import_model(const char *path, const sinew_load_options *options, vfs *fs, sinew_error *error);

/* ---- adds notes about features that Assimp drops ---- */

/* After raw_check. False when memory runs out. */
bool note_unsupported(raw_model *raw, const import_files *files);

#endif
