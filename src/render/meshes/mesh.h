/* mesh – one mesh on the GPU: interleaved vertices with integer joint indices, triangles, morph differences. */
#ifndef SINEW_RENDER_MESH_H
#define SINEW_RENDER_MESH_H

#include <sinew/model.h>

#include <glad/gl.h>

/* Attribute numbers, as in shaders/include/skinning.glsl. */
enum {
  ATTRIBUTE_POSITION,
  ATTRIBUTE_NORMAL,
  ATTRIBUTE_TANGENT,
  ATTRIBUTE_UV,
  ATTRIBUTE_COLOR,
  ATTRIBUTE_JOINTS,
  ATTRIBUTE_JOINTS_MORE, /* influences 5..8 */
  ATTRIBUTE_WEIGHTS,
  ATTRIBUTE_WEIGHTS_MORE,
  /* Of an instance. */
  ATTRIBUTE_TRANSFORM, /* and the next two: rows */
  ATTRIBUTE_TINT = ATTRIBUTE_TRANSFORM + 3,
  ATTRIBUTE_PLACES,
  ATTRIBUTE_UV2 /* the second set of texture coordinates */
};

/* The offset of each attribute in an interleaved vertex, in bytes. */
typedef struct vertex_layout {
  size_t normal, tangent, uv, uv2, color, joints, weights, stride; /* tangent, uv2: the next offset if there is none */
  int influences;                                                  /* that there is room for: 4 or 8 */
} vertex_layout;

typedef struct gpu_mesh {
  vertex_layout layout;
  GLuint vertex_array, vertices, indices;
  GLuint edges;         /* indices of lines: those of a triangle's three edges; empty until they are bound first */
  GLuint skinned_array; /* for vertices that are already skinned: their other attributes */
  GLuint morphs;        /* a texture, or 0 */
  int vertex_count, index_count;
  int cost;        /* the number of vertices, or of triangles if those are more */
  int influences;  /* 1, 4 or 8: the most of any vertex */
  uint32_t serial; /* different for each mesh that shares no buffers */
  int morph_count;
  int morph_width;   /* texels in a row of the morph texture */
  float morph_reach; /* see bounds_morph_reach */
  int skin, material;
  bool has_tangents;
  bool is_shared; /* its buffers belong to another mesh, which frees them */
} gpu_mesh;

bool mesh_create(gpu_mesh *made, const sinew_mesh_view *view, sinew_error *error);
/* For a view equal to that of `first`, which must live as long. */
void mesh_share(gpu_mesh *made, const sinew_mesh_view *view, const gpu_mesh *first);
void mesh_destroy(gpu_mesh *mesh);

/* Binds the indices of edges to the bound vertex array. */
void mesh_bind_edges(const gpu_mesh *mesh);

#endif
