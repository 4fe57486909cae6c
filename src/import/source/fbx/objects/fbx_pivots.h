/* fbx_pivots – the transform of a node with its FBX pivots, by FBX's definition, in double precision:
 *   T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹
 * (Autodesk, "Computing transformation matrices"). Scale comes last, so that the result is one T·R·S. */
#ifndef SINEW_IMPORT_FBX_PIVOTS_H
#define SINEW_IMPORT_FBX_PIVOTS_H

#include "import/source/fbx/objects/fbx_scene.h"

/* The constant parts of a node's transform. */
typedef struct fbx_pivots {
  double before[3];               /* Roff + Rp: added to the translation */
  double pivot[3];                /* −Rp + Soff + Sp: rotated with the node */
  double scale_pivot[3];          /* Sp */
  double pre[4], post[4];         /* rotations; `post` inverted */
  int order;                      /* of the three angles: 0 XYZ … 5 ZYX */
  bool turns_before, turns_after; /* there is a pre-rotation; there is a post-rotation */
  bool moves;                     /* rotation or scale also move the node */
} fbx_pivots;

typedef enum fbx_channel { FBX_TRANSLATION, FBX_ROTATION, FBX_SCALE, FBX_CHANNEL_COUNT } fbx_channel;

/* "Lcl Translation" … as vectors; angles in degrees. */
typedef struct fbx_local {
  double value[FBX_CHANNEL_COUNT][3];
} fbx_local;

typedef struct fbx_transform {
  double translation[3], rotation[4], scale[3];
} fbx_transform;

fbx_pivots fbx_pivots_of(const fbx_object *model);
fbx_local fbx_rest_of(const fbx_scene *scene, const fbx_object *model);
/* Rpre · R · Rpost⁻¹ */
void fbx_rotation_of(const fbx_pivots *pivots, const double degrees[3], double q[4]);
fbx_transform fbx_transform_of(const fbx_pivots *pivots, const fbx_local *local);

/* Three angles in degrees: `order` 0 rotates about x first, then y, then z. */
void fbx_from_euler(const double degrees[3], int order, double q[4]);
/* Angles in order XYZ. */
void fbx_to_euler(const double q[4], double degrees[3]);
void fbx_quat_multiply(const double a[4], const double b[4], double out[4]);
void fbx_quat_rotate(const double q[4], const double v[3], double out[3]);
/* Along the shorter arc. */
void fbx_quat_slerp(const double a[4], const double b[4], double t, double out[4]);

/* GeometricTranslation · GeometricRotation · GeometricScaling; false for the identity. */
bool fbx_geometric(const fbx_object *model, double m[12]);

/* Rows of affine matrices. */
void fbx_matrix_of(const double translation[3], const double q[4], const double scale[3], double m[12]);
void fbx_matrix_multiply(const double a[12], const double b[12], double out[12]);
/* For a singular matrix, returns false and the identity. */
bool fbx_matrix_inverse(const double m[12], double out[12]);
sinew_mat3x4 fbx_to_mat3x4(const double m[12]);

#endif
