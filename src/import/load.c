/* sinew_model_load: a cooked file is read, a model that was imported before comes from the cache, any other is imported
 * and kept there. */
#include "import/load.h"

#include "base/error.h"
#include "import/cook.h"
#include "import/import_model.h"

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

sinew_model *sinew_model_load(const char *path, const sinew_load_options *options, sinew_error *error) {
  sinew_load_options defaults = sinew_load_options_default();
  sinew_model *model;
  if (!options) options = &defaults;
  if (!load_check_options(path, options, error)) return NULL;
  if (load_is_ready(path, options, &model, error)) return model;
  source_list sources = {0};
  model = import_model(path, options, &sources, error);
  if (model && !options->no_cache) cache_store_model(path, options, &sources, model);
  source_list_reset(&sources);
  return model;
}
