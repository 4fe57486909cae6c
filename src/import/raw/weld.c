#include "import/raw/weld.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "import/raw/streams.h"

#include <string.h>

typedef struct welder {
  raw_mesh *mesh;
  uint64_t *hashes;        /* a vertex's attributes, weights included */
  uint64_t *weight_hashes; /* of its weights alone: they are compared by hash, regardless of order */
  int32_t *slots;          /* open addressing: vertex + 1 */
  uint32_t mask;
  uint32_t *merged; /* old vertex → new vertex */
  mesh_stream *streams;
  int stream_count;
  bool tangents_count;
} welder;

/* FNV-1a over 32-bit words, with MurmurHash3's final mix, so that all bits affect the low ones. */
static uint64_t hash_words(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *at = data;
  for (size_t i = 0; i + 4 <= bytes; i += 4) {
    uint32_t word;
    memcpy(&word, at + i, 4);
    hash = (hash ^ word) * 0x100000001b3u;
  }
  return hash;
}

static uint64_t mix(uint64_t h) {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
  return h ^ (h >> 33);
}

static void hash_weights(welder *w) {
  for (int b = 0; b < w->mesh->bone_count; b++)
    for (int i = 0; i < w->mesh->bones[b].weight_count; i++) {
      const raw_weight *weight = w->mesh->bones[b].weights + i;
      uint32_t bits;
      memcpy(&bits, &weight->weight, sizeof bits);
      w->weight_hashes[weight->vertex] += mix(((uint64_t)b << 32 | bits) + 0x9e3779b97f4a7c15u);
    }
}

static void hash_stream(welder *w, const mesh_stream *stream) {
  const unsigned char *bytes = stream_data(stream);
  for (int v = 0; v < w->mesh->vertex_count; v++)
    w->hashes[v] = hash_words(w->hashes[v], bytes + (size_t)v * stream->size, stream->size);
}

static void hash_vertices(welder *w) {
  hash_weights(w);
  memcpy(w->hashes, w->weight_hashes, (size_t)w->mesh->vertex_count * sizeof *w->hashes);
  for (int i = 0; i < w->stream_count; i++)
    if (!w->streams[i].tangents) hash_stream(w, w->streams + i);
}

static bool same_bytes(const mesh_stream *stream, int a, int b) {
  const unsigned char *bytes = stream_data(stream);
  return memcmp(bytes + (size_t)a * stream->size, bytes + (size_t)b * stream->size, stream->size) == 0;
}

static bool same_tangents(const float *tangents, int a, int b) {
  const float *p = tangents + (size_t)a * 4, *q = tangents + (size_t)b * 4;
  return p[3] == q[3] && p[0] * q[0] + p[1] * q[1] + p[2] * q[2] > 0.99f;
}

static bool is_same_vertex(const welder *w, int a, int b) {
  if (w->hashes[a] != w->hashes[b] || w->weight_hashes[a] != w->weight_hashes[b]) return false;
  for (int i = 0; i < w->stream_count; i++) {
    const mesh_stream *stream = w->streams + i;
    if (!stream->tangents ? !same_bytes(stream, a, b) : w->tangents_count && !same_tangents(stream_data(stream), a, b))
      return false;
  }
  return true;
}

/* The first equal vertex; the vertex itself if it is new. */
static int find_first(welder *w, int vertex) {
  for (uint32_t slot = (uint32_t)mix(w->hashes[vertex]) & w->mask;; slot = (slot + 1) & w->mask) {
    if (w->slots[slot] == 0) {
      w->slots[slot] = vertex + 1;
      return vertex;
    }
    if (is_same_vertex(w, w->slots[slot] - 1, vertex)) return w->slots[slot] - 1;
  }
}

static int merge_vertices(welder *w) {
  int kept = 0;
  for (int v = 0; v < w->mesh->vertex_count; v++) {
    int first = find_first(w, v);
    w->merged[v] = first == v ? (uint32_t)kept++ : w->merged[first];
  }
  return kept;
}

/* New numbers are never above the old ones, so vertices can be moved in place; any vertex of a group will do. */
static void move_stream(const welder *w, const mesh_stream *stream) {
  unsigned char *bytes = stream_data(stream);
  for (int v = 0; v < w->mesh->vertex_count; v++)
    memmove(bytes + (size_t)w->merged[v] * stream->size, bytes + (size_t)v * stream->size, stream->size);
}

/* Each corner has the same weight: the first corner's is kept. */
static void move_weights(const welder *w, const unsigned char *is_first) {
  for (int b = 0; b < w->mesh->bone_count; b++) {
    raw_bone *bone = w->mesh->bones + b;
    int kept = 0;
    for (int i = 0; i < bone->weight_count; i++) {
      uint32_t vertex = bone->weights[i].vertex;
      if (is_first[vertex]) bone->weights[kept++] = (raw_weight){w->merged[vertex], bone->weights[i].weight};
    }
    bone->weight_count = kept;
  }
}

static void move_vertices(welder *w, int kept, unsigned char *is_first) {
  uint32_t next = 0;
  for (int v = 0; v < w->mesh->vertex_count; v++) {
    is_first[v] = w->merged[v] == next;
    next += is_first[v];
  }
  move_weights(w, is_first);
  for (int i = 0; i < w->stream_count; i++) move_stream(w, w->streams + i);
  for (int i = 0; i < w->mesh->index_count; i++) w->mesh->indices[i] = w->merged[w->mesh->indices[i]];
  w->mesh->vertex_count = kept;
}

/* Without a normal map, tangents are not used. If texture coordinates are all one point they are arbitrary, and would
 * keep the corners of all triangles apart. */
static bool do_tangents_count(const raw_model *raw, const raw_mesh *mesh) {
  return mesh->material >= 0 && mesh->material < raw->material_count &&
         raw->materials[mesh->material].textures[SINEW_TEXTURE_NORMAL].image >= 0;
}

bool weld_mesh(raw_model *raw, raw_mesh *mesh) {
  size_t count = (size_t)mesh->vertex_count, slots = 16;
  while (slots < count * 2) slots *= 2;
  welder w = {.mesh = mesh, .mask = (uint32_t)slots - 1, .tangents_count = do_tangents_count(raw, mesh)};
  w.hashes = mem_alloc_array(count, sizeof *w.hashes);
  w.weight_hashes = mem_alloc_array(count, sizeof *w.weight_hashes);
  w.slots = mem_alloc_array(slots, sizeof *w.slots);
  w.merged = mem_alloc_array(count, sizeof *w.merged);
  unsigned char *is_first = mem_alloc_array(count, 1);
  w.streams = list_streams(raw, mesh, &w.stream_count);
  bool ready = count == 0 || (w.streams && w.hashes && w.weight_hashes && w.slots && w.merged && is_first);
  if (ready && count) {
    hash_vertices(&w);
    int kept = merge_vertices(&w);
    if (kept < mesh->vertex_count) move_vertices(&w, kept, is_first);
  }
  mem_free(w.hashes);
  mem_free(w.weight_hashes);
  mem_free(w.slots);
  mem_free(w.merged);
  mem_free(is_first);
  return ready || error_memory(raw->error, raw->path, slots * sizeof *w.slots);
}
