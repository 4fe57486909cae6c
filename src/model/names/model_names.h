/* model_names – finds joints, clips and morph targets by name, in lists that are sorted once. */
#ifndef SINEW_MODEL_MODEL_NAMES_H
#define SINEW_MODEL_MODEL_NAMES_H

#include "model/names/joint_index.h"

#include <sinew/model.h>

struct model_names {
  int joint_count, clip_count, morph_count;
  joint_entry *joints; /* joint_path_list */
  joint_entry *clips;  /* names, and those of the file with rank 1 */
  joint_entry *morphs; /* the name of each target once, with its number: … */
  /* … in the order in which they first occur in meshes. And the numbers of all targets of each mesh, in sequence. */
  const char **morph_names;
  int32_t *morph_numbers;
};

/* Call it once everything else in the model is complete. NULL and an error message without memory. Free with
 * block_release. */
struct model_names *model_names_create(const sinew_model *model, sinew_error *error);

#endif
