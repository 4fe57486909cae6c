#include "import/source/gltf/gltf_file.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- JSON ---- */

bool gltf_is_version_2(const gltf *g) {
  const cJSON *asset = cJSON_GetObjectItemCaseSensitive(g->root, "asset");
  const char *version = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(asset, "version"));
  return version && version[0] == '2';
}

int gltf_index(const cJSON *object, const char *name, int count) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || !(item->valuedouble < count)) return -1;
  return (int)item->valuedouble;
}

static size_t read_size(const cJSON *object, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0)) return 0;
  return item->valuedouble < 1e12 ? (size_t)item->valuedouble : SIZE_MAX / 4;
}

bool gltf_list_members(gltf *g, const cJSON *object, const char *name, gltf_list *list) {
  const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, name);
  int count = cJSON_IsArray(array) ? cJSON_GetArraySize(array) : 0;
  *list = (gltf_list){raw_alloc(g->raw, (size_t)count, sizeof *list->items), 0};
  if (!list->items) return false;
  if (count == 0) return true;
  cJSON *item;
  cJSON_ArrayForEach(item, array) list->items[list->count++] = cJSON_IsObject(item) ? item : NULL;
  return true;
}

/* ---- buffers ---- */

static int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static bool decode_base64(gltf *g, const char *text, gltf_bytes *bytes) {
  unsigned char *data = raw_alloc(g->raw, strlen(text) / 4 * 3 + 3, 1);
  uint32_t bits = 0;
  int held = 0;
  if (!data) return false;
  for (; *text && *text != '='; text++) {
    int digit = base64_digit(*text);
    if (digit < 0) continue;
    bits = bits << 6 | (uint32_t)digit;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    data[bytes->size++] = (unsigned char)(bits >> held);
  }
  bytes->data = data;
  return true;
}

static bool read_beside(gltf *g, const char *uri, gltf_bytes *bytes) {
  served_file found;
  if (!files_read(g->files, uri, &found)) return true;
  *bytes = (gltf_bytes){found.data, found.size, found.name == NULL};
  return true;
}

static bool read_buffer(gltf *g, int index) {
  const cJSON *uri = cJSON_GetObjectItemCaseSensitive(g->buffers.items[index], "uri");
  if (!cJSON_IsString(uri)) {
    if (index == 0 && g->is_glb) g->bytes[0] = g->chunk;
    return true;
  }
  if (strncmp(uri->valuestring, "data:", 5) != 0) return read_beside(g, uri->valuestring, g->bytes + index);
  const char *comma = strchr(uri->valuestring, ',');
  return !comma || decode_base64(g, comma + 1, g->bytes + index);
}

/* ---- accessors ---- */

int gltf_width(const cJSON *accessor) {
  static const struct {
    const char *type;
    int width;
  } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}};
  const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(accessor, "type"));
  for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
    if (strcmp(type, types[i].type) == 0) return types[i].width;
  return 0;
}

typedef struct component {
  int type; /* 5120 … 5126 */
  size_t size;
  bool normalized;
} component;

static component component_of(const cJSON *object) {
  size_t type = read_size(object, "componentType");
  const cJSON *normalized = cJSON_GetObjectItemCaseSensitive(object, "normalized");
  component c = {(int)(type & 0xFFFF), 0, cJSON_IsTrue(normalized)};
  if (type == 5120 || type == 5121) c.size = 1;
  if (type == 5122 || type == 5123) c.size = 2;
  if (type == 5125 || type == 5126) c.size = 4;
  return c;
}

/* glTF 2.0, 3.6.2.2 and the table under "Animations". */
static float read_component(const unsigned char *at, component c) {
  uint32_t word = at[0];
  if (c.size >= 2) word |= (uint32_t)at[1] << 8;
  if (c.size == 4) word |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  float value;
  switch (c.type) {
  case 5120: value = (float)(int8_t)word; return c.normalized ? fmaxf(value / 127, -1) : value;
  case 5121: value = (float)word; return c.normalized ? value / 255 : value;
  case 5122: value = (float)(int16_t)word; return c.normalized ? fmaxf(value / 32767, -1) : value;
  case 5123: value = (float)word; return c.normalized ? value / 65535 : value;
  case 5125: return (float)word;
  default: memcpy(&value, &word, sizeof value); return value;
  }
}

/* `count` elements of `bytes` bytes each, `stride` apart, from a view; NULL where they are not all in the file. */
static const unsigned char *view_bytes(const gltf *g, const cJSON *object, size_t count, size_t bytes, size_t *stride) {
  int index = gltf_index(object, "bufferView", g->views.count);
  const cJSON *view = index < 0 ? NULL : g->views.items[index];
  int buffer = gltf_index(view, "buffer", g->buffers.count);
  if (buffer < 0 || !g->bytes[buffer].data || count == 0) return NULL;
  size_t own = read_size(view, "byteStride"), start = read_size(view, "byteOffset") + read_size(object, "byteOffset");
  size_t length = read_size(view, "byteLength"), inside = read_size(object, "byteOffset"), span;
  *stride = own ? own : bytes;
  if (!size_multiply(count - 1, *stride, &span) || !size_add(span, bytes, &span)) return NULL;
  if (span > length || inside > length - span || g->bytes[buffer].size < span || start > g->bytes[buffer].size - span)
    return NULL;
  return g->bytes[buffer].data + start;
}

/* False where an index or a value is not in the file. */
static bool apply_sparse(const gltf *g, const cJSON *sparse, component c, int width, float *values, size_t count) {
  size_t changed = read_size(sparse, "count"), index_stride, value_stride;
  const cJSON *indices = cJSON_GetObjectItemCaseSensitive(sparse, "indices");
  const cJSON *replaced = cJSON_GetObjectItemCaseSensitive(sparse, "values");
  component ic = component_of(indices);
  if (changed == 0) return true;
  if (changed > count || ic.size == 0 || ic.type == 5126) return false;
  const unsigned char *at = view_bytes(g, indices, changed, ic.size, &index_stride);
  const unsigned char *from = view_bytes(g, replaced, changed, c.size * (size_t)width, &value_stride);
  if (!at || !from) return false;
  for (size_t i = 0; i < changed; i++) {
    double index = (double)read_component(at + i * index_stride, ic);
    if (ic.size == 4) {
      uint32_t exact;
      memcpy(&exact, at + i * index_stride, sizeof exact);
      index = exact;
    }
    if (!(index >= 0 && index < (double)count)) return false;
    for (int k = 0; k < width; k++)
      values[(size_t)index * (size_t)width + (size_t)k] =
          read_component(from + i * value_stride + (size_t)k * c.size, c);
  }
  return true;
}

bool gltf_read_accessor(gltf *g, int index, int width, float **values, int *count) {
  const cJSON *accessor = index >= 0 && index < g->accessors.count ? g->accessors.items[index] : NULL;
  component c = component_of(accessor);
  size_t elements = read_size(accessor, "count"), stride = 0;
  *values = NULL;
  *count = 0;
  if (!accessor || c.size == 0 || width == 0 || gltf_width(accessor) != width) return true;
  if (elements == 0 || elements > INT_MAX / 64) return true;
  const cJSON *sparse = cJSON_GetObjectItemCaseSensitive(accessor, "sparse");
  bool has_view = cJSON_GetObjectItemCaseSensitive(accessor, "bufferView") != NULL;
  const unsigned char *at = has_view ? view_bytes(g, accessor, elements, c.size * (size_t)width, &stride) : NULL;
  /* Zeros by the rule; a count that no byte of the file backs must not ask for all memory. */
  if ((has_view && !at) || (!has_view && elements > (1 << 22))) return true;
  float *out = raw_alloc(g->raw, elements * (size_t)width, sizeof *out);
  if (!out) return false;
  for (size_t i = 0; at && i < elements; i++)
    for (int k = 0; k < width; k++)
      out[i * (size_t)width + (size_t)k] = read_component(at + i * stride + (size_t)k * c.size, c);
  if (sparse && !apply_sparse(g, sparse, c, width, out, elements)) return true;
  *values = out;
  *count = (int)elements;
  return true;
}

/* ---- opening ---- */

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
    g->chunk = (gltf_bytes){data + next + 8, read_u32(data + next), false};
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
  g->root = cJSON_ParseWithLengthOpts(json, length, &end, false);
  if (cJSON_IsObject(g->root)) return true;
  return error_set(g->raw->error, "%s: is broken: no valid JSON at line %d", g->raw->path, line_of(json, end));
}

static bool list_all(gltf *g) {
  if (!gltf_list_members(g, g->root, "nodes", &g->nodes) || !gltf_list_members(g, g->root, "meshes", &g->meshes) ||
      !gltf_list_members(g, g->root, "accessors", &g->accessors) ||
      !gltf_list_members(g, g->root, "bufferViews", &g->views) ||
      !gltf_list_members(g, g->root, "buffers", &g->buffers))
    return false;
  g->bytes = raw_alloc(g->raw, (size_t)g->buffers.count, sizeof *g->bytes);
  if (!g->bytes) return false;
  for (int i = 0; i < g->buffers.count; i++)
    if (g->buffers.items[i] && !read_buffer(g, i)) return false;
  return true;
}

static bool check_extensions(gltf *g) {
  static const char *const unread[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression"};
  const cJSON *required = cJSON_GetObjectItemCaseSensitive(g->root, "extensionsRequired"), *item;
  cJSON_ArrayForEach(
      item,
      required) for (size_t i = 0; i < sizeof unread / sizeof *unread;
                     i++) if (cJSON_IsString(item) &&
                              strcmp(item->valuestring, unread[i]) ==
                                  0) return error_set(g->raw->error,
                                                      "%s: needs %s, which is not read: save it without compression",
                                                      g->raw->path, unread[i]);
  return true;
}

static void *json_allocate(size_t size) { return mem_alloc(size); }

gltf *gltf_open(raw_model *raw, import_files *files) {
  cJSON_Hooks hooks = {json_allocate, mem_free};
  cJSON_InitHooks(&hooks);
  gltf *g = mem_alloc_zeroed(sizeof *g);
  if (!g) {
    error_memory(raw->error, raw->path, sizeof *g);
    return NULL;
  }
  g->raw = raw;
  g->files = files;
  bool opened = parse(g) && (!gltf_is_version_2(g) || (check_extensions(g) && list_all(g) && gltf_rewrite(g, files)));
  if (opened) return g;
  gltf_close(g);
  return NULL;
}

void gltf_close(gltf *g) {
  if (!g) return;
  for (int i = 0; g->bytes && i < g->buffers.count; i++)
    if (g->bytes[i].owned) mem_free((void *)(uintptr_t)g->bytes[i].data);
  cJSON_Delete(g->root);
  cJSON_Delete(g->animations);
  mem_free(g->extra);
  mem_free(g);
}
