/* import_model – a file that Assimp reads becomes a model, in this process. */
#ifndef SINEW_IMPORT_IMPORT_MODEL_H
#define SINEW_IMPORT_IMPORT_MODEL_H

#include "import/cache/cache_sources.h"

#include <sinew/model.h>

/* Every file that is opened or looked for is added to `sources`, which may be NULL. */
sinew_model *import_model(const char *path, const sinew_load_options *options, source_list *sources,
                          sinew_error *error);

#endif
