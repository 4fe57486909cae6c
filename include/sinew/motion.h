/* sinew/motion.h – the motion of a clip over the ground: root motion, from a joint or from planted feet.
 *
 * Jobs as in pose.h. */
#ifndef SINEW_MOTION_H
#define SINEW_MOTION_H

#include <sinew/pose.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- root motion ------------------------------------------------------------------------------------------ */

/* Which parts of a joint's motion move the character: displacement along the axes of model space (y is up), and
 * rotation about y. */
enum { SINEW_ROOT_X = 1, SINEW_ROOT_Y = 2, SINEW_ROOT_Z = 4, SINEW_ROOT_YAW = 8 };

/* The root motion of a clip is R(t) = F(t) · F(0)⁻¹, where the frame F is at the joint's position in model space along
 * the declared axes (at 0 along the others) and is rotated about y as far as the joint has rotated since the clip began
 * (the twist about y of its rotation; none where it lies upside down). So R(0) is the identity, and a character that is
 * moved by R and shown in the pose R⁻¹ · pose is where the clip would have put it. */
typedef struct sinew_root_track {
  const sinew_model *model;
  const sinew_clip *clip;
  int joint;     /* usually the hips, or a root that was animated for this */
  unsigned axes; /* SINEW_ROOT_X … added up */
} sinew_root_track;

/* How the root moves from one moment of a playing clip to another: world_after = world_before · output. With a = R at
 * the beginning of the loop and c = a⁻¹ · R(end of the loop), it is
 *
 *   (a⁻¹ R(from))⁻¹ · cⁿ · a⁻¹ R(to)
 *
 * so N loops travel N strides at any dt, forwards and backwards. Computed in double precision. */
typedef struct sinew_root_motion_job {
  sinew_root_track track;
  double from, to;             /* seconds in the clip */
  int64_t loops;               /* n: how often the end was passed between the two; negative backwards */
  double loop_begin, loop_end; /* seconds in the clip; what one cycle is. Both 0: the whole clip */
  sinew_transform *output;     /* translation and a rotation about y; scale 1 */
} sinew_root_motion_job;

SINEW_API const char *sinew_root_motion_check(const sinew_root_motion_job *job);
SINEW_API bool sinew_root_motion(const sinew_root_motion_job *job);

/* Takes the root motion out of a pose that was sampled at `time`: the joint's transform becomes that of R⁻¹ · pose.
 * Only the joint is changed, so what does not hang from it stays. Exact where the joints above it scale evenly. */
typedef struct sinew_root_remove_job {
  sinew_root_track track;
  double time;
  sinew_pose pose; /* read and written */
} sinew_root_remove_job;

SINEW_API const char *sinew_root_remove_check(const sinew_root_remove_job *job);
SINEW_API bool sinew_root_remove(const sinew_root_remove_job *job);

/* ---- what the feet say ------------------------------------------------------------------------------------ */

enum { SINEW_FEET_MAX = 16 };

/* The displacement of the root for a clip that walks on the spot: while a foot is on the ground, the character moves
 * forward as fast as the foot moves back under it. The joints that hang directly from the feet (balls, toes) are
 * watched, too: a foot rolls over its ball, and its ankle is slower than the ground then. At each moment a joint is
 * weighted by how near it is to its own lowest point in the clip: a value that falls from 1 there to 0 at `height`
 * above it, to the eighth power. While these add up to less than 1, the root keeps its velocity (at the beginning of
 * the clip, that of its end), as in the flight phase of a run. For Sinew's own character the result is 0.8 % short in a
 * walk and 1 % in a run, and its speed is within 7 % of the mean; 1 to 5 % short for recorded walks and runs. */
typedef struct sinew_root_from_feet_job {
  const sinew_model *model;
  const sinew_clip *clip;
  const int *feet; /* joints: ankles or toes */
  int foot_count;  /* 1 .. SINEW_FEET_MAX */
  float height;    /* metres, > 0: 0.02 is a good value for a human */
  /* The root's positions at even moments of the clip, the first at 0 and the last at its end; along x and z, from {0,
   * 0, 0}. */
  sinew_vec3 *path;
  int path_count; /* 2 or more: 60 a second is a good value */
} sinew_root_from_feet_job;

SINEW_API const char *sinew_root_from_feet_check(const sinew_root_from_feet_job *job);
/* False for a reason that the check gives, or when memory runs out. */
SINEW_API bool sinew_root_from_feet(const sinew_root_from_feet_job *job);

/* Computes the root's movement along such a path between two moments of a playing clip, whole cycles included. */
typedef struct sinew_root_path_job {
  const sinew_vec3 *path;
  int path_count;  /* 2 or more */
  double duration; /* of the clip, seconds, > 0 */
  double from, to; /* seconds in the clip; held at its ends */
  int64_t loops;   /* how often the end was passed between the two; negative backwards */
  sinew_vec3 *output;
} sinew_root_path_job;

SINEW_API const char *sinew_root_path_check(const sinew_root_path_job *job);
SINEW_API bool sinew_root_path(const sinew_root_path_job *job);

/* A foot on the ground. The names of markers come from the joints: sinew_model_joint_name. */
typedef struct sinew_contact {
  int foot;          /* index into the job's feet */
  double start, end; /* seconds; `end` is past the clip's end if a looping clip's contact continues at its beginning */
} sinew_contact;

/* Finds the times at which feet are on the ground: near their own lowest position in the clip, and slow over the
 * ground. Contacts come in the order of the feet, and then of time. */
typedef struct sinew_find_contacts_job {
  const sinew_model *model;
  const sinew_clip *clip;
  const int *feet; /* joints: ankles or toes */
  int foot_count;  /* 1 .. SINEW_FEET_MAX */
  /* The root's displacement for a clip that has none itself (sinew_root_from_feet): feet are measured relative to it.
   * Or NULL, 0. */
  const sinew_vec3 *path;
  int path_count;
  float height;    /* metres above the foot's lowest position, at most; > 0: 0.02 is a good value for a human */
  float speed;     /* metres per second over the ground, at most; > 0 */
  double shortest; /* seconds: a shorter contact does not count; >= 0 */
  double rate;     /* moments that are examined per second, 1 .. 1000 */
  bool loop;       /* join a contact at the clip's end with one at its beginning */
  sinew_contact *output;
  int capacity;
  int *count; /* gets how many there are, which may be more than fit */
} sinew_find_contacts_job;

SINEW_API const char *sinew_find_contacts_check(const sinew_find_contacts_job *job);
/* False for a reason that the check gives, or when memory runs out. */
SINEW_API bool sinew_find_contacts(const sinew_find_contacts_job *job);

/* ---- a clip in numbers ------------------------------------------------------------------------------------ */

/* The differences between the clips of a library, measured at 60 moments a second (at most 3,600). */
typedef struct sinew_clip_survey {
  /* Metres per second over the ground, on average over the clip: x to the left and z ahead, relative to the root's
   * rotation. If the root stays in place while the feet walk, the velocity comes from the feet (sinew_root_from_feet).
   */
  sinew_vec3 velocity;
  float turn;        /* radians about y over the clip; above 0 to the left */
  float seam;        /* metres that any joint jumps by where the clip loops, its root motion taken out */
  float slide;       /* m/s over the ground of feet that are down, on average; 0 without feet */
  bool has_feet;     /* hips and a leg are known */
  bool has_velocity; /* false: neither the root nor feet show one */
  bool on_the_spot;  /* the root stays where it is while the feet walk */
} sinew_clip_survey;

typedef struct sinew_survey_job {
  const sinew_model *model;
  const sinew_clip *clip;
  sinew_clip_survey *output;
} sinew_survey_job;

SINEW_API const char *sinew_survey_check(const sinew_survey_job *job);
/* False for a reason that the check gives, or when memory runs out. */
SINEW_API bool sinew_survey(const sinew_survey_job *job);

#ifdef __cplusplus
}
#endif
#endif
