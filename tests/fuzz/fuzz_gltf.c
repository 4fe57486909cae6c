/* The whole reader of glTF, and what makes its meshes ready: JSON, buffers, accessors, meshes, skins, materials,
 * curves. */
#include "fuzz/feed.h"

#include "import/raw/weld.h"
#include "import/source/gltf/gltf.h"

/* As import_model.c does. */
static bool finish(raw_model *raw) {
  for (int i = 0; i < raw->mesh_count; i++) {
    raw_mesh *mesh = raw->meshes + i;
    if (mesh->is_copy) raw_follow(raw, mesh);
    else if (!mesh->welded && !weld_mesh(raw, mesh)) return false;
    if (wants_tangents(raw, mesh) && !make_tangents(raw, mesh)) return false;
  }
  return true;
}

static bool read(raw_model *raw, const import_files *files, bool clips_only) {
  gltf *g = gltf_open(raw, files);
  bool filled = g && (!gltf_is_version_2(g) || gltf_fill(g, clips_only));
  gltf_close(g);
  return filled;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sinew_error error = {""};
  raw_model raw;
  feed_allocator();
  if (size == 0) return 0;
  /* file_read puts a zero behind what it reads */
  unsigned char *copy = malloc(size + 1);
  memcpy(copy, data, size);
  copy[size] = 0;
  import_files files = {.path = "/nonexistent/fuzz.gltf", .data = copy, .size = size};
  raw_init(&raw, files.path, &error);
  raw.format = RAW_GLTF;
  bool good = read(&raw, &files, data[size - 1] == 'c');
  if (good && raw.node_count + raw.mesh_count + raw.clip_count > 0) good = raw_check(&raw) && finish(&raw);
  if (!good && !error.message[0]) abort();
  raw_release(&raw);
  free(copy);
  return 0;
}
