/* options – load options that outlive their caller. */
#ifndef SINEW_IMPORT_OPTIONS_H
#define SINEW_IMPORT_OPTIONS_H

#include <sinew/model.h>

/* Copies the options and everything that they point to into one block (block_release); NULL and an error message when
 * memory runs out. */
sinew_load_options *options_copy(const sinew_load_options *options, const char *path, sinew_error *error);

#endif
