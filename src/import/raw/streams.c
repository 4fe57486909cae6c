#include "import/raw/streams.h"

#include <string.h>

enum { OWN_STREAMS = 7 /* and room for one that is not there */ };

void *stream_data(const mesh_stream *stream) {
  void *data;
  memcpy(&data, stream->field, sizeof data);
  return data;
}

static int add(mesh_stream *streams, int count, void *field, size_t size) {
  streams[count] = (mesh_stream){field, size, false};
  return count + (stream_data(streams + count) != NULL);
}

mesh_stream *list_streams(raw_model *raw, raw_mesh *mesh, int *count) {
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

bool append_vertices(raw_model *raw, raw_mesh *mesh, const uint32_t *sources, int count) {
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
