/* bounds – the box of an animated model, from a ball for each joint around the vertices that follow it: a skinned
 * vertex lies between its joints' copies of it, so the box around the moved balls holds every vertex. */
#ifndef SINEW_RENDER_BOUNDS_H
#define SINEW_RENDER_BOUNDS_H

#include <sinew/model.h>

typedef struct joint_ball {
  sinew_vec3 center;
  float radius; /* < 0: no vertex follows */
} joint_ball;

/* One ball for each entry of the model's palette, without its morph targets. */
void bounds_measure(const sinew_model *model, joint_ball *balls);
/* The longest displacement of any vertex by any target at a weight of 1. */
float bounds_morph_reach(const sinew_mesh_view *mesh);

typedef struct bounds_box {
  sinew_vec3 minimum, maximum; /* a minimum above its maximum: empty */
} bounds_box;

bounds_box bounds_empty(void);
bool bounds_is_empty(const bounds_box *box);
void bounds_add(bounds_box *box, sinew_vec3 center, float radius);
void bounds_join(bounds_box *box, const bounds_box *other);
float bounds_diagonal(const bounds_box *box); /* its length; 0 for an empty one */
/* The distance from a point to the box; 0 inside it, and for an empty one. */
float bounds_distance(const bounds_box *box, sinew_vec3 from);
/* Adds a transformed box between two corners, unless it is not finite. */
void bounds_add_box(bounds_box *box, const sinew_vec3 corners[2], const sinew_mat3x4 *transform);
/* Adds the box of one model in a pose, in the world; `morphs` is the largest displacement by its targets. Balls that
 * are not finite are left out. */
void bounds_add_pose(bounds_box *box, const joint_ball *balls, float morphs, const sinew_mat3x4 *palette, int count,
                     const sinew_mat3x4 *transform);

#endif
