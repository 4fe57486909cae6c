#include "model/model.h"

#include "base/memory/block.h"

typedef struct layout {
  const char *const *paths;
  int count;
} layout;

static void lay_out(block *b, void *user) {
  const layout *l = user;
  model_sources *sources = block_take(b, 1, sizeof *sources);
  const char **paths = block_take(b, (size_t)l->count, sizeof *paths);
  for (int i = 0; i < l->count; i++) {
    const char *path = block_string(b, l->paths[i]);
    if (paths) paths[i] = path;
  }
  if (sources) *sources = (model_sources){l->count, paths};
}

void model_set_sources(sinew_model *model, const char *const *paths, int count) {
  layout l = {paths, count};
  model->sources = block_create(lay_out, &l, "a list of files", NULL);
}

int sinew_model_source_count(const sinew_model *model) { return model->sources ? model->sources->count : 0; }

const char *sinew_model_source(const sinew_model *model, int index) {
  return index >= 0 && index < sinew_model_source_count(model) ? model->sources->paths[index] : NULL;
}
