#include "import/raw/weld.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

typedef struct mesh_stream {
  void *field;   /* the mesh's pointer to it, which is not NULL */
  size_t size;   /* bytes a vertex */
  bool tangents; /* may be computed tangents, which agree only approximately */
} mesh_stream;

/* ---- the per-vertex arrays of a mesh, listed once for all code that moves vertices ---- */

enum { OWN_STREAMS = 7 /* and room for one that is not there */ };

static void *stream_data(const mesh_stream *stream) {
  void *data;
  memcpy(&data, stream->field, sizeof data);
  return data;
}

static int add(mesh_stream *streams, int count, void *field, size_t size) {
  streams[count] = (mesh_stream){field, size, false};
  return count + (stream_data(streams + count) != NULL);
}

/* The streams of the mesh, including its morph targets, in raw memory. NULL when memory runs out. */
static mesh_stream *list_streams(raw_model *raw, raw_mesh *mesh, int *count) {
  mesh_stream *streams = raw_alloc(raw, OWN_STREAMS + 2 * (size_t)mesh->morph_count, sizeof *streams);
  int n = 0;
  if (!streams) return NULL;
  n = add(streams, n, &mesh->positions, 3 * sizeof(float));
  n = add(streams, n, &mesh->normals, 3 * sizeof(float));
  n = add(streams, n, &mesh->uvs, 2 * sizeof(float));
  n = add(streams, n, &mesh->uvs2, 2 * sizeof(float));
  n = add(streams, n, &mesh->colors, 4);
  for (int i = 0; i < mesh->morph_count; i++) {
    n = add(streams, n, &mesh->morphs[i].positions, 3 * sizeof(float));
    n = add(streams, n, &mesh->morphs[i].normals, 3 * sizeof(float));
  }
  int all = add(streams, n, &mesh->tangents, 4 * sizeof(float));
  if (all > n) streams[n].tangents = true;
  *count = all;
  return streams;
}

static bool append_stream(raw_model *raw, const mesh_stream *stream, const raw_mesh *mesh, const uint32_t *sources,
                          int count) {
  size_t before = (size_t)mesh->vertex_count;
  unsigned char *longer = raw_alloc(raw, before + (size_t)count, stream->size);
  if (!longer) return false;
  memcpy(longer, stream_data(stream), before * stream->size);
  for (size_t i = 0; i < (size_t)count; i++)
    memcpy(longer + (before + i) * stream->size, longer + sources[i] * stream->size, stream->size);
  memcpy(stream->field, &longer, sizeof longer);
  return true;
}

/* `copy_of`: for each vertex, its copy's number, or 0; a vertex has at most one copy. */
static bool append_weights(raw_model *raw, raw_bone *bone, const uint32_t *copy_of) {
  int extra = 0;
  for (int i = 0; i < bone->weight_count; i++) extra += copy_of[bone->weights[i].vertex] != 0;
  if (extra == 0) return true;
  raw_weight *weights = raw_alloc(raw, (size_t)(bone->weight_count + extra), sizeof *weights);
  if (!weights) return false;
  memcpy(weights, bone->weights, (size_t)bone->weight_count * sizeof *weights);
  int n = bone->weight_count;
  for (int i = 0; i < bone->weight_count; i++)
    if (copy_of[weights[i].vertex]) weights[n++] = (raw_weight){copy_of[weights[i].vertex], weights[i].weight};
  bone->weights = weights;
  bone->weight_count = n;
  return true;
}

/* Appends one copy of each of some vertices, with its weights. False when memory runs out. */
static bool append_vertices(raw_model *raw, raw_mesh *mesh, const uint32_t *sources, int count) {
  int stream_count;
  mesh_stream *streams = list_streams(raw, mesh, &stream_count);
  uint32_t *copy_of = raw_alloc(raw, (size_t)mesh->vertex_count, sizeof *copy_of);
  if (!streams || !copy_of) return false;
  for (int i = 0; i < count; i++) copy_of[sources[i]] = (uint32_t)(mesh->vertex_count + i);
  for (int i = 0; i < stream_count; i++)
    if (!append_stream(raw, streams + i, mesh, sources, count)) return false;
  for (int b = 0; b < mesh->bone_count; b++)
    if (!append_weights(raw, mesh->bones + b, copy_of)) return false;
  mesh->vertex_count += count;
  return true;
}

/* ---- weld ---- */

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

/* ---- computes the missing tangents of meshes with a normal map ---- */

static const sinew_texture *normal_map(const raw_model *raw, const raw_mesh *mesh) {
  bool has_material = mesh->material >= 0 && mesh->material < raw->material_count;
  return has_material ? raw->materials[mesh->material].textures + SINEW_TEXTURE_NORMAL : NULL;
}

static const float *map_uvs(const raw_mesh *mesh, const sinew_texture *map) {
  return map->uv_set == 1 ? mesh->uvs2 : mesh->uvs;
}

bool wants_tangents(const raw_model *raw, const raw_mesh *mesh) {
  const sinew_texture *map = normal_map(raw, mesh);
  return map && map->image >= 0 && mesh->normals && !mesh->tangents && map_uvs(mesh, map);
}

/* ---- vectors ---- */

static void subtract(const float *a, const float *b, float *out) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static float dot(const float *a, const float *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Projects a vector onto the plane of a unit normal, and normalises it; false if nothing is left. */
static bool flatten(float *v, const float *normal) {
  float along = dot(v, normal);
  for (int k = 0; k < 3; k++) v[k] -= along * normal[k];
  float length = sqrtf(dot(v, v));
  if (!(length > 1e-20f)) return false;
  for (int k = 0; k < 3; k++) v[k] /= length;
  return true;
}

/* ---- triangles ---- */

/* The position of a vertex in the normal map. */
static void look_up(const raw_mesh *mesh, const sinew_texture *map, uint32_t vertex, double *out) {
  static const float none[6];
  const float *uv = map_uvs(mesh, map) + 2 * (size_t)vertex, *t = map->transform;
  double u = (double)uv[0], v = (double)uv[1];
  bool moved = memcmp(t, none, sizeof none) != 0;
  out[0] = moved ? (double)t[0] * u + (double)t[1] * v + (double)t[2] : u;
  out[1] = moved ? (double)t[3] * u + (double)t[4] * v + (double)t[5] : v;
}

/* The direction in which u grows. Returns a negative number if the picture is mirrored, 0 if its coordinates have no
 * area. */
static int find_direction(const raw_mesh *mesh, const sinew_texture *map, const uint32_t *t, float *direction) {
  float a[3], b[3];
  double uv0[2], uv1[2], uv2[2];
  look_up(mesh, map, t[0], uv0);
  look_up(mesh, map, t[1], uv1);
  look_up(mesh, map, t[2], uv2);
  subtract(mesh->positions + 3 * (size_t)t[1], mesh->positions + 3 * (size_t)t[0], a);
  subtract(mesh->positions + 3 * (size_t)t[2], mesh->positions + 3 * (size_t)t[0], b);
  double u1 = uv1[0] - uv0[0], u2 = uv2[0] - uv0[0];
  double v1 = uv0[1] - uv1[1], v2 = uv0[1] - uv2[1]; /* up in the picture */
  double area = u1 * v2 - u2 * v1;
  if (area == 0 || !isfinite(area)) return 0;
  double sign = area < 0 ? -1 : 1;
  double full[3], length = 0;
  for (int k = 0; k < 3; k++) {
    full[k] = sign * ((double)a[k] * v2 - (double)b[k] * v1);
    length += full[k] * full[k];
  }
  if (!(length > 0) || !isfinite(length)) return 0;
  for (int k = 0; k < 3; k++) direction[k] = (float)(full[k] / sqrt(length));
  return area < 0 ? -1 : 1;
}

/* The angle at a corner, between its edges projected across the normal. */
static float corner_angle(const raw_mesh *mesh, uint32_t at, uint32_t next, uint32_t last, const float *normal) {
  float a[3], b[3];
  subtract(mesh->positions + 3 * (size_t)next, mesh->positions + 3 * (size_t)at, a);
  subtract(mesh->positions + 3 * (size_t)last, mesh->positions + 3 * (size_t)at, b);
  if (!flatten(a, normal) || !flatten(b, normal)) return 0;
  return float_acos(fminf(fmaxf(dot(a, b), -1), 1));
}

/* ---- vertices between mirrored and unmirrored triangles ---- */

enum { PLAIN = 1, MIRRORED = 2 };

/* Gives the corners of mirrored triangles separate vertices if unmirrored ones use them, too. */
static bool split_seams(raw_model *raw, raw_mesh *mesh, const int8_t *sides) {
  int before = mesh->vertex_count, count = 0;
  uint8_t *uses = raw_alloc(raw, (size_t)before, 1);
  uint32_t *copies = raw_alloc(raw, (size_t)before, sizeof *copies);
  uint32_t *sources = raw_alloc(raw, (size_t)before, sizeof *sources);
  if (!uses || !copies || !sources) return false;
  for (int i = 0; i < mesh->index_count; i++)
    uses[mesh->indices[i]] |= (uint8_t)(sides[i / 3] > 0 ? PLAIN : sides[i / 3] < 0 ? MIRRORED : 0);
  for (int v = 0; v < before; v++) {
    if (uses[v] != (PLAIN | MIRRORED)) continue;
    copies[v] = (uint32_t)(before + count);
    sources[count++] = (uint32_t)v;
  }
  if (count == 0) return true;
  for (int i = 0; i < mesh->index_count; i++)
    if (sides[i / 3] < 0 && copies[mesh->indices[i]]) mesh->indices[i] = copies[mesh->indices[i]];
  return append_vertices(raw, mesh, sources, count);
}

/* ---- all ---- */

static void add_corners(raw_mesh *mesh, const uint32_t *t, int side, const float *direction) {
  for (int k = 0; k < 3; k++) {
    const float *normal = mesh->normals + 3 * (size_t)t[k];
    float *sum = mesh->tangents + 4 * (size_t)t[k], flat[3];
    memcpy(flat, direction, sizeof flat);
    if (!flatten(flat, normal)) continue;
    float angle = corner_angle(mesh, t[k], t[(k + 1) % 3], t[(k + 2) % 3], normal);
    for (int c = 0; c < 3; c++) sum[c] += angle * flat[c];
    sum[3] = (float)side;
  }
}

/* Where no direction is known, any one across the normal will do. */
static void finish(raw_mesh *mesh) {
  for (size_t v = 0; v < (size_t)mesh->vertex_count; v++) {
    float *t = mesh->tangents + 4 * v;
    const float *n = mesh->normals + 3 * v;
    if (t[3] == 0) t[3] = 1;
    if (flatten(t, n)) continue;
    int least = fabsf(n[0]) <= fabsf(n[1]) && fabsf(n[0]) <= fabsf(n[2]) ? 0 : fabsf(n[1]) <= fabsf(n[2]) ? 1 : 2;
    for (int k = 0; k < 3; k++) t[k] = k == least ? 1.0f : 0.0f;
    flatten(t, n);
  }
}

bool make_tangents(raw_model *raw, raw_mesh *mesh) {
  int triangles = mesh->index_count / 3;
  const sinew_texture *map = normal_map(raw, mesh);
  int8_t *sides = raw_alloc(raw, (size_t)triangles, sizeof *sides);
  float *directions = raw_alloc(raw, (size_t)triangles * 3, sizeof *directions);
  if (!sides || !directions) return false;
  for (int i = 0; i < triangles; i++)
    sides[i] = (int8_t)find_direction(mesh, map, mesh->indices + 3 * (size_t)i, directions + 3 * (size_t)i);
  if (!split_seams(raw, mesh, sides)) return false;
  mesh->tangents = raw_alloc(raw, (size_t)mesh->vertex_count * 4, sizeof *mesh->tangents);
  for (int i = 0; mesh->tangents && i < triangles; i++)
    if (sides[i]) add_corners(mesh, mesh->indices + 3 * (size_t)i, sides[i], directions + 3 * (size_t)i);
  if (mesh->tangents) finish(mesh);
  return mesh->tangents != NULL;
}

/* ---- computes missing normals, and flips inverted ones ---- */

/* The unit normal of a triangle; up if it has no area. `more`, or NULL, is added to the positions. */
static void triangle_normal(const float *positions, const float *more, float normal[3]) {
  double corner[9], a[3], b[3];
  for (int i = 0; i < 9; i++) corner[i] = (double)positions[i] + (more ? (double)more[i] : 0);
  for (int k = 0; k < 3; k++) {
    a[k] = corner[3 + k] - corner[k];
    b[k] = corner[6 + k] - corner[k];
  }
  double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  bool has_area = length > 0 && isfinite(length);
  /* + 0 turns −0 into 0, so that corners of one plane can be joined */
  for (int k = 0; k < 3; k++) normal[k] = has_area ? (float)(n[k] / length) + 0.0f : k == 1 ? 1.0f : 0.0f;
}

static float *make(raw_model *raw, const raw_mesh *mesh, const float *more) {
  float *normals = raw_alloc(raw, (size_t)mesh->vertex_count * 3, sizeof *normals);
  for (size_t i = 0; normals && i + 2 < (size_t)mesh->vertex_count; i += 3) {
    float *to = normals + 3 * i;
    triangle_normal(mesh->positions + 3 * i, more ? more + 3 * i : NULL, to);
    memcpy(to + 3, to, 3 * sizeof *to);
    memcpy(to + 6, to, 3 * sizeof *to);
  }
  return normals;
}

bool flat_normals(raw_model *raw, raw_mesh *mesh) {
  mesh->normals = make(raw, mesh, NULL);
  return mesh->normals != NULL;
}

bool flat_morph_normals(raw_model *raw, const raw_mesh *mesh, raw_morph *morph) {
  morph->normals = make(raw, mesh, morph->positions);
  for (size_t i = 0; morph->normals && i < (size_t)mesh->vertex_count * 3; i++) morph->normals[i] -= mesh->normals[i];
  return morph->normals != NULL;
}

/* ---- inside out ---- */

/* A fraction of all triangles; the others are seams and slivers. */
static const double nearly_all = 0.95;

static void find_center(const raw_mesh *mesh, double center[3]) {
  const float *at = mesh->positions;
  for (int i = 0; i < mesh->vertex_count; i++, at += 3)
    for (int k = 0; k < 3; k++) center[k] += (double)at[k] / mesh->vertex_count;
}

/* Twice the triangle's area along its normal; `at` gets a corner, from the center. */
static void area_vector(const raw_mesh *mesh, const uint32_t *corners, const double *center, double *at, double *area) {
  const float *p = mesh->positions + 3 * (size_t)corners[0], *q = mesh->positions + 3 * (size_t)corners[1];
  const float *r = mesh->positions + 3 * (size_t)corners[2];
  double a[3], b[3];
  for (int k = 0; k < 3; k++) {
    at[k] = (double)p[k] - center[k];
    a[k] = (double)q[k] - (double)p[k];
    b[k] = (double)r[k] - (double)p[k];
  }
  for (int k = 0; k < 3; k++) area[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Whether triangles face outwards but nearly all normals point inwards. */
static bool are_inside_out(const raw_mesh *mesh) {
  double center[3] = {0}, volume = 0;
  int against = 0, with = 0;
  find_center(mesh, center);
  for (int i = 0; i + 2 < mesh->index_count; i += 3) {
    const uint32_t *corners = mesh->indices + i;
    const float *normal = mesh->normals + 3 * (size_t)corners[0];
    double at[3], area[3], along = 0;
    area_vector(mesh, corners, center, at, area);
    for (int k = 0; k < 3; k++) {
      volume += at[k] * area[k];
      along += (double)normal[k] * area[k];
    }
    against += along < 0;
    with += along > 0;
  }
  return volume > 0 && against > nearly_all * (against + with);
}

static void negate(float *values, int vertex_count) {
  for (size_t i = 0; values && i < 3 * (size_t)vertex_count; i++) values[i] = -values[i];
}

bool normals_point_out(raw_mesh *mesh) {
  if (!are_inside_out(mesh)) return false;
  negate(mesh->normals, mesh->vertex_count);
  for (int i = 0; i < mesh->morph_count; i++) negate(mesh->morphs[i].normals, mesh->vertex_count);
  /* the bitangent, normal × tangent · w, must not change */
  for (int i = 0; mesh->tangents && i < mesh->vertex_count; i++) mesh->tangents[4 * (size_t)i + 3] *= -1;
  return true;
}
