#include "base/memory/memory.h"
#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/body/body.h"
#include "model/model.h"
#include "model/model_space.h"
#include "model/retarget/retarget.h"
#include "pose/modifiers/posed.h"
#include "pose/motion/feet.h"

#include <sinew/motion.h>

#include <math.h>
#include <string.h>

enum { RATE = 60, MOST_MOMENTS = 3600, MOST_FEET = 2 };

/* Relative to the length of a leg: the height below which a foot is on the ground, and the speed (per second) below
 * which hips stand. The fraction of the feet's speed that hips must have to count as travelling. */
static const double pi = 3.14159265358979;
static const float near_ground = 0.02f, standing = 0.12f, travelling = 0.5f;

typedef struct survey {
  const sinew_survey_job *job;
  int root, feet[MOST_FEET], foot_count;
  float leg;
  int moments;
  double step; /* seconds from one moment to the next */
} survey;

const char *sinew_survey_check(const sinew_survey_job *job) {
  if (!job->model) return "survey: the model is missing";
  if (!job->clip) return "survey: the clip is missing";
  if (job->clip->joint_count != job->model->joint_count) return "survey: the clip belongs to another model";
  if (!job->output) return "survey: the output is missing";
  return NULL;
}

/* ---- the joint that represents the body ---- */

/* Without a humanoid, the topmost joint that the clip animates. */
static int first_animated(const sinew_survey_job *job) {
  for (int i = 1; i < job->model->joint_count; i++)
    if (sinew_clip_has_joint(job->clip, i)) return i;
  return 0;
}

static void add_foot(survey *s, const humanoid *body, int side, const sinew_transform *placed) {
  const int32_t *limbs = body->limbs[side];
  if (limbs[LIMB_THIGH] < 0 || limbs[LIMB_FOOT] < 0) return;
  s->leg = vec3_distance(placed[limbs[LIMB_THIGH]].translation, placed[limbs[LIMB_FOOT]].translation);
  s->feet[s->foot_count++] = limbs[LIMB_TOES] >= 0 ? limbs[LIMB_TOES] : limbs[LIMB_FOOT];
}

static bool find_body(survey *s) {
  const sinew_model *model = s->job->model;
  const humanoid *person = &model->body->person;
  sinew_transform *rest = mem_alloc_array(2 * (size_t)model->joint_count, sizeof *rest);
  if (!rest) return false;
  skeleton_view skeleton = model_skeleton(model, rest);
  skeleton_to_model(&skeleton, rest, rest + model->joint_count);
  s->root = person->hips > 0 ? person->hips : first_animated(s->job);
  for (int side = 0; person->hips > 0 && side < 2; side++) add_foot(s, person, side, rest + model->joint_count);
  mem_free(rest);
  return true;
}

/* ---- moments ---- */

static double time_of(const survey *s, int moment) { return s->step * moment; }

static sinew_mat3x4 position(const survey *s, int joint, int moment) {
  return joint_position(s->job->model, s->job->clip, joint, time_of(s, moment));
}

static sinew_vec3 point(const sinew_mat3x4 *m) { return (sinew_vec3){m->m[3], m->m[7], m->m[11]}; }

static sinew_vec3 on_ground(sinew_vec3 v) { return (sinew_vec3){v.x, 0, v.z}; }

/* The rotation about y from one moment to the next: the twist of the small rotation between them. */
static double yaw_between(const sinew_mat3x4 *a, const sinew_mat3x4 *b) {
  sinew_quat from = sinew_transform_from_mat3x4(a).rotation, to = sinew_transform_from_mat3x4(b).rotation;
  sinew_quat turn = sinew_quat_multiply(to, quat_conjugate(from));
  double yaw = 2 * sinew_atan2((double)turn.y, (double)turn.w);
  return remainder(yaw, 2 * pi);
}

static sinew_vec3 turned(sinew_vec3 v, double yaw) {
  float c = (float)sinew_cos(yaw), s = (float)sinew_sin(yaw);
  return (sinew_vec3){c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}

/* ---- the path of the root ---- */

/* The mean velocity in the root's frame, which rotates with it, and its rotation over the clip. */
static void follow_root(const survey *s, sinew_clip_survey *out) {
  sinew_mat3x4 before = position(s, s->root, 0);
  sinew_vec3 displacement = {0, 0, 0};
  double yaw = 0;
  for (int i = 1; i < s->moments; i++) {
    sinew_mat3x4 now = position(s, s->root, i);
    double turn = yaw_between(&before, &now);
    displacement =
        vec3_add(displacement, turned(on_ground(vec3_sub(point(&now), point(&before))), -(yaw + 0.5 * turn)));
    yaw += turn;
    before = now;
  }
  out->velocity = vec3_scale(displacement, (float)(1 / time_of(s, s->moments - 1)));
  out->turn = (float)yaw;
}

/* ---- the feet ---- */

typedef struct sliding {
  double metres, seconds; /* for feet on the ground, each moment weighted by contact */
} sliding;

/* `path` is the root's path for a clip that walks on the spot, or NULL. */
static void add_slide(const survey *s, const foot_paths *f, int foot, const sinew_vec3 *path, sliding *sum) {
  float height = near_ground * s->leg;
  for (int i = 1; i < f->moments; i++) {
    sinew_vec3 before = feet_position(f, foot, i - 1), now = feet_position(f, foot, i);
    sinew_vec3 displacement = on_ground(vec3_sub(now, before));
    if (path) displacement = vec3_add(displacement, vec3_sub(path[i], path[i - 1]));
    float down = 1 - (fmaxf(now.y, before.y) - f->lowest[foot]) / height;
    down *= fmaxf(down, 0); /* the firmest say most */
    if (down > 0) {
      sum->metres += (double)(down * vec3_length(displacement));
      sum->seconds += (double)down * s->step;
    }
  }
}

/* Whether the clip walks on the spot. Then its velocity comes from its feet. */
static bool goes_on_the_spot(const survey *s, const sinew_clip_survey *out, const sinew_vec3 *path) {
  float duration = (float)time_of(s, s->moments - 1), paced = vec3_length(path[s->moments - 1]) / duration;
  return paced > standing * s->leg && vec3_length(out->velocity) < travelling * paced;
}

static void measure_feet(const survey *s, const foot_paths *f, sinew_vec3 *path, sinew_clip_survey *out) {
  sliding sum = {0};
  feet_find_path(f, near_ground * s->leg, path);
  out->on_the_spot = goes_on_the_spot(s, out, path);
  if (out->on_the_spot) out->velocity = vec3_scale(path[s->moments - 1], (float)(1 / time_of(s, s->moments - 1)));
  for (int i = 0; i < s->foot_count; i++) add_slide(s, f, i, out->on_the_spot ? path : NULL, &sum);
  out->has_feet = sum.seconds > 0;
  out->slide = sum.seconds > 0 ? (float)(sum.metres / sum.seconds) : 0;
}

static bool follow_feet(const survey *s, sinew_clip_survey *out) {
  int joints[SINEW_FEET_MAX];
  memcpy(joints, s->feet, sizeof s->feet);
  int count = feet_add_balls(s->job->model, joints, s->foot_count);
  sinew_vec3 *path = mem_alloc_array((size_t)s->moments, sizeof *path);
  foot_paths f;
  bool room = feet_measure(&f, s->job->model, s->job->clip, joints, count, s->moments) && path;
  if (room) measure_feet(s, &f, path, out);
  feet_release(&f);
  mem_free(path);
  return room;
}

/* ---- the seam ---- */

static void pose_at(const sinew_survey_job *job, double time, sinew_pose pose, sinew_mat3x4 *joints) {
  sinew_sample(&(sinew_sample_job){job->model, job->clip, time, pose});
  sinew_local_to_model(&(sinew_local_to_model_job){job->model, pose, joints, 0});
}

/* The largest distance between the begin and the end of the clip for any joint at or below the root, relative to the
 * root on the ground. */
static float largest_gap(const survey *s, const sinew_mat3x4 *begin, const sinew_mat3x4 *end, double turn) {
  sinew_vec3 from = on_ground(point(begin + s->root)), to = on_ground(point(end + s->root));
  float largest = 0;
  for (int i = s->root; i < s->job->model->joint_count; i++) {
    int above = i;
    while (above > s->root) above = s->job->model->parents[above];
    if (above != s->root) continue;
    sinew_vec3 first = vec3_sub(point(begin + i), from), last = turned(vec3_sub(point(end + i), to), -turn);
    largest = fmaxf(largest, vec3_distance(first, last));
  }
  return largest;
}

static bool measure_seam(const survey *s, sinew_clip_survey *out) {
  const sinew_survey_job *job = s->job;
  size_t joints = (size_t)job->model->joint_count, groups = (size_t)sinew_pose_group_count(job->model->joint_count);
  sinew_pose pose = {mem_alloc_array(groups, sizeof *pose.groups), job->model->joint_count};
  sinew_mat3x4 *positions = mem_alloc_array(2 * joints, sizeof *positions);
  bool room = pose.groups && positions;
  if (room) {
    pose_at(job, 0, pose, positions);
    pose_at(job, sinew_clip_duration(job->clip), pose, positions + joints);
    out->seam = largest_gap(s, positions, positions + joints, (double)out->turn);
  }
  mem_free(pose.groups);
  mem_free(positions);
  return room;
}

/* ---- all ---- */

static bool measure(survey *s, sinew_clip_survey *out) {
  double duration = sinew_clip_duration(s->job->clip), moments = ceil(duration * RATE) + 1;
  *out = (sinew_clip_survey){0};
  if (!find_body(s)) return false;
  if (!(duration > 0)) return true;
  s->moments = moments < MOST_MOMENTS ? (int)moments : MOST_MOMENTS;
  s->step = duration / (s->moments - 1);
  follow_root(s, out);
  out->has_velocity = s->foot_count > 0 || vec3_length(out->velocity) > 0.1f;
  return (s->foot_count == 0 || !(s->leg > 0) || follow_feet(s, out)) && measure_seam(s, out);
}

bool sinew_survey(const sinew_survey_job *job) {
  survey s = {.job = job};
  if (sinew_survey_check(job)) return false;
  uint64_t before = float_env_enter();
  bool measured = measure(&s, job->output);
  float_env_leave(before);
  return measured;
}
