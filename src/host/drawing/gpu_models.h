/* gpu_models – uploads a model to the GPU when the first actor shows it, and removes it after the last one. */
#ifndef SINEW_HOST_GPU_MODELS_H
#define SINEW_HOST_GPU_MODELS_H

#include <sinew/actor.h>
#include <sinew/pose.h>
#include <sinew/render.h>

typedef struct gpu_entry {
  sinew_model *model;    /* holds a reference, so that no other model gets its address */
  bool is_tried;         /* it was given to the GPU … */
  sinew_gpu_model *made; /* … NULL if the upload failed */
  /* For the bounds of its characters, one for each entry of a palette; NULL if there was no memory. */
  sinew_joint_extent *extents;
  int64_t used_in;          /* frame */
  sinew_pictures *pictures; /* those that are still packed; or NULL */
  uint64_t texels;          /* of all its packed pictures */
} gpu_entry;

typedef struct gpu_models {
  gpu_entry *entries;
  int count, capacity;
  uint64_t most_texels; /* of all packed pictures together */
  bool waits;           /* for packed pictures; a window shows models without them until they arrive */
  bool stays_off;       /* nothing is drawn now, so models are not uploaded */
} gpu_models;

/* The model on the GPU, uploaded if needed; valid until the next use. NULL if that failed, with an error message only
 * the first time. */
const gpu_entry *gpu_models_use(gpu_models *g, sinew_renderer *renderer, sinew_model *model, int64_t frame,
                                sinew_error *error);
/* Drops models that were not used in this frame. */
void gpu_models_sweep(gpu_models *g, sinew_renderer *renderer, int64_t frame);
/* For the view of weights: the joint of that name in every model, or a weight for each joint of one model. */
void gpu_models_show_joint(gpu_models *g, const char *joint);
void gpu_models_show_mask(gpu_models *g, const sinew_model *model, const float *joint_weights);
void gpu_models_release(gpu_models *g, sinew_renderer *renderer);

/* ---- the vertices of a frame's actors, skinned on the CPU ---- */

typedef struct skinned {
  sinew_skinned_mesh *meshes;
  float *numbers;
  int mesh_count, mesh_capacity, number_count, number_capacity;
} skinned;

/* Makes room for every actor of the stage, at addresses that stay until the next call. False when memory runs out. */
bool skinned_reserve(skinned *s, const sinew_stage *stage);
/* One for each mesh of the model, or NULL without memory. `dual_quats` NULL: linear blend. */
const sinew_skinned_mesh *skinned_add(skinned *s, const sinew_model *model, const sinew_mat3x4 *palette,
                                      const sinew_dual_quat *dual_quats, const float *const *morph_weights);
void skinned_release(skinned *s);

#endif
