/* joint_path – joints by name, and where several have one name, by the names above them: "Body/Head". */
#ifndef SINEW_MODEL_JOINT_PATH_H
#define SINEW_MODEL_JOINT_PATH_H

#include "model/humanoid.h"

#include <sinew/base.h>

/* The rules of sinew_model_find_joint; -1 where nothing matches. */
int joint_path_find(const skeleton_view *skeleton, const char *path);

/* The rules of sinew_model_joint_path. */
bool joint_path_write(const skeleton_view *skeleton, int joint, char *path, size_t size);

#endif
