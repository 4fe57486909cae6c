/* The whole reader of FBX, binary and text, down to a model: what it accepts must build, cook and read back. */
#include "fuzz/feed.h"

#include "import/build/build.h"
#include "import/raw/raw_nodes.h"
#include "import/raw/weld.h"
#include "import/source/fbx/fbx.h"

/* As import_model.c does. */
static bool finish(raw_model *raw) {
  if (!raw_check(raw) || !split_shear(raw)) return false;
  for (int i = 0; i < raw->mesh_count; i++) {
    raw_mesh *mesh = raw->meshes + i;
    if (mesh->is_copy) raw_follow(raw, mesh);
    else if (!mesh->welded && !weld_mesh(raw, mesh)) return false;
    if (wants_tangents(raw, mesh) && !make_tangents(raw, mesh)) return false;
  }
  return true;
}

/* Long clips take long to build, and are not what is looked for here. */
static bool is_small(const raw_model *raw) {
  size_t keys = 0;
  for (int c = 0; c < raw->clip_count; c++)
    for (int i = 0; i < raw->clips[c].track_count; i++) keys += (size_t)raw->clips[c].tracks[i].key_count;
  return keys < 2000;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sinew_error error = {""};
  raw_model raw;
  feed_allocator();
  if (size == 0) return 0;
  unsigned char *copy = malloc(size + 1); /* files_open puts a zero behind what it reads */
  memcpy(copy, data, size);
  copy[size] = 0;
  import_files files = {.path = "/nonexistent/fuzz.fbx", .data = copy, .size = size};
  raw_init(&raw, files.path, &error);
  raw.format = RAW_FBX;
  raw.files = &files;
  bool good = fbx_import(&raw, &files, data[size - 1] == 'c') && finish(&raw);
  sinew_load_options options = sinew_load_options_default();
  sinew_model *model = good && is_small(&raw) ? build_model(&raw, &options) : NULL;
  if (!good && !error.message[0]) abort();
  if (model) feed_check_cooked(model);
  sinew_model_release(model);
  raw_release(&raw);
  free(copy);
  return 0;
}
