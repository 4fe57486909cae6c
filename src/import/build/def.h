/* def – a model described by a program (sinew/build.h) as a raw_model, as if it had been read from a file. */
#ifndef SINEW_IMPORT_DEF_H
#define SINEW_IMPORT_DEF_H

#include "import/raw/raw.h"

#include <sinew/build.h>

/* "tube: meshes[0].indices[7]: …"; false. `field` is "" for the thing itself, `index` below 0 for a whole field. */
typedef struct def_position {
  const sinew_model_def *def;
  sinew_error *error;
  const char *list; /* "meshes" */
  int index;
} def_position;
bool def_refuse(const def_position *at, const char *field, int index, const char *format, ...) SINEW_PRINTF(4, 5);

/* Every rule of the header. */
bool def_check(const sinew_model_def *def, sinew_error *error);

const char *def_name(const sinew_model_def *def);

#endif
