/* skinned – the vertices of a frame's actors, skinned on the CPU. */
#ifndef SINEW_HOST_SKINNED_H
#define SINEW_HOST_SKINNED_H

#include <sinew/actor.h>
#include <sinew/pose.h>
#include <sinew/render.h>

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
