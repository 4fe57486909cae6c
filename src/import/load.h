/* load – the steps of sinew_model_load around an import. */
#ifndef SINEW_IMPORT_LOAD_H
#define SINEW_IMPORT_LOAD_H

#include "import/cache/cache.h"

/* False and a sentence for options that cannot be met. */
bool load_check_options(const char *path, const sinew_load_options *options, sinew_error *error);

/* True where nothing has to be imported: *model comes from a cooked file (NULL and a sentence for a bad one) or from
 * the cache. */
bool load_is_ready(const char *path, const sinew_load_options *options, sinew_model **model, sinew_error *error);

#endif
