#include "import/source/gltf/gltf_vrm.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "import/source/gltf/gltf_memory.h"

#include <string.h>

/* ---- the container ---- */

static uint32_t read_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* The JSON chunk of a .glb comes first, the BIN chunk may follow. */
static bool split_glb(gltf *g, const char **json, size_t *length) {
  const unsigned char *data = g->files->data;
  size_t size = g->files->size;
  g->is_glb = true;
  if (size < 20 || read_u32(data + 4) != 2 || read_u32(data + 16) != 0x4E4F534A || read_u32(data + 12) > size - 20)
    return error_set(g->raw->error, "%s: is broken: its first chunk is not JSON of glTF 2.0", g->raw->path);
  *json = (const char *)data + 20;
  *length = read_u32(data + 12);
  size_t next = 20 + (*length + 3) / 4 * 4;
  if (next <= size && size - next >= 8 && read_u32(data + next + 4) == 0x004E4942 &&
      read_u32(data + next) <= size - next - 8)
    g->chunk = (gltf_bytes){data + next + 8, read_u32(data + next)};
  return true;
}

static int line_of(const char *text, const char *at) {
  int line = 1;
  for (; text < at && *text; text++) line += *text == '\n';
  return line;
}

static bool parse(gltf *g) {
  const char *json = (const char *)g->files->data, *end = json;
  size_t length = g->files->size;
  bool glb = length >= 4 && memcmp(json, "glTF", 4) == 0;
  if (glb && !split_glb(g, &json, &length)) return false;
  if (length >= 3 && memcmp(json, "\xEF\xBB\xBF", 3) == 0) { /* a byte order mark */
    json += 3;
    length -= 3;
  }
  gltf_memory_use(&g->memory);
  g->root = cJSON_ParseWithLengthOpts(json, length, &end, false);
  if (cJSON_IsObject(g->root)) return true;
  return error_set(g->raw->error, "%s: is broken: invalid JSON at line %d", g->raw->path, line_of(json, end));
}

gltf *gltf_open(raw_model *raw, const import_files *files) {
  gltf *g = mem_alloc_zeroed(sizeof *g);
  if (!g) {
    error_memory(raw->error, raw->path, sizeof *g);
    return NULL;
  }
  g->raw = raw;
  g->files = files;
  g->numbers_left = (size_t)1 << 29;
  if (parse(g)) return g;
  gltf_close(g);
  return NULL;
}

void gltf_close(gltf *g) {
  if (!g) return;
  gltf_memory_release(&g->memory);
  mem_free(g);
}

bool gltf_is_version_2(const gltf *g) {
  const char *version = gltf_text(gltf_member(g->root, "asset"), "version");
  return version && version[0] == '2';
}

/* ---- the parts ---- */

static bool list_all(gltf *g) {
  const struct {
    const char *name;
    gltf_list *list;
  } lists[] = {{"nodes", &g->nodes},         {"meshes", &g->meshes},     {"skins", &g->skins},
               {"accessors", &g->accessors}, {"bufferViews", &g->views}, {"buffers", &g->buffers},
               {"materials", &g->materials}, {"textures", &g->textures}, {"images", &g->images},
               {"samplers", &g->samplers}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (!gltf_list_members(g, g->root, lists[i].name, lists[i].list)) return false;
  return true;
}

bool gltf_fill(gltf *g, bool clips_only) {
  g->clips_only = clips_only;
  return list_all(g) && gltf_check_extensions(g) && gltf_read_buffers(g) && gltf_read_nodes(g) &&
         gltf_read_vrm_body(g) && (clips_only || gltf_read_materials(g)) && gltf_read_meshes(g) &&
         gltf_read_animations(g) && gltf_read_vrm_expressions(g);
}
