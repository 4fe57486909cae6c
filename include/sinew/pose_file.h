/* sinew/pose_file.h – a pose in a text file: to keep, to edit by hand, to compare with.
 *
 *     sinew pose 1
 *     joints 72
 *     0 0.951 0 0 0 0 1 1 1 1 Hips
 *     …
 *     end
 *
 * A line for each joint but the virtual root, as relative to its parent: translation x y z (metres), rotation x y z w
 * (unit), scale x y z, and its name, which is the rest of the line; bytes below a space and '\' are written \xHH.
 * Numbers have nine digits, which is all that a float has. Empty lines and lines that begin with '#' say nothing. */
#ifndef SINEW_POSE_FILE_H
#define SINEW_POSE_FILE_H

#include <sinew/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

/* False and an error message: another number of joints than the model's, a value that is not finite, a file that cannot
 * be written (an old one stays), memory. */
SINEW_API bool sinew_pose_write(const char *path, const sinew_model *model, sinew_pose pose, sinew_error *error);

/* Tells which joints of a file and of a model do not meet. */
typedef struct sinew_pose_report {
  void (*missing)(void *user, int joint);        /* of the model, which the file has not: it is at rest */
  void (*unknown)(void *user, const char *name); /* of the file, which the model has not; lives for the call */
  void *user;
} sinew_pose_report;

/* Reads a file into a pose of the model. Joints meet by their whole name, then without a prefix, as in
 * sinew_model_find_joint; where a model has a name more than once, in order. `report` (or either function) may be NULL.
 * False, and an error message that names the line, and `output` as it was: no such file, no text, another version, too
 * few numbers, one that is not finite, a rotation that is not of unit length, a joint twice, an end that is missing. */
SINEW_API bool sinew_pose_read(const char *path, const sinew_model *model, sinew_pose output,
                               const sinew_pose_report *report, sinew_error *error);
/* The same of a text that is in memory; sentences begin with `path`. */
SINEW_API bool sinew_pose_read_text(const char *path, const char *text, const sinew_model *model, sinew_pose output,
                                    const sinew_pose_report *report, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
