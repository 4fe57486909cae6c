/* load – the steps of sinew_model_load around an import. */
#ifndef SINEW_IMPORT_LOAD_H
#define SINEW_IMPORT_LOAD_H

#include "import/cache/cache.h"
#include "import/vfs/find_files.h"

#include <sinew/model.h>

/* Replaces patterns and folders among the clip files of `options` by the files that they match, except the model
 * itself. `found` owns the paths and must outlive the options: file_list_reset. False and an error message if a pattern
 * matches nothing, or memory runs out. */
bool load_find_clips(const char *path, sinew_load_options *options, file_list *found, sinew_error *error);

/* False and an error message for invalid options. */
bool load_check_options(const char *path, const sinew_load_options *options, sinew_error *error);

/* True if nothing has to be imported: *model comes from a cooked file (NULL and an error message for a bad one) or from
 * the cache. */
bool load_is_ready(const char *path, const sinew_load_options *options, sinew_model **model, sinew_error *error);

/* The single-valued options of a load, one line for each. The command line of the importer's process, the key of a
 * cached model and the comparison of two requests all use this list. */

enum { LOAD_FIELD_TEXT = 64 };

/* The number of fields. */
int load_field_count(void);
/* "tolerance=3f50624dd2f1a9fc": numbers as their bits, so that they are exact in every locale. */
void load_field_print(int field, const sinew_load_options *options, char out[LOAD_FIELD_TEXT]);
bool load_field_is_standard(int field, const sinew_load_options *options);
/* The inverse; texts are not copied. False for invalid text. */
bool load_field_read(const char *text, sinew_load_options *options);

/* ---- load options that outlive their caller ---- */

/* Copies the options and everything that they point to into one block (block_release); NULL and an error message when
 * memory runs out. */
sinew_load_options *options_copy(const sinew_load_options *options, const char *path, sinew_error *error);

#endif
