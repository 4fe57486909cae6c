/* build – turns a checked raw_model into a model_desc, and into a model. Everything is allocated in the raw model's
 * memory, which must outlive the description. When memory runs out, functions return false and set raw->error. */
#ifndef SINEW_IMPORT_BUILD_H
#define SINEW_IMPORT_BUILD_H

#include "import/raw/raw.h"
#include "model/model.h"

/* `keep_space`: keeps the file's own units and axes. */
bool build_skeleton(raw_model *raw, bool keep_space, model_desc *desc);

/* A scale that is 1 except for some 1e-6, from a matrix or an exporter's floats, becomes 1, so that groups of joints
 * without a scale are recognised. Tiny values become 0 (clip.h). */
sinew_transform build_transform(sinew_transform t);

/* Needs the joints of build_skeleton. `exact` keeps floats, whatever their size; the tolerance is in metres, or 0. */
bool build_clips(raw_model *raw, bool exact, double tolerance, model_desc *desc);

/* `max_influences` is 4 or 8. */
bool build_meshes(raw_model *raw, int max_influences, model_desc *desc);

/* Runs all steps, with the options `raw`, `exact`, `tolerance` and `max_influences`. The model has one reference. */
sinew_model *build_model(raw_model *raw, const sinew_load_options *options);

#endif
