#include "import/raw/weld.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

typedef struct welder {
  raw_mesh *mesh;
  uint64_t *hashes;        /* a vertex's attributes, weights included */
  uint64_t *weight_hashes; /* of its weights alone: they are compared by hash, in no order */
  int32_t *slots;          /* open addressing: vertex + 1 */
  uint32_t mask;
  uint32_t *merged; /* old vertex → new vertex */
  bool tangents_count;
} welder;

/* FNV-1a over 32-bit words, with a last mix (MurmurHash3's) so that all bits reach the low ones. */
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

enum { MAX_STREAMS = 4 };

typedef struct stream {
  void *data;
  size_t size; /* bytes a vertex */
} stream;

/* Tangents are computed, not read: corners that agree in all else differ in their last bits. */
static int list_streams(const raw_mesh *mesh, stream *streams) {
  int count = 0;
  streams[count++] = (stream){mesh->positions, 12};
  streams[count++] = (stream){mesh->normals, 12};
  if (mesh->uvs) streams[count++] = (stream){mesh->uvs, 8};
  if (mesh->colors) streams[count++] = (stream){mesh->colors, 4};
  return count;
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

static void hash_stream(welder *w, const void *data, size_t size) {
  for (int v = 0; data && v < w->mesh->vertex_count; v++)
    w->hashes[v] = hash_words(w->hashes[v], (const unsigned char *)data + (size_t)v * size, size);
}

static void hash_vertices(welder *w) {
  stream streams[MAX_STREAMS];
  int count = list_streams(w->mesh, streams);
  hash_weights(w);
  memcpy(w->hashes, w->weight_hashes, (size_t)w->mesh->vertex_count * sizeof *w->hashes);
  for (int i = 0; i < count; i++) hash_stream(w, streams[i].data, streams[i].size);
  for (int m = 0; m < w->mesh->morph_count; m++) {
    hash_stream(w, w->mesh->morphs[m].positions, 12);
    hash_stream(w, w->mesh->morphs[m].normals, 12);
  }
}

static bool same_bytes(const void *data, size_t size, int a, int b) {
  const unsigned char *bytes = data;
  return !data || memcmp(bytes + (size_t)a * size, bytes + (size_t)b * size, size) == 0;
}

static bool same_tangents(const float *tangents, int a, int b) {
  if (!tangents) return true;
  const float *p = tangents + (size_t)a * 4, *q = tangents + (size_t)b * 4;
  return p[3] == q[3] && p[0] * q[0] + p[1] * q[1] + p[2] * q[2] > 0.99f;
}

static bool is_same_vertex(const welder *w, int a, int b) {
  if (w->hashes[a] != w->hashes[b] || w->weight_hashes[a] != w->weight_hashes[b]) return false;
  stream streams[MAX_STREAMS];
  int count = list_streams(w->mesh, streams);
  for (int i = 0; i < count; i++)
    if (!same_bytes(streams[i].data, streams[i].size, a, b)) return false;
  if (w->tangents_count && !same_tangents(w->mesh->tangents, a, b)) return false;
  for (int m = 0; m < w->mesh->morph_count; m++)
    if (!same_bytes(w->mesh->morphs[m].positions, 12, a, b) || !same_bytes(w->mesh->morphs[m].normals, 12, a, b))
      return false;
  return true;
}

/* The first vertex that is the same; the vertex itself where it is new. */
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

/* New numbers are never above the old ones, so a vertex can be moved in place; the later ones of a group are as good.
 */
static void move_stream(const welder *w, void *data, size_t size) {
  unsigned char *bytes = data;
  for (int v = 0; data && v < w->mesh->vertex_count; v++)
    memmove(bytes + (size_t)w->merged[v] * size, bytes + (size_t)v * size, size);
}

/* A weight comes once for each corner: the first corner's is kept. */
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
  stream streams[MAX_STREAMS];
  int count = list_streams(w->mesh, streams);
  uint32_t next = 0;
  for (int v = 0; v < w->mesh->vertex_count; v++) {
    is_first[v] = w->merged[v] == next;
    next += is_first[v];
  }
  move_weights(w, is_first);
  for (int i = 0; i < count; i++) move_stream(w, streams[i].data, streams[i].size);
  move_stream(w, w->mesh->tangents, 16);
  for (int m = 0; m < w->mesh->morph_count; m++) {
    move_stream(w, w->mesh->morphs[m].positions, 12);
    move_stream(w, w->mesh->morphs[m].normals, 12);
  }
  for (int i = 0; i < w->mesh->index_count; i++) w->mesh->indices[i] = w->merged[w->mesh->indices[i]];
  w->mesh->vertex_count = kept;
}

/* Without a normal map nobody reads them, and where texture coordinates are all one point they are arbitrary: three
 * corners of every triangle would stay apart. */
static bool do_tangents_count(const raw_model *raw, const raw_mesh *mesh) {
  return mesh->material >= 0 && mesh->material < raw->material_count &&
         raw->materials[mesh->material].normal_image >= 0;
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
  bool ready = count == 0 || (w.hashes && w.weight_hashes && w.slots && w.merged && is_first);
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
