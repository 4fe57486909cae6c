/* joint_path – finds joints by name and, if several share it, by the names above them: "Body/Head". */
#ifndef SINEW_MODEL_JOINT_PATH_H
#define SINEW_MODEL_JOINT_PATH_H

#include "model/names/humanoid.h"
#include "model/names/joint_index.h"

#include <sinew/base.h>

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
