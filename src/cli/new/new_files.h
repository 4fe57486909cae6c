#ifndef SINEW_CLI_NEW_FILES_H
#define SINEW_CLI_NEW_FILES_H

#include <sinew/model.h>

enum { NEW_PATH = 4096 };

/* Copies the files from which the model and its clips were read into the folder of a scene. Files beside the model keep
 * their relative positions (unless the model stays where it is); clip files from elsewhere go into clips/. False and an
 * error message on failure. */
bool new_copy_files(const sinew_model *model, bool with_model, const char *folder, sinew_error *error);

/* The path of one of these files below the scene's folder. False for a file that is not copied. */
bool new_position(char *out, size_t size, const sinew_model *model, const char *path);

#endif
