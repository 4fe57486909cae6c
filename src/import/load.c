/* What a load asks first: are its options sound, and is the model there already, cooked or in the cache? */
#include "import/load.h"

#include "base/error.h"
#include "import/cook.h"

sinew_load_options sinew_load_options_default(void) { return (sinew_load_options){.max_influences = 4}; }

bool load_check_options(const char *path, const sinew_load_options *options, sinew_error *error) {
  if (options->max_influences != 4 && options->max_influences != 8)
    return error_set(error, "%s: max_influences is %d, and must be 4 or 8", path, options->max_influences);
  if (!cook_is_path(path)) return true;
  if (options->raw)
    return error_set(error, "%s: is cooked, and does not keep what its source's own units and axes were", path);
  return options->clip_file_count == 0 ||
         error_set(error, "%s: is cooked, and takes no clips from other files: cook them in", path);
}

bool load_is_ready(const char *path, const sinew_load_options *options, sinew_model **model, sinew_error *error) {
  bool cooked = cook_is_path(path);
  *model = cooked ? cook_load(path, error) : options->no_cache ? NULL : cache_load(path, options);
  return cooked || *model;
}
