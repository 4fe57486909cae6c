/* kernels – the inner loops of skinning, compiled once for each backend of math/lanes.h. */
#ifndef SINEW_SKIN_KERNELS_H
#define SINEW_SKIN_KERNELS_H

#include <sinew/pose.h>

/* Positions, normals and tangents, and how many floats a vertex has of them. */
enum { SKIN_PARTS = 3 };
static const int skin_part_size[SKIN_PARTS] = {3, 3, 4};

/* Vertices of a mesh, one after the other. They are taken by eights: what of the last eight is not there is read and
 * written all the same, but for joints and weights. */
typedef struct skin_vertices {
  int count, influences;
  const uint16_t *joints; /* count × influences */
  const float *weights;
  const sinew_mat3x4 *palette;       /* of the mesh's skin */
  const sinew_dual_quat *dual_quats; /* where `palette` is NULL */
  const float *in[SKIN_PARTS];
  float *out[SKIN_PARTS]; /* NULL: not wanted */
} skin_vertices;

/* Products of matrices from −1 to 1: a rotation is one to so much after some twenty products in floats, and what is not
 * lengthens a metre by half of it. */
#define SKIN_RIGID 1e-5f

/* The boxes of eight joints, by axis. */
typedef struct lanes_box {
  float low[3][SINEW_LANES], high[3][SINEW_LANES];
} lanes_box;

typedef struct skin_kernels {
  /* output[i] = joints[skin->joints[i]] × skin->inverse_binds[i]; a palette has `stride` matrices */
  void (*palette)(const sinew_skin_view *skin, const sinew_mat3x4 *joints, sinew_mat3x4 *output, int stride);
  /* The same of eight characters, whose joints lie as pose_kernels.evaluate_eight leaves them; outputs[i] is that of
   * character i, for all skins. */
  void (*palette_eight)(const sinew_skin_view *skin, const float *joints, sinew_mat3x4 *const outputs[], int stride);
  /* Eight matrices as if they were rigid; apart[i] says how far the 3×3 part of number i is from a rotation's, and
   * false that one is further than SKIN_RIGID. */
  bool (*dual_palette)(const sinew_mat3x4 *palette, sinew_dual_quat *output, float apart[SINEW_LANES]);
  /* Moves vertices by the blend of their joints. */
  void (*skin)(skin_vertices vertices);
  /* Widens the box by eight joints. */
  void (*bounds)(const sinew_joint_extent *extents, const sinew_mat3x4 *palette, lanes_box *box);
} skin_kernels;

/* The kernels of simd_current(). */
const skin_kernels *skin_kernels_current(void);

/* sinew_evaluate of eight characters of a model at once, to their palettes alone. The jobs have passed its check;
 * `scratch` has room for joint_count × SINEW_LANES matrices. */
void evaluate_eight(const sinew_evaluate_job *jobs, sinew_mat3x4 *scratch);

/* The same of one, with the same bits: sinew_evaluate may round otherwise. */
void evaluate_like_eight(const sinew_evaluate_job *job);

/* Every skin's. */
void palette_of_joints(const sinew_model *model, const sinew_mat3x4 *joints, sinew_mat3x4 *output);

#endif
