/* model_names – finds joints, clips and morph targets by name, in lists that are sorted once. */
#ifndef SINEW_MODEL_MODEL_NAMES_H
#define SINEW_MODEL_MODEL_NAMES_H

#include "model/names/humanoid.h"

#include <sinew/base.h>
#include <sinew/model.h>

/* ---- finds joints by name in a list sorted once ---- */

typedef struct joint_entry {
  const char *name;
  int joint, rank;
} joint_entry;

/* Sorts by name; of equal names, the one with the lowest rank comes first, then the lowest joint. */
void joint_index_sort(joint_entry *entries, int count);

/* The first entry with that name, or `count`. Others with the same name follow it. */
int joint_index_find(const joint_entry *entries, int count, const char *name);

/* The part after the last ':' or '|'. */
const char *joint_name_bare(const char *name);

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

/* ---- finds joints by name and, if several share it, by the names above them ---- */

/* Lists the names and then the names without a namespace, sorted; equal names by rank and joint. `entries` has room for
 * twice the number of joints. Returns their number. */
int joint_path_list(const skeleton_view *skeleton, joint_entry *entries);

typedef struct joint_paths {
  skeleton_view skeleton;
  const joint_entry *entries; /* joint_path_list's */
  int entry_count;
} joint_paths;

/* The rules of sinew_model_find_joint; -1 if nothing matches. If thousands of joints share a name, only the first ones
 * are compared with the path. */
int joint_path_find(const joint_paths *paths, const char *path);

/* The rules of sinew_model_joint_path. */
bool joint_path_write(const joint_paths *paths, int joint, char *path, size_t size);

#endif
