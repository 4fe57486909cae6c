/* load – the steps of sinew_model_load around an import. */
#ifndef SINEW_IMPORT_LOAD_H
#define SINEW_IMPORT_LOAD_H

#include "import/cache/cache.h"
#include "import/vfs/find_files.h"

/* Replaces patterns and folders among the clip files of `options` by the files that they match, except the model
 * itself. `found` owns the paths and must outlive the options: file_list_reset. False and an error message if a pattern
 * matches nothing, or memory runs out. */
bool load_find_clips(const char *path, sinew_load_options *options, file_list *found, sinew_error *error);

/* False and an error message for invalid options. */
bool load_check_options(const char *path, const sinew_load_options *options, sinew_error *error);

/* True if nothing has to be imported: *model comes from a cooked file (NULL and an error message for a bad one) or from
 * the cache. */
bool load_is_ready(const char *path, const sinew_load_options *options, sinew_model **model, sinew_error *error);

#endif
