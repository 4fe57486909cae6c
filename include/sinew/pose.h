/* sinew/pose.h – poses and the jobs that make them: sample ▸ blend ▸ local to model ▸ palette ▸ CPU skinning.
 *
 * A job is a struct of named inputs and outputs. `sinew_X_check(job)` gives NULL, or one sentence why the job cannot
 * run; `sinew_X(job)` runs it, or returns false and writes nothing where the check fails. Jobs allocate nothing, keep
 * no state and may run on any thread. Inputs are const. Outputs are memory owned by the caller and must not overlap
 * inputs unless a job allows it. Jobs round to nearest and do not flush denormal numbers; they restore the
 * floating-point environment that the application has set.
 *
 * Joint weights are 0 .. 1, padded to whole groups. Values outside are clamped, NaN counts as 0, and NULL means 1
 * everywhere. */
#ifndef SINEW_POSE_H
#define SINEW_POSE_H

#include <sinew/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Joints side by side in one group, on every machine. */
enum { SINEW_LANES = 8 };

/* Eight joints in local space, a lane each: rotation[component][lane]. Lanes past the last joint hold identities. */
typedef struct sinew_pose_group {
  float rotation[4][SINEW_LANES];
  float translation[3][SINEW_LANES];
  float scale[3][SINEW_LANES];
} sinew_pose_group;

/* A view of a pose: caller's memory for sinew_pose_group_count(joint_count) groups. */
typedef struct sinew_pose {
  sinew_pose_group *groups;
  int joint_count;
} sinew_pose;

/* (joint_count + 7) / 8; 0 for a negative count. */
SINEW_API int sinew_pose_group_count(int joint_count);
/* One joint of the pose; `joint` in 0 .. joint_count − 1. */
SINEW_API sinew_transform sinew_pose_joint(const sinew_pose *pose, int joint);
SINEW_API void sinew_pose_set_joint(const sinew_pose *pose, int joint, const sinew_transform *transform);
/* Writes the model's rest pose; `output` has the model's joint count. */
SINEW_API void sinew_model_rest_pose(const sinew_model *model, sinew_pose output);

/* ---- sample ----------------------------------------------------------------------------------------------- */

/* Samples a clip at a time. Stateless: sampling takes equally long at any time. Joints that the clip does not animate
 * get the model's rest transform. Times outside 0 .. duration hold the ends; a non-finite time is refused. */
typedef struct sinew_sample_job {
  const sinew_model *model;
  const sinew_clip *clip; /* of this model */
  double time;            /* seconds from the clip's beginning */
  sinew_pose output;      /* the model's joint count */
} sinew_sample_job;

SINEW_API const char *sinew_sample_check(const sinew_sample_job *job);
SINEW_API bool sinew_sample(const sinew_sample_job *job);

/* Samples a single joint, with the result of sinew_sample to 1e-6, in the time that one joint takes. */
typedef struct sinew_sample_joint_job {
  const sinew_model *model;
  const sinew_clip *clip; /* of this model */
  double time;            /* seconds from the clip's beginning */
  int joint;
  sinew_transform *output; /* relative to the parent */
} sinew_sample_joint_job;

SINEW_API const char *sinew_sample_joint_check(const sinew_sample_joint_job *job);
SINEW_API bool sinew_sample_joint(const sinew_sample_joint_job *job);

/* The morph weights of a clip at a time: `weights` gets one value for each target of mesh `mesh`; those without a
 * track get the target's rest weight. False if an argument is out of range. */
SINEW_API bool sinew_sample_morphs(const sinew_model *model, const sinew_clip *clip, double time, int mesh,
                                   float *weights);

/* ---- blend ------------------------------------------------------------------------------------------------ */

typedef struct sinew_blend_source {
  const sinew_pose_group *pose;
  float weight;               /* >= 0, finite; any scale: above the threshold only the ratios count */
  const float *joint_weights; /* how much this source animates each joint; or NULL */
} sinew_blend_source;

/* Blends any number of poses in local space. Weights are normalised per joint over the sources that animate it. If
 * their sum W is below `threshold`, the rest pose is added with weight threshold − W before normalising, so that
 * nothing snaps as the last source fades out. Each rotation b is sign-aligned to a, that of the heaviest source of its
 * joint (ties: the lowest index), summed and normalised once, so the result does not depend on the order of the sources
 * (to 1e-6). Aligned means a·b + 2 (a·r)(b·r) >= 0, where r is the rest pose's rotation: two rotations on either side
 * of the rest pose blend across it, even if that is the longer way, by up to 240 degrees. So clips that pass half a
 * turn from each other do not change sides. */
typedef struct sinew_blend_job {
  const sinew_blend_source *sources;
  int source_count; /* 0 gives the rest pose */
  sinew_pose rest;
  /* > 0; at least 1e-15 of the sum of all weights is used. If it is that sum, joints rest in sources that do not
   * animate them. If it is less, such sources do not count as long as the others weigh more than this. */
  float threshold;
  sinew_pose output;
} sinew_blend_job;

SINEW_API const char *sinew_blend_check(const sinew_blend_job *job);
SINEW_API bool sinew_blend(const sinew_blend_job *job);

/* Lays one pose over another: interpolates each joint from `below` to `above` by weight × joint weight, clamped to
 * 0..1. `output` may be `below`. */
typedef struct sinew_layer_job {
  sinew_pose below;
  sinew_pose above;
  float weight;
  const float *joint_weights; /* or NULL */
  sinew_pose output;
  const sinew_model *model; /* rotations are sign-aligned as in sinew_blend; NULL: they go the shorter way */
} sinew_layer_job;

SINEW_API const char *sinew_layer_check(const sinew_layer_job *job);
SINEW_API bool sinew_layer(const sinew_layer_job *job);

/* ---- additive poses --------------------------------------------------------------------------------------- */

/* The difference between a pose and a reference, itself a pose: translation pose − reference, rotation reference⁻¹ ·
 * pose, scale pose / reference (1 where the reference is 0). Applied to the reference with weight 1 it gives the pose
 * again. `output` may be `pose` or `reference`. */
typedef struct sinew_additive_make_job {
  sinew_pose pose;
  sinew_pose reference;
  sinew_pose output;
} sinew_additive_make_job;

SINEW_API const char *sinew_additive_make_check(const sinew_additive_make_job *job);
SINEW_API bool sinew_additive_make(const sinew_additive_make_job *job);

/* Adds such a difference to `below`, per joint, in the joint's own space: translation is added, rotation is below ·
 * differenceʷ, scale is multiplied by ratioʷ: powers, so that weights 0.3 and 0.7 make a whole, 2 is twice as far and
 * −1 takes away what 1 adds. The shorter of the two rotations counts. A ratio that is 0 or negative has no
 * powers; 1 + weight · (ratio − 1) stands in for it. The weight may be any finite number and is clamped to ±1e6.
 * `output` may be `below`. */
typedef struct sinew_additive_apply_job {
  sinew_pose below;
  sinew_pose additive;
  float weight;
  const float *joint_weights; /* or NULL */
  sinew_pose output;
} sinew_additive_apply_job;

SINEW_API const char *sinew_additive_apply_check(const sinew_additive_apply_job *job);
SINEW_API bool sinew_additive_apply(const sinew_additive_apply_job *job);

/* Both in one: the difference between `pose` and `reference` on top of `below`. `output` may be `below`. */
typedef struct sinew_additive_job {
  sinew_pose below;
  sinew_pose pose;
  sinew_pose reference;
  float weight;
  const float *joint_weights; /* or NULL */
  sinew_pose output;
} sinew_additive_job;

SINEW_API const char *sinew_additive_check(const sinew_additive_job *job);
SINEW_API bool sinew_additive(const sinew_additive_job *job);

/* ---- inertialize ------------------------------------------------------------------------------------------ */

/* A transition for which only one source is evaluated. When the source changes, the offset of the old pose from the new
 * one is stored with its velocity. From then on the offset is added to the new source, and decays to zero (after Bollo,
 * "Inertialization: High-Performance Animation Transitions in Gears of War", GDC 2018). Neither position nor velocity
 * jumps, at the beginning or at the end.
 *
 * An offset is three vectors for each joint: rotation (the offset is to the left: shown = offset · source), as axis ·
 * tan(angle / 4), which needs no trigonometry and is smooth up to a full turn; translation, and scale, as differences.
 * With offset x, velocity v, duration d, X(s) = (1 − s)³ (1 + 3s + 6s²), 0 from s = 1 on, and a time to stop e <= d, a
 * vector is at time t
 *
 *   (x + v e / 5) X(t / d) − (v e / 5) (1 − t / e)⁵, the last term 0 from t = e on
 *
 * So the velocity stops within e. Until then it carries the offset by at most v e / 5, and that distance decays along
 * with the offset, as slowly as the duration allows. (Bollo's own quintic stops the velocity and brings the offset back
 * within the same time. If that time is short, a foot comes back half as fast again as the clips move it.) An offset
 * that heads for zero must not overshoot, and the speed must not carry a tiny offset far away. Therefore e is 5
 * max(|x|, r) / |v| if that is less than the duration; it is at most 30 s and at least 1/60 s, for which the velocity
 * is lowered. The room r is 2 cm for a translation, 2 cm divided by the joint's lever (at least 10 cm) for a rotation,
 * and 0.02 for a scale. Bollo keeps only the velocity along x; here all of it is kept, including its sideways part. */
typedef struct sinew_inertia_group {
  /* [0] rotation, [1] translation, [2] scale; [component][lane] */
  float offset[3][3][SINEW_LANES];
  float velocity[3][3][SINEW_LANES]; /* per second */
  float stop[3][SINEW_LANES];        /* seconds, at most, in which the velocity stops */
} sinew_inertia_group;

/* Stores the offset at a transition. A velocity needs two poses, so each source is given twice, `dt` apart: the pose
 * shown at the transition and dt earlier, and the new source's at the transition and dt later. If the transition
 * interrupts another one, the poses shown are outputs of sinew_inertialize (whose time may be negative). */
typedef struct sinew_inertialize_begin_job {
  sinew_pose from;        /* as shown, at the transition */
  sinew_pose from_before; /* as shown, dt earlier */
  sinew_pose to;          /* the new source, at the transition */
  sinew_pose to_after;    /* the new source, dt later */
  double dt;              /* seconds, a microsecond or more */
  /* Metres from each joint to the farthest one below it, one for each lane of the groups: how far a rotation moves what
   * is below. NULL: 0.5 for all. */
  const float *levers;
  /* sinew_pose_group_count(joint_count) groups owned by the caller */
  sinew_inertia_group *output;
  float unit; /* how many of its lengths are a metre: 100 for a figure in centimetres; 0: 1 */
} sinew_inertialize_begin_job;

SINEW_API const char *sinew_inertialize_begin_check(const sinew_inertialize_begin_job *job);
SINEW_API bool sinew_inertialize_begin(const sinew_inertialize_begin_job *job);

/* Adds what is left of the offset. Stateless: any time takes equally long. From `duration` on (at most 1e9
 * seconds) the output is the source; before 0 the offset is extrapolated linearly, for at most one duration. `output`
 * may be `source`. */
typedef struct sinew_inertialize_job {
  const sinew_inertia_group *inertia;
  double time;     /* seconds since the transition */
  double duration; /* seconds, a microsecond or more */
  sinew_pose source;
  sinew_pose output;
} sinew_inertialize_job;

SINEW_API const char *sinew_inertialize_check(const sinew_inertialize_job *job);
SINEW_API bool sinew_inertialize(const sinew_inertialize_job *job);

/* ---- local to model, palette ------------------------------------------------------------------------------ */

/* Local transforms to model-space matrices, parents before children: of every joint, or of one and all below it. Joints
 * lie breadth first, so what is below a joint is one range for each level. */
typedef struct sinew_local_to_model_job {
  const sinew_model *model;
  sinew_pose pose;
  sinew_mat3x4 *output; /* joint_count */
  int first;            /* 0 for every joint; else the others' matrices are in `output` already, and stay */
} sinew_local_to_model_job;

SINEW_API const char *sinew_local_to_model_check(const sinew_local_to_model_job *job);
SINEW_API bool sinew_local_to_model(const sinew_local_to_model_job *job);

/* palette = joint matrix × inverse bind, for every skin of the model in order. */
typedef struct sinew_palette_job {
  const sinew_model *model;
  const sinew_mat3x4 *joints; /* joint_count, model space */
  sinew_mat3x4 *output;       /* sinew_model_palette_count */
} sinew_palette_job;

SINEW_API const char *sinew_palette_check(const sinew_palette_job *job);
SINEW_API bool sinew_palette(const sinew_palette_job *job);

/* ---- all at once ------------------------------------------------------------------------------------------- */

enum { SINEW_EVALUATE_SOURCES = 4 };

typedef struct sinew_evaluate_source {
  const sinew_clip *clip; /* of the job's model */
  double time;            /* seconds from the clip's beginning, as sinew_sample_job's */
  float weight;           /* >= 0, finite */
} sinew_evaluate_source;

/* Does what most characters need in each frame in one pass, which is faster than the separate jobs. It samples the
 * sources, blends them (joints that a clip does not animate have no weight there), and makes the joints' model-space
 * matrices and the palette. With a `pose` to fill it gives the same bits as sinew_sample, sinew_blend (from more than
 * one clip; those that do not animate every joint with joint weights), sinew_local_to_model and sinew_palette; without
 * one it gives the same to 1e-6 of the model's size, faster: a rotation need not be of unit length to become a matrix.
 */
typedef struct sinew_evaluate_job {
  const sinew_model *model;
  const sinew_evaluate_source *sources;
  int source_count;      /* 0 .. SINEW_EVALUATE_SOURCES; 0 gives the rest pose */
  float threshold;       /* as sinew_blend_job's; > 0 */
  sinew_pose pose;       /* gets the blended pose, of the model's joint count; or {NULL, 0} */
  sinew_mat3x4 *joints;  /* joint_count, model space */
  sinew_mat3x4 *palette; /* sinew_model_palette_count; or NULL */
} sinew_evaluate_job;

SINEW_API const char *sinew_evaluate_check(const sinew_evaluate_job *job);
SINEW_API bool sinew_evaluate(const sinew_evaluate_job *job);

/* ---- dual quaternion palette ------------------------------------------------------------------------------- */

/* One matrix M of a palette for dual quaternion skinning (Kavan et al. 2008, "Geometric Skinning with Approximate Dual
 * Quaternion Blending", with their two phases: what is not rigid comes first and blends linearly). Sixteen floats, four
 * texels as a GPU reads them:
 *
 *   texel 0   rotation x y z w          unit; w of either sign
 *   texel 1   translation x y z, xx     metres
 *   texel 2   offset x y z, yy          metres
 *   texel 3   xy, xz, yz, zz
 *
 *   M p = rotate(rotation, S p + offset) + translation,   S = | xx xy xz |
 *                                                             | xy yy yz |
 *                                                             | xz yz zz |
 *
 * M = R S is the polar decomposition of the 3×3 part, so S is the identity for a rigid M; a mirrored M has a negative S
 * and R of −M. The stretch is about the joint's own position in the bind pose: there it moves nothing, and offset makes
 * up for that. The dual part of the quaternion is ½ (translation, 0) · rotation.
 *
 * A vertex with weights wᵢ, i = 0 the heaviest (ties: the first):
 *
 *   real = Σ wᵢ sᵢ rotationᵢ    dual = Σ wᵢ sᵢ ½ (translationᵢ, 0) rotationᵢ    sᵢ = −1 where rotationᵢ · rotation₀ < 0
 *   S = Σ wᵢ Sᵢ                 o = Σ wᵢ offsetᵢ
 *   q = real / |real|           t = 2 (dual / |real|) · conjugate(q), its vector part
 *   position = rotate(q, S p + o) + t
 *   normal   = rotate(q, sign(det S) cofactor(S) n), renormalised
 *   tangent  = rotate(q, S t), renormalised */
typedef struct sinew_dual_quat {
  float rotation[4];
  float translation[3], xx;
  float offset[3], yy;
  float xy, xz, yz, zz;
} sinew_dual_quat;

/* Decomposes the matrices of a palette. A singular matrix (a joint scaled to zero) gives one of the rotations that fit.
 */
typedef struct sinew_dual_quat_palette_job {
  const sinew_model *model;
  const sinew_mat3x4 *palette; /* sinew_model_palette_count */
  sinew_dual_quat *output;     /* as many */
} sinew_dual_quat_palette_job;

SINEW_API const char *sinew_dual_quat_palette_check(const sinew_dual_quat_palette_job *job);
SINEW_API bool sinew_dual_quat_palette(const sinew_dual_quat_palette_job *job);

/* ---- bounds ----------------------------------------------------------------------------------------------- */

/* The box around the vertices that follow one entry of a model's palette, before that matrix moves them. */
typedef struct sinew_joint_extent {
  sinew_vec3 center, half; /* half.x < 0: no vertex follows */
} sinew_joint_extent;

/* Measures a model, which needs to happen only once: it visits every vertex. Morph targets are included at all weights
 * from 0 (or a lower rest weight) to 1 (or a higher rest weight). */
typedef struct sinew_joint_extents_job {
  const sinew_model *model;
  sinew_joint_extent *output; /* sinew_model_palette_count */
} sinew_joint_extents_job;

SINEW_API const char *sinew_joint_extents_check(const sinew_joint_extents_job *job);
SINEW_API bool sinew_joint_extents(const sinew_joint_extents_job *job);

/* The box around a skinned character: no vertex of linear blend skinning is outside it, because each lies between its
 * joints' copies of it. The time it takes grows with joints, not with vertices. Matrices that are not finite are left
 * out. */
typedef struct sinew_bounds_job {
  const sinew_joint_extent *extents;
  const sinew_mat3x4 *palette;   /* or its product with the character's transform in the world */
  int count;                     /* of both */
  sinew_vec3 *minimum, *maximum; /* both {0, 0, 0} where nothing is left */
} sinew_bounds_job;

SINEW_API const char *sinew_bounds_check(const sinew_bounds_job *job);
SINEW_API bool sinew_bounds(const sinew_bounds_job *job);

/* ---- other skeletons, other sides ------------------------------------------------------------------------- */

/* A pose of one model on another. In model space each joint turns from its rest pose as its partner does; bones keep
 * their length, and the joints down to the hips also travel as their partners do, times the scale. Joints without a
 * partner keep their rest transform. */
typedef struct sinew_retarget_job {
  const sinew_retarget_map *map;
  sinew_pose input;         /* of the map's `from` */
  sinew_transform *scratch; /* from's joint count + 2 × to's */
  sinew_pose output;        /* of the map's `to` */
} sinew_retarget_job;

SINEW_API const char *sinew_retarget_check(const sinew_retarget_job *job);
SINEW_API bool sinew_retarget(const sinew_retarget_job *job);

/* A pose with left and right exchanged: in model space, reflected at the plane x = 0, each joint as its partner on the
 * other side. The rest poses of partners need not be mirrored exactly: each joint turns from its own. A joint that
 * exists on one side only (a sword in a hand) is reflected relative to its parent. */
typedef struct sinew_mirror_job {
  const sinew_model *model;
  const int32_t *joints; /* sinew_model_mirror_joints */
  sinew_pose input;
  sinew_transform *scratch; /* 3 × the joint count */
  sinew_pose output;        /* may be `input` */
} sinew_mirror_job;

SINEW_API const char *sinew_mirror_check(const sinew_mirror_job *job);
SINEW_API bool sinew_mirror(const sinew_mirror_job *job);

/* ---- skinning on the CPU ---------------------------------------------------------------------------------- */

/* Skins the vertices of a mesh: the reference that every GPU path is compared with. Linear blend skinning if `palette`
 * is given: positions by the blended matrix; normals by its cofactor matrix (right under non-uniform scale), tangents
 * by its 3×3 part, both renormalised. Dual quaternion skinning if `dual_quats` is given, by the formulas at
 * sinew_dual_quat. */
typedef struct sinew_cpu_skin_job {
  const sinew_model *model;
  int mesh;
  const sinew_mat3x4 *palette; /* of the whole model; or NULL */
  const float *morph_weights;  /* one for each target of the mesh, or NULL for none */
  float *positions;            /* vertex_count × 3, or NULL */
  float *normals;              /* vertex_count × 3, or NULL */
  float *tangents;             /* vertex_count × 4, or NULL; needs a mesh with tangents */
  /* Dual quaternions of the whole model instead of `palette`: give exactly one of the two. */
  const sinew_dual_quat *dual_quats;
} sinew_cpu_skin_job;

SINEW_API const char *sinew_cpu_skin_check(const sinew_cpu_skin_job *job);
SINEW_API bool sinew_cpu_skin(const sinew_cpu_skin_job *job);

#ifdef __cplusplus
}
#endif
#endif
