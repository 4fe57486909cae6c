/* space – applies the caller's unit and axes to a file whose own are missing or wrong. */
#ifndef SINEW_IMPORT_SPACE_H
#define SINEW_IMPORT_SPACE_H

#include "import/raw/raw.h"

/* "+z" as 2, "-z" as 5, "z" as "+z"; false for any other text. */
bool space_axis(const char *text, int *axis);

/* The same for an axis that lies level: no "y". */
bool space_level_axis(const char *text, int *axis);

/* Replaces the file's unit and axes in raw->conversion by those of the options. */
void space_override(raw_model *raw, const sinew_load_options *options);

#endif
