/* streams – the per-vertex arrays of a mesh, listed once for all code that moves vertices. */
#ifndef SINEW_IMPORT_STREAMS_H
#define SINEW_IMPORT_STREAMS_H

#include "import/raw/raw.h"

typedef struct mesh_stream {
  void *field;   /* the mesh's pointer to it, which is not NULL */
  size_t size;   /* bytes a vertex */
  bool tangents; /* may be computed tangents, which agree only approximately */
} mesh_stream;

void *stream_data(const mesh_stream *stream);

/* The streams of the mesh, including its morph targets, in raw memory. NULL when memory runs out. */
mesh_stream *list_streams(raw_model *raw, raw_mesh *mesh, int *count);

/* Appends one copy of each of some vertices, with its weights. False when memory runs out. */
bool append_vertices(raw_model *raw, raw_mesh *mesh, const uint32_t *sources, int count);

#endif
