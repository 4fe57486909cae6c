/* glTF 2.0, chapter 3.6: accessors, sparse accessors, normalised integers. */
#include "base/error.h"
#include "base/memory/memory.h"
#include "import/source/files.h"
#include "import/source/gltf/gltf_file.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { BYTE = 5120, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, UNSIGNED_INT = 5125, FLOAT };

/* The most zeros without bytes in the file behind them. */
enum { MOST_ZEROS = 1 << 22 };

/* ---- fields of the JSON ---- */

static int width_of(const cJSON *accessor) {
  static const struct {
    const char *type;
    int width;
  } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  const char *type = gltf_text(accessor, "type");
  for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
    if (strcmp(type, types[i].type) == 0) return types[i].width;
  return 0;
}

static size_t component_size(int type) {
  switch (type) {
  case BYTE:
  case UNSIGNED_BYTE: return 1;
  case SHORT:
  case UNSIGNED_SHORT: return 2;
  case UNSIGNED_INT:
  case FLOAT: return 4;
  default: return 0;
  }
}

/* `count` elements of `bytes` bytes each from the view that an object names; NULL if they are not all in the file. */
static const unsigned char *find_elements(const gltf *g, const cJSON *object, size_t count, size_t bytes,
                                          size_t *stride) {
  int index = gltf_index(object, "bufferView", g->views.count);
  gltf_bytes view = index < 0 ? (gltf_bytes){NULL, 0} : gltf_view(g, index);
  size_t own = gltf_size(gltf_item(&g->views, index), "byteStride"), offset = gltf_size(object, "byteOffset"), span;
  if (!view.data || count == 0) return NULL;
  *stride = own ? own : bytes;
  if (!size_multiply(count - 1, *stride, &span) || !size_add(span, bytes, &span)) return NULL;
  return offset > view.size || span > view.size - offset ? NULL : view.data + offset;
}

/* ---- sparse accessors ---- */

static uint32_t read_word(const unsigned char *at, size_t size) {
  uint32_t word = at[0];
  if (size >= 2) word |= (uint32_t)at[1] << 8;
  if (size == 4) word |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  return word;
}

/* False if an index or a value is not in the file. */
static bool replace_elements(const gltf *g, const cJSON *sparse, const gltf_elements *e, unsigned char *bytes) {
  const cJSON *indices = gltf_member(sparse, "indices");
  size_t changed = gltf_size(sparse, "count"), index_stride, stride, whole = e->size * (size_t)e->width;
  int type = (int)gltf_index(indices, "componentType", FLOAT);
  size_t index_size = component_size(type);
  if (changed == 0) return true;
  if (changed > (size_t)e->count || index_size == 0) return false;
  const unsigned char *at = find_elements(g, indices, changed, index_size, &index_stride);
  const unsigned char *from = find_elements(g, gltf_member(sparse, "values"), changed, whole, &stride);
  if (!at || !from) return false;
  for (size_t i = 0; i < changed; i++) {
    uint32_t index = read_word(at + i * index_stride, index_size);
    if (index >= (uint32_t)e->count) return false;
    memcpy(bytes + index * whole, from + i * stride, whole);
  }
  return true;
}

/* Writes all elements in sequence, with the sparse part's replacements. */
static bool fill_sparse(gltf *g, const cJSON *sparse, gltf_elements *e) {
  size_t whole = e->size * (size_t)e->width;
  unsigned char *bytes = raw_alloc(g->raw, (size_t)e->count, whole);
  if (!bytes) return false;
  for (size_t i = 0; e->data && i < (size_t)e->count; i++) memcpy(bytes + i * whole, e->data + i * e->stride, whole);
  if (sparse && !replace_elements(g, sparse, e, bytes)) e->count = 0;
  e->data = bytes;
  e->stride = whole;
  return true;
}

/* ---- accessors ---- */

bool gltf_spend(gltf *g, size_t count, size_t width) {
  size_t numbers;
  if (!size_multiply(count, width, &numbers) || numbers > g->numbers_left)
    return error_set(g->raw->error, "%s: its accessors expand to more numbers than an import may have", g->raw->path);
  g->numbers_left -= numbers;
  return true;
}

bool gltf_accessor(gltf *g, int index, gltf_elements *elements) {
  const cJSON *accessor = gltf_item(&g->accessors, index), *sparse = gltf_member(accessor, "sparse");
  gltf_elements e = {.type = gltf_index(accessor, "componentType", FLOAT + 1), .width = width_of(accessor)};
  size_t count = gltf_size(accessor, "count");
  *elements = (gltf_elements){0};
  e.size = component_size(e.type);
  e.normalized = gltf_flag(accessor, "normalized");
  if (e.size == 0 || e.width == 0 || count == 0 || count > INT_MAX / 64) return true;
  e.count = (int)count;
  bool has_view = gltf_member(accessor, "bufferView") != NULL;
  if (has_view) e.data = find_elements(g, accessor, count, e.size * (size_t)e.width, &e.stride);
  if (has_view ? !e.data : count > MOST_ZEROS) return true;
  bool made = sparse || !has_view;
  if (made && (!gltf_spend(g, count, (size_t)e.width) || !fill_sparse(g, sparse, &e))) return false;
  *elements = e;
  return true;
}

/* ---- numbers ---- */

float *gltf_zeros(gltf *g, size_t count) {
  return gltf_spend(g, count, 1) ? raw_alloc(g->raw, count, sizeof(float)) : NULL;
}

static float to_float(uint32_t word, const gltf_elements *e) {
  float value;
  switch (e->type) {
  case BYTE: value = (float)(int8_t)word; return e->normalized ? fmaxf(value / 127, -1) : value;
  case UNSIGNED_BYTE: value = (float)word; return e->normalized ? value / 255 : value;
  case SHORT: value = (float)(int16_t)word; return e->normalized ? fmaxf(value / 32767, -1) : value;
  case UNSIGNED_SHORT: value = (float)word; return e->normalized ? value / 65535 : value;
  case UNSIGNED_INT: return (float)word;
  default: memcpy(&value, &word, sizeof value); return value;
  }
}

void gltf_normalize(const cJSON *accessor, float *values, size_t count) {
  static const float largest[] = {127, 255, 32767, 65535};
  int type = gltf_index(accessor, "componentType", UNSIGNED_SHORT + 1) - BYTE;
  if (type < 0 || !gltf_flag(accessor, "normalized")) return;
  for (size_t i = 0; i < count; i++) values[i] = fmaxf(values[i] / largest[type], -1);
}

static uint32_t to_integer(uint32_t word, const gltf_elements *e) {
  bool is_negative = (e->type == BYTE && word > INT8_MAX) || (e->type == SHORT && word > INT16_MAX);
  if (!is_negative && e->type != FLOAT) return word;
  float value = to_float(word, e);
  return value >= 0 && value < 4e9f ? (uint32_t)value : UINT32_MAX;
}

/* The address of `element` of the list in the file's bytes. */
static const unsigned char *element_at(const gltf_elements *e, const uint32_t *which, size_t element) {
  return e->data + (which ? which[element] : element) * e->stride;
}

/* Whether this machine's four-byte words are laid out as in files. */
static bool has_words_as_files(void) {
  const uint32_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

static void copy_words(const gltf_elements *e, const uint32_t *which, size_t count, void *words) {
  size_t whole = (size_t)e->width * 4;
  if (!which && e->stride == whole) memcpy(words, e->data, count * whole);
  else
    for (size_t i = 0; i < count; i++) memcpy((char *)words + i * whole, element_at(e, which, i), whole);
}

float *gltf_floats(gltf *g, const gltf_elements *e, const uint32_t *which, size_t count) {
  size_t width = (size_t)e->width;
  float *values = gltf_spend(g, count, width) ? raw_alloc(g->raw, count * width, sizeof *values) : NULL;
  if (values && e->type == FLOAT && has_words_as_files()) {
    copy_words(e, which, count, values);
    return values;
  }
  for (size_t i = 0; values && i < count; i++) {
    const unsigned char *at = element_at(e, which, i);
    for (size_t k = 0; k < width; k++) values[i * width + k] = to_float(read_word(at + k * e->size, e->size), e);
  }
  return values;
}

/* A separate function for each element size, so that compilers unroll it. */
static inline void widen(const gltf_elements *e, const uint32_t *which, size_t count, size_t size, uint32_t *values) {
  size_t width = (size_t)e->width;
  for (size_t i = 0; i < count; i++) {
    const unsigned char *at = element_at(e, which, i);
    for (size_t k = 0; k < width; k++) values[i * width + k] = read_word(at + k * size, size);
  }
}

uint32_t *gltf_integers(gltf *g, const gltf_elements *e, const uint32_t *which, size_t count) {
  size_t width = (size_t)e->width;
  uint32_t *values = gltf_spend(g, count, width) ? raw_alloc(g->raw, count * width, sizeof *values) : NULL;
  if (!values) return NULL;
  if (e->type == UNSIGNED_BYTE) widen(e, which, count, 1, values);
  else if (e->type == UNSIGNED_SHORT) widen(e, which, count, 2, values);
  else if (e->type == UNSIGNED_INT) widen(e, which, count, 4, values);
  else widen(e, which, count, e->size, values);
  bool is_unsigned = e->type == UNSIGNED_BYTE || e->type == UNSIGNED_SHORT || e->type == UNSIGNED_INT;
  for (size_t i = 0; !is_unsigned && i < count * width; i++) values[i] = to_integer(values[i], e);
  return values;
}

/* ---- gltf buffer ---- */

/* ---- data URIs ---- */

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
  bytes->size = 0;
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

bool gltf_read_data_uri(gltf *g, const char *uri, gltf_bytes *bytes) {
  const char *comma = strchr(uri, ',');
  return !comma || decode_base64(g, comma + 1, bytes);
}

/* ---- buffers ---- */

/* The file's bytes live as long as the raw model. */
static bool read_beside(gltf *g, const char *uri, gltf_bytes *bytes) {
  served_file found;
  if (!files_read(g->files, uri, &found))
    return raw_note(g->raw, "buffer '%s' is not in the model's folder: its contents are left out", uri);
  if (sniff_is_pointer(found.data, found.size)) {
    files_free(g->files, &found);
    return raw_note(g->raw, "buffer '%s' is a pointer of Git LFS, and not the file itself: git lfs pull fetches that",
                    uri);
  }
  bytes->data = raw_copy(g->raw, found.data, found.size, 1);
  bytes->size = found.size;
  files_free(g->files, &found);
  return bytes->data != NULL;
}

static bool read_buffer(gltf *g, int index) {
  const char *uri = gltf_text(g->buffers.items[index], "uri");
  if (!uri) {
    if (index == 0 && g->is_glb) g->bytes[0] = g->chunk;
    return true;
  }
  if (strncmp(uri, "data:", 5) != 0) return read_beside(g, uri, g->bytes + index);
  return gltf_read_data_uri(g, uri, g->bytes + index);
}

/* ---- views ---- */

/* A part of some bytes. */
static gltf_bytes slice(gltf_bytes whole, size_t offset, size_t length) {
  if (!whole.data || offset > whole.size || length > whole.size - offset) return (gltf_bytes){NULL, 0};
  return (gltf_bytes){whole.data + offset, length};
}

static gltf_bytes find_bytes(const gltf *g, const cJSON *json) {
  int buffer = gltf_index(json, "buffer", g->buffers.count);
  if (buffer < 0) return (gltf_bytes){NULL, 0};
  return slice(g->bytes[buffer], gltf_size(json, "byteOffset"), gltf_size(json, "byteLength"));
}

static bool read_view(gltf *g, int index) {
  const cJSON *view = g->views.items[index], *packed = gltf_extension(view, "EXT_meshopt_compression");
  if (packed) return gltf_decode_view(g, packed, find_bytes(g, packed), g->view_bytes + index);
  g->view_bytes[index] = find_bytes(g, view);
  return true;
}

static bool read_views(gltf *g) {
  g->view_bytes = raw_alloc(g->raw, (size_t)g->views.count, sizeof *g->view_bytes);
  if (!g->view_bytes) return false;
  for (int i = 0; i < g->views.count; i++)
    if (!read_view(g, i)) return false;
  return true;
}

gltf_bytes gltf_view(const gltf *g, int view) { return view < 0 ? (gltf_bytes){NULL, 0} : g->view_bytes[view]; }

bool gltf_read_buffers(gltf *g) {
  g->bytes = raw_alloc(g->raw, (size_t)g->buffers.count, sizeof *g->bytes);
  if (!g->bytes) return false;
  for (int i = 0; i < g->buffers.count; i++)
    if (g->buffers.items[i] && !read_buffer(g, i)) return false;
  return read_views(g);
}
