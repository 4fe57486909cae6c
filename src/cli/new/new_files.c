/* Copies the files of a model and its clips into the folder of a scene: exactly the files that their import read. */
#include "cli/new/new_files.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t largest_file = (size_t)1 << 31;

static bool copy_file(const char *from, const char *to, sinew_error *error) {
  char folder[NEW_PATH];
  size_t size = 0;
  if (!path_folder(folder, sizeof folder, to) || !folder_create(folder, error)) return false;
  if (file_exists(to)) return error_set(error, "%s: two of the files have this name", to);
  unsigned char *data = file_read(from, largest_file, &size, error);
  bool good = data && file_write(to, data, size, error);
  mem_free(data);
  return good;
}

static bool real_folder(char *out, size_t size, const char *path) {
  char *real = realpath(path, NULL);
  bool fits = real && path_folder(out, size, real);
  free(real);
  return fits;
}

/* The path below the folder, or NULL. */
static const char *below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  bool inside = strncmp(path, folder, length) == 0 && (path[length] == '/' || (length && folder[length - 1] == '/'));
  return !inside ? NULL : path[length] == '/' ? path + length + 1 : path + length;
}

/* The position of a file in the scene's folder: relative to the model as before, or under clips/ relative to its clip
 * file. */
static bool place_of(char *out, size_t size, const sinew_model *model, const char *real) {
  char folder[NEW_PATH];
  const char *position = real_folder(folder, sizeof folder, sinew_model_path(model)) ? below(real, folder) : NULL;
  if (position) return snprintf(out, size, "%s", position) < (int)size;
  for (int i = 0; i < sinew_model_clip_file_count(model); i++) {
    position = real_folder(folder, sizeof folder, sinew_model_clip_file(model, i).path) ? below(real, folder) : NULL;
    if (position) return snprintf(out, size, "clips/%s", position) < (int)size;
  }
  return false;
}

bool new_position(char *out, size_t size, const sinew_model *model, const char *path) {
  char *real = realpath(path, NULL);
  bool placed = real && place_of(out, size, model, real);
  free(real);
  return placed;
}

static bool lies_with_model(const sinew_model *model, const char *source) {
  char folder[NEW_PATH], *real = realpath(source, NULL);
  bool inside = real && real_folder(folder, sizeof folder, sinew_model_path(model)) && below(real, folder);
  free(real);
  return inside;
}

static bool copy_source(const sinew_model *model, const char *source, const char *folder, sinew_error *error) {
  char position[NEW_PATH], to[NEW_PATH];
  if (!new_position(position, sizeof position, model, source)) return true; /* missing, or in another folder */
  if (!path_join(to, sizeof to, folder, position))
    return error_set(error, "%s/%s: the path is too long", folder, position);
  return copy_file(source, to, error);
}

bool new_copy_files(const sinew_model *model, bool with_model, const char *folder, sinew_error *error) {
  int count = sinew_model_source_count(model);
  for (int i = 0; i < count; i++) {
    const char *source = sinew_model_source(model, i);
    if (!file_exists(source)) continue;
    if (!with_model && lies_with_model(model, source)) continue;
    if (!copy_source(model, source, folder, error)) return false;
  }
  return count > 0 || !with_model || copy_source(model, sinew_model_path(model), folder, error);
}
