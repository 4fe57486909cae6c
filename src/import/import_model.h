/* import_model – a file that Assimp reads becomes a model, in this process. */
#ifndef SINEW_IMPORT_IMPORT_MODEL_H
#define SINEW_IMPORT_IMPORT_MODEL_H

#include "import/door/door.h"

#include <sinew/model.h>

/* Every file comes through the door. */
sinew_model *import_model(const char *path, const sinew_load_options *options, file_door *door, sinew_error *error);

#endif
