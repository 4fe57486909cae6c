/* gpu_model – a model's meshes, materials and pictures on the GPU. */
#ifndef SINEW_RENDER_GPU_MODEL_H
#define SINEW_RENDER_GPU_MODEL_H

#include "render/gl/texel_pages.h"
#include "render/meshes/bounds.h"
#include "render/meshes/mesh.h"

#include <sinew/render.h>

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

#endif
