/* model_check – checks every assumption that the rest of the code makes about a model. Models from another process or a
 * cooked file pass through here; cook_read has already checked the pointers. */
#ifndef SINEW_IMPORT_MODEL_CHECK_H
#define SINEW_IMPORT_MODEL_CHECK_H

#include "model/model.h"

/* False and an error message for the first broken rule. */
bool check_model(const sinew_model *model, sinew_error *error);

/* ---- its parts ---- */

/* Sets the error "PATH: …: the file is damaged, cook the source again"; returns false. */
bool check_refuse(const sinew_model *model, sinew_error *error, const char *format, ...) SINEW_PRINTF(3, 4);

bool check_finite(const float *values, int64_t count); /* true for NULL */
bool check_bool(const bool *flag);                     /* 0 or 1 in memory */

bool check_clip(const sinew_model *model, const sinew_clip *clip, int index, sinew_error *error);
/* Before its arrays are shared: whether there is such an earlier mesh, with its own arrays and the same counts. */
bool check_same_mesh(const sinew_model *model, const sinew_mesh_view *mesh, int index, sinew_error *error);

#endif
