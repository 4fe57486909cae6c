/* gpu_model – a model's meshes, materials and pictures on the GPU. */
#ifndef SINEW_RENDER_GPU_MODEL_H
#define SINEW_RENDER_GPU_MODEL_H

#include "render/gl/texel_pages.h"
#include "render/meshes/bounds.h"

#include <glad/gl.h>
#include <sinew/model.h>
#include <sinew/render.h>

/* ---- one mesh on the GPU ---- */

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

/* Binds the indices of edges to the bound vertex array. */
void mesh_bind_edges(const gpu_mesh *mesh);

typedef struct gpu_material {
  sinew_material values;                /* `name` is not kept */
  GLuint textures[SINEW_TEXTURE_ROLES]; /* 0: none */
  float uv[SINEW_TEXTURE_ROLES][2][4];  /* u_uv in shaders/include/material_uv.glsl */
  bool has_clearcoat, has_sheen;
} gpu_material;

typedef struct gpu_skin {
  int first, count; /* entries of the palette */
} gpu_skin;

struct sinew_gpu_model {
  gpu_mesh *meshes;
  int mesh_count;          /* so far */
  int left;                /* meshes and materials to send */
  int64_t cost;            /* of these */
  gpu_material *materials; /* one more than in the model: the last is for meshes without one */
  int material_count;
  gpu_skin *skins;
  int skin_count;
  int32_t *skin_joints; /* for each entry of the palette */
  joint_ball *balls;
  int palette_count;
  texel_pages shown_weights; /* for each entry of the palette, in a debug view; no page: none */
  /* The model's images without their texels. */
  sinew_image_view *images;
  /* Twice the number of the model's images: image i as colours, then as numbers; 0 if not used that way, or not created
   * yet. */
  GLuint *textures;
  int texture_count;
};

const gpu_material *gpu_model_material(const sinew_gpu_model *model, const gpu_mesh *mesh);

/* Differences of morph targets on the GPU, and the list of active ones.  A two-dimensional float texture, because a
 * texture buffer is guaranteed to hold only 65,536 texels: target t, vertex v is texel 2(t · vertices + v) for the
 * position and the next one for the normal, row by row. */

/* The number of weights that are not 0. */
int morph_active_count(const float *weights, int count);
/* One texel for each active target: its weight and its number. */
void morph_write_list(const float *weights, int count, float *texels);

#endif
