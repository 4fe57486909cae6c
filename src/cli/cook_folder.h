/* cook_folder – cooks every model of a folder and the folders below it. */
#ifndef SINEW_CLI_COOK_FOLDER_H
#define SINEW_CLI_COOK_FOLDER_H

#include <sinew/model.h>

/* "models/hero.glb" → "models/hero.sinew"; false if that is too long. */
bool cook_name(const char *path, char *out, size_t size);

/* Writes a line of JSON for each model. Files that already have what would be written are not touched. Returns the
 * exit status: 1, with a sentence, if a model could not be cooked. */
int cook_folder(const char *folder, const char *output, const sinew_load_options *load);

#endif
