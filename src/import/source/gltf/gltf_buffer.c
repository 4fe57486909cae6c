#include "import/source/gltf/gltf_file.h"
#include "import/source/sniff.h"

#include <string.h>

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
