/* load_fields – the single-valued options of a load, one line for each. The command line of the importer's process, the
 * key of a cached model and the comparison of two requests all use this list. */
#ifndef SINEW_LOAD_FIELDS_H
#define SINEW_LOAD_FIELDS_H

#include <sinew/model.h>

enum { LOAD_FIELD_TEXT = 64 };

/* The number of fields. */
int load_field_count(void);
/* "tolerance=3f50624dd2f1a9fc": numbers as their bits, so that they are exact in every locale. */
void load_field_print(int field, const sinew_load_options *options, char out[LOAD_FIELD_TEXT]);
bool load_field_is_standard(int field, const sinew_load_options *options);
/* The inverse; texts are not copied. False for invalid text. */
bool load_field_read(const char *text, sinew_load_options *options);

#endif
