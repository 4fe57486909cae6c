/* sinew/build.h – models that a program makes: joints, meshes with weights and clips as plain arrays.
 *
 * A built model passes the same checks as an imported one, and is a model like any other (model.h): immutable and
 * reference counted. Space is the model's: metres, y up, a character faces +z. */
#ifndef SINEW_BUILD_H
#define SINEW_BUILD_H

#include <sinew/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_joint_def {
  const char *name;     /* not empty, unique */
  int parent;           /* its index, less than the joint's own; −1: none */
  sinew_transform rest; /* relative to the parent: the pose in which meshes are bound. A scale must not be 0 */
} sinew_joint_def;

/* The weight with which a vertex follows a joint. */
typedef struct sinew_vertex_weight {
  int vertex, joint; /* indices */
  float weight;      /* 0 or more; those of a vertex are divided by their sum */
} sinew_vertex_weight;

/* A shape that a weight moves vertices towards (sinew_actor_set_morph). */
typedef struct sinew_morph_def {
  const char *name;       /* not empty, unique in the mesh. Targets of one name in several meshes share a weight */
  const float *positions; /* vertex_count × 3, differences */
  const float *normals;   /* vertex_count × 3, differences; NULL: as the mesh's are made, and else none */
  float rest_weight;      /* used while nothing else sets a weight */
} sinew_morph_def;

typedef struct sinew_mesh_def {
  const char *name; /* NULL: "mesh" */
  int joint;        /* the joint that vertices without weights follow; −1: they do not move */
  int material;     /* index, or −1: plain light grey */
  int vertex_count, index_count;
  const float *positions;             /* vertex_count × 3, positions while all joints are at rest */
  const float *normals;               /* vertex_count × 3; NULL: those of the triangles around, by their angles */
  const float *uvs;                   /* vertex_count × 2, v down; or NULL */
  const float *colors;                /* vertex_count × 4, linear RGBA, 0..1; or NULL */
  const uint32_t *indices;            /* index_count: triangles, counter-clockwise is the front */
  const sinew_vertex_weight *weights; /* weight_count, in any order; of each vertex the eight strongest are kept */
  int weight_count;
  const sinew_morph_def *morphs;
  int morph_count;
} sinew_mesh_def;

typedef enum sinew_curve_kind { SINEW_CURVE_TRANSLATION, SINEW_CURVE_ROTATION, SINEW_CURVE_SCALE } sinew_curve_kind;

/* Between keys. Cubic: Hermite splines, as in glTF 2.0 (appendix C.5). */
typedef enum sinew_interpolation {
  SINEW_INTERPOLATION_LINEAR, /* of rotations: along the shorter arc */
  SINEW_INTERPOLATION_STEP,   /* the value stays until the next key */
  SINEW_INTERPOLATION_CUBIC
} sinew_interpolation;

/* The curve of one property of one joint, relative to its parent. A clip has at most one curve for each property
 * of a joint; without a curve the property stays at rest. */
typedef struct sinew_curve_def {
  int joint;
  sinew_curve_kind kind;
  sinew_interpolation interpolation;
  int key_count;       /* 1 or more */
  const double *times; /* key_count, in seconds, 0 or more, each later than the one before */
  /* A key has 4 numbers for a rotation (x, y, z, w; of any length but 0), else 3; a cubic one has in-tangent, value and
   * out-tangent one after the other, tangents per second. */
  const float *values;
} sinew_curve_def;

typedef struct sinew_clip_def {
  const char *name;              /* not empty, unique */
  const sinew_curve_def *curves; /* one at least. The clip lasts from the first key of all to the last */
  int curve_count;
} sinew_clip_def;

typedef struct sinew_model_def {
  const char *name; /* the model's name: sinew_model_path returns it, and error messages begin with it; NULL: "model" */
  const sinew_joint_def *joints;
  const sinew_mesh_def *meshes;
  const sinew_clip_def *clips;
  const sinew_material *materials; /* without images */
  int joint_count, mesh_count, clip_count, material_count;
  int first; /* the index of a list's first item in error messages: 0 as in C, or 1 */
  /* The storage of clips, as in sinew_load_options: in floats; tolerance in metres, 0 for the default. */
  bool exact;
  double tolerance;
} sinew_model_def;

/* Everything is zero or NULL except as stated here; the caller sets pointers and counts. */
SINEW_API sinew_joint_def sinew_joint_def_default(void); /* without a parent, at the model's origin */
SINEW_API sinew_morph_def sinew_morph_def_default(void);
SINEW_API sinew_mesh_def sinew_mesh_def_default(void);   /* no joint and no material (−1) */
SINEW_API sinew_curve_def sinew_curve_def_default(void); /* linear translation of joint 0 */
SINEW_API sinew_clip_def sinew_clip_def_default(void);
SINEW_API sinew_model_def sinew_model_def_default(void);

/* Copies what it needs. Nothing is repaired: returns NULL and an error message that names the element
 * ("meshes[0].indices[7]: …") where a number is not finite or too large, an index is out of its range, a name is
 * missing or comes twice, times do not ascend, or memory runs out. */
SINEW_API sinew_model *sinew_model_build(const sinew_model_def *def, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
