/* kernels – the inner loops of skinning, compiled once for each backend of math/lanes.h. */
#ifndef SINEW_SKIN_KERNELS_H
#define SINEW_SKIN_KERNELS_H

#include <sinew/pose.h>

/* Positions, normals and tangents, with the number of floats that a vertex has of each. */
enum { SKIN_PARTS = 3 };
static const int skin_part_size[SKIN_PARTS] = {3, 3, 4};

/* Consecutive vertices of a mesh. They are processed by eights: missing ones at the end are read and written all the
 * same, except for joints and weights. */
typedef struct skin_vertices {
  int count, influences;
  const uint16_t *joints; /* count × influences */
  const float *weights;
  const sinew_mat3x4 *palette;       /* of the mesh's skin */
  const sinew_dual_quat *dual_quats; /* where `palette` is NULL */
  const float *in[SKIN_PARTS];
  float *out[SKIN_PARTS]; /* NULL: not wanted */
} skin_vertices;

/* The tolerance for a product of matrices with elements from −1 to 1: after some twenty products in floats, a rotation
 * is off by this much, which lengthens a metre by half of it. */
#define SKIN_RIGID 1e-5f

/* The boxes of eight joints, by axis. */
typedef struct lanes_box {
  float low[3][SINEW_LANES], high[3][SINEW_LANES];
} lanes_box;

typedef struct skin_kernels {
  /* output[i] = joints[skin->joints[i]] × skin->inverse_binds[i]; a palette has `stride` matrices */
  void (*palette)(const sinew_skin_view *skin, const sinew_mat3x4 *joints, sinew_mat3x4 *output, int stride);
  /* The same for eight characters, whose joints are laid out by pose_kernels.evaluate_eight; outputs[i] is that of
   * character i, for all skins. */
  void (*palette_eight)(const sinew_skin_view *skin, const float *joints, sinew_mat3x4 *const outputs[], int stride);
  /* Converts eight matrices as if they were rigid; apart[i] is the deviation of number i's 3×3 part from a rotation.
   * False if one is larger than SKIN_RIGID. */
  bool (*dual_palette)(const sinew_mat3x4 *palette, sinew_dual_quat *output, float apart[SINEW_LANES]);
  /* Moves vertices by the blend of their joints. */
  void (*skin)(skin_vertices vertices);
  /* Widens the box by eight joints. */
  void (*bounds)(const sinew_joint_extent *extents, const sinew_mat3x4 *palette, lanes_box *box);
} skin_kernels;

/* The kernels of simd_current(). */
const skin_kernels *skin_kernels_current(void);

/* sinew_evaluate for eight characters of a model at once, writing only their palettes. The jobs have passed its check;
 * `scratch` has room for joint_count × SINEW_LANES matrices. */
void evaluate_eight(const sinew_evaluate_job *jobs, sinew_mat3x4 *scratch);

/* The same for one character, with the same bits, unlike sinew_evaluate, which may round differently. */
void evaluate_like_eight(const sinew_evaluate_job *job);

/* Every skin's. */
void palette_of_joints(const sinew_model *model, const sinew_mat3x4 *joints, sinew_mat3x4 *output);

#endif
