/* joint_path – joints by name, and where several have one name, by the names above them: "Body/Head". */
#ifndef SINEW_MODEL_JOINT_PATH_H
#define SINEW_MODEL_JOINT_PATH_H

#include "model/names/humanoid.h"
#include "model/names/joint_index.h"

#include <sinew/base.h>

/* Lists the names and, behind those, the names without a namespace, sorted; those of one name by rank and joint.
 * `entries` has room for twice as many as there are joints. How many there are. */
int joint_path_list(const skeleton_view *skeleton, joint_entry *entries);

typedef struct joint_paths {
  skeleton_view skeleton;
  const joint_entry *entries; /* joint_path_list's */
  int entry_count;
} joint_paths;

/* The rules of sinew_model_find_joint; -1 where nothing matches. Where thousands of joints have one name, a path is
 * compared with the first of them. */
int joint_path_find(const joint_paths *paths, const char *path);

/* The rules of sinew_model_joint_path. */
bool joint_path_write(const joint_paths *paths, int joint, char *path, size_t size);

#endif
