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
 * Numbers have nine digits, which is all that a float has. Empty lines and lines that begin with '#' are ignored. */
#ifndef SINEW_POSE_FILE_H
#define SINEW_POSE_FILE_H

#include <sinew/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

/* False and an error message if the number of joints differs from the model's, a value is not finite, the file cannot
 * be written (an old one stays as it was), or memory runs out. */
SINEW_API bool sinew_pose_write(const char *path, const sinew_model *model, sinew_pose pose, sinew_error *error);

/* Receives the joints that only the model or only the file has. */
typedef struct sinew_pose_report {
  void (*missing)(void *user, int joint);        /* a joint that is only in the model: it is at rest */
  void (*unknown)(void *user, const char *name); /* a joint that is only in the file; lives for the call */
  void *user;
} sinew_pose_report;

/* Reads a file into a pose of the model. Joints are matched by their whole name, then without a prefix, as in
 * sinew_model_find_joint; joints that share a name are matched in order. `report` (or either function) may be NULL.
 * Returns false and an error message that names the line, and leaves `output` as it was, if there is no such file, it
 * is not text or of another version, numbers are missing or not finite, a rotation is not of unit length, a joint comes
 * twice, or the end is missing. */
SINEW_API bool sinew_pose_read(const char *path, const sinew_model *model, sinew_pose output,
                               const sinew_pose_report *report, sinew_error *error);
/* The same for a text in memory; error messages begin with `path`. */
SINEW_API bool sinew_pose_read_text(const char *path, const char *text, const sinew_model *model, sinew_pose output,
                                    const sinew_pose_report *report, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
