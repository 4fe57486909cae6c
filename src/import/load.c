/* The beginning of a load: checks its options, and looks for the model among cooked files and in the cache. */
#include "import/load.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/array.h"
#include "base/memory/memory.h"
#include "import/cook/cook.h"
#include "import/raw/space.h"

#include <math.h>
#include <string.h>

sinew_load_options sinew_load_options_default(void) { return (sinew_load_options){.max_influences = 4}; }

sinew_clip_edit sinew_clip_edit_default(void) { return (sinew_clip_edit){.to = (double)INFINITY}; }

static bool check_edits(const char *path, const sinew_load_options *options, sinew_error *error) {
  for (int i = 0; i < options->edit_count; i++) {
    const sinew_clip_edit *edit = options->edits + i;
    if (!edit->clip || !edit->clip[0]) return error_set(error, "%s: edit %d names no clip", path, i + 1);
    if (!(edit->from >= 0 && isfinite(edit->from) && edit->to > edit->from))
      return error_set(error, "%s: clip '%s' is cut from %g s to %g s, and must be from 0 or later to a later moment",
                       path, edit->clip, edit->from, edit->to);
    if (edit->name && !edit->name[0]) return error_set(error, "%s: clip '%s' gets an empty name", path, edit->clip);
  }
  return true;
}

static bool check_map(const char *path, const sinew_load_options *options, sinew_error *error) {
  if (options->map_count > 0 && options->clip_file_count == 0)
    return error_set(error, "%s: a map needs a clip file whose joints it names", path);
  for (int i = 0; i < options->map_count; i++)
    if (!options->map[i].theirs || !options->map[i].theirs[0])
      return error_set(error, "%s: pair %d of the map names no joint of a clip file", path, i + 1);
  return true;
}

static bool check_retarget(const char *path, const sinew_load_options *options, sinew_error *error) {
  int mode = (int)options->retarget;
  return (mode >= SINEW_RETARGET_AUTO && mode <= SINEW_RETARGET_FIT) ||
         error_set(error, "%s: retarget is %d, and must be auto, copy or fit", path, mode);
}

static bool check_tolerance(const char *path, double tolerance, sinew_error *error) {
  return tolerance == 0 || (tolerance >= 1e-9 && tolerance <= 1) ||
         error_set(error, "%s: the tolerance is %g m, and must be from 1e-9 to 1, or 0", path, tolerance);
}

static bool check_space(const char *path, const sinew_load_options *options, sinew_error *error) {
  if (options->unit != 0 && !(options->unit >= 1e-6 && options->unit <= 1e6))
    return error_set(error, "%s: the unit is %g m, and must be from 1e-6 to 1e6", path, options->unit);
  if (options->up && !space_axis(options->up, &(int){0}))
    return error_set(error, "%s: up is '%s', and must be +x, -x, +y, -y, +z or -z", path, options->up);
  if (options->front && !space_level_axis(options->front, &(int){0}))
    return error_set(error, "%s: front is '%s', and must be +x, -x, +z or -z", path, options->front);
  return !options->raw || (options->unit == 0 && !options->up && !options->front) ||
         error_set(error, "%s: raw keeps the file's own units and axes, and takes no others", path);
}

/* A cooked file was made with its options, and accepts no others. */
static bool check_cooked(const char *path, const sinew_load_options *options, sinew_error *error) {
  if (options->raw) return error_set(error, "%s: is cooked, and no longer has its source's own units and axes", path);
  if (options->clip_file_count > 0)
    return error_set(error, "%s: is cooked, and takes no clips from other files: cook them in", path);
  return (options->edit_count == 0 && options->role_count == 0 && options->unit == 0 && !options->up &&
          !options->front) ||
         error_set(error, "%s: is cooked, and takes no other unit, axis, roles or clip edits: cook them in", path);
}

/* ---- patterns of clip files ---- */

static bool add_found(file_list *found, char *path) {
  char **item = array_grow((void **)&found->paths, &found->count, &found->capacity, sizeof *item);
  if (item) *item = path;
  else mem_free(path);
  return item != NULL;
}

/* Takes ownership of the paths in `some`. */
static bool join_files(const char *path, file_list *found, file_list *some, bool from_pattern) {
  bool room = true;
  for (int i = 0; i < some->count; i++) {
    char *one = some->paths[i];
    if (from_pattern && file_is_same(path, one)) mem_free(one);
    else room = add_found(found, one) && room;
  }
  some->count = 0;
  file_list_reset(some);
  return room;
}

static bool find_some(const char *path, const char *pattern, file_list *found, bool *from_pattern, sinew_error *error) {
  file_list some = {0};
  if (!files_find(pattern, &some))
    return error_set(error, "%s: '%s' names more than %d files, or memory ran out", path, pattern, SINEW_FIND_MOST);
  *from_pattern = some.count != 1 || strcmp(some.paths[0], pattern) != 0;
  if (some.count == 0) return error_set(error, "%s: no model file matches '%s'", path, pattern);
  return join_files(path, found, &some, *from_pattern) || error_memory(error, path, sizeof some);
}

bool load_find_clips(const char *path, sinew_load_options *options, file_list *found, sinew_error *error) {
  *found = (file_list){0};
  for (int i = 0; i < options->clip_file_count; i++) {
    bool from_pattern;
    if (!find_some(path, options->clip_files[i], found, &from_pattern, error)) {
      file_list_reset(found);
      return false;
    }
    if (from_pattern) options->skip_unfit_clip_files = true;
  }
  options->clip_files = (const char *const *)found->paths;
  options->clip_file_count = found->count;
  return true;
}

/* ---- checking the options ---- */

bool load_check_options(const char *path, const sinew_load_options *options, sinew_error *error) {
  if (options->max_influences != 4 && options->max_influences != 8)
    return error_set(error, "%s: max_influences is %d, and must be 4 or 8", path, options->max_influences);
  return check_tolerance(path, options->tolerance, error) && check_map(path, options, error) &&
         check_retarget(path, options, error) && check_edits(path, options, error) &&
         check_space(path, options, error) && (!cook_is_path(path) || check_cooked(path, options, error));
}

bool load_is_ready(const char *path, const sinew_load_options *options, sinew_model **model, sinew_error *error) {
  bool cooked = cook_is_path(path);
  *model = cooked ? cook_load(path, error) : options->no_cache ? NULL : cache_load(path, options);
  return cooked || *model;
}
