/* EXT_meshopt_compression: decodes buffer views before they are used. */
#include "import/source/gltf/gltf_file.h"

#include <meshoptimizer.h>

#include <string.h>

typedef enum view_mode { ATTRIBUTES, TRIANGLES, INDICES, NO_MODE } view_mode;
typedef enum view_filter { NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL, NO_FILTER } view_filter;

static int find_word(const char *word, const char *const *words, int count) {
  int i = 0;
  while (i < count && strcmp(word, words[i]) != 0) i++;
  return i;
}

static view_mode read_mode(const cJSON *json) {
  static const char *const words[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
  const char *word = gltf_text(json, "mode");
  return word ? (view_mode)find_word(word, words, NO_MODE) : NO_MODE;
}

static view_filter read_filter(const cJSON *json) {
  static const char *const words[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};
  const char *word = gltf_text(json, "filter");
  return word ? (view_filter)find_word(word, words, NO_FILTER) : NONE;
}

/* Checks what the library would only assert. */
static bool is_sound(view_mode mode, view_filter filter, size_t count, size_t stride) {
  if (mode == NO_MODE || filter == NO_FILTER || count == 0 || count > INT32_MAX / 256) return false;
  if (mode == TRIANGLES && count % 3 != 0) return false;
  if (mode != ATTRIBUTES) return filter == NONE && (stride == 2 || stride == 4);
  if (stride == 0 || stride % 4 != 0 || stride > 256) return false;
  return filter == OCTAHEDRAL ? stride == 4 || stride == 8 : filter != QUATERNION || stride == 8;
}

static bool decode(view_mode mode, void *to, size_t count, size_t stride, gltf_bytes from) {
  switch (mode) {
  case ATTRIBUTES: return meshopt_decodeVertexBuffer(to, count, stride, from.data, from.size) == 0;
  case TRIANGLES: return meshopt_decodeIndexBuffer(to, count, stride, from.data, from.size) == 0;
  case INDICES: return meshopt_decodeIndexSequence(to, count, stride, from.data, from.size) == 0;
  case NO_MODE: break;
  }
  return false;
}

static void unfilter(view_filter filter, void *data, size_t count, size_t stride) {
  if (filter == OCTAHEDRAL) meshopt_decodeFilterOct(data, count, stride);
  if (filter == QUATERNION) meshopt_decodeFilterQuat(data, count, stride);
  if (filter == EXPONENTIAL) meshopt_decodeFilterExp(data, count, stride);
}

bool gltf_decode_view(gltf *g, const cJSON *json, gltf_bytes from, gltf_bytes *to) {
  view_mode mode = read_mode(json);
  view_filter filter = read_filter(json);
  size_t count = gltf_size(json, "count"), stride = gltf_size(json, "byteStride");
  *to = (gltf_bytes){NULL, 0};
  if (!from.data || !is_sound(mode, filter, count, stride))
    return raw_note(g->raw, "a buffer view with EXT_meshopt_compression is broken: its contents are left out");
  if (!gltf_spend(g, count, (stride + 3) / 4)) return false;
  unsigned char *data = raw_alloc(g->raw, count, stride);
  if (!data) return false;
  if (!decode(mode, data, count, stride, from))
    return raw_note(g->raw, "a buffer view with EXT_meshopt_compression is broken: its contents are left out");
  unfilter(filter, data, count, stride);
  *to = (gltf_bytes){data, count * stride};
  return true;
}
