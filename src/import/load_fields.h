/* load_fields – the options of a load that are one value each, one line for each. What travels to the importer's
 * process, what a cached model depends on and what tells two requests apart is read from here. */
#ifndef SINEW_LOAD_FIELDS_H
#define SINEW_LOAD_FIELDS_H

#include <sinew/model.h>

enum { LOAD_FIELD_TEXT = 64 };

/* The number of fields. */
int load_field_count(void);
/* "tolerance=3f50624dd2f1a9fc": numbers by their bits, so that they are exact whatever a locale makes of them. */
void load_field_print(int field, const sinew_load_options *options, char out[LOAD_FIELD_TEXT]);
bool load_field_is_standard(int field, const sinew_load_options *options);
/* The other way round; texts stay where they are. False for what is none. */
bool load_field_read(const char *text, sinew_load_options *options);

#endif
