#include "actor/sync/foot_blend.h"

#include "actor/sync/leg_bend.h"
#include "math/vec3.h"
#include "model/model.h"
#include "pose/modifiers/posed.h"

#include <math.h>

static sinew_vec3 origin_of(const sinew_mat3x4 *m) { return (sinew_vec3){m->m[3], m->m[7], m->m[11]}; }

/* The position of the ball in a clip at the leg's own time, without root motion. */
static sinew_vec3 ball_at(const foot_blend_job *job, const clip_instance *item, int toes, double time) {
  const sinew_model *model = job->model;
  sinew_mat3x4 position = joint_position(model, model->clips + item->clip, toes, time);
  sinew_mat3x4 moved = root_inverse(job->root, model, item->clip, time);
  return sinew_mat3x4_transform_point(&moved, origin_of(&position));
}

/* A clip that travels, if nothing takes its root motion out, is where the pose has it. */
static bool has_leg_time(const foot_blend_job *job, const clip_instance *item, int side) {
  return item && !isnan(item->leg_time[side]) && (root_is_on(job->root) || !job->gait->clips[item->clip].carries_hips);
}

/* Weighted sums over the clips for one leg: the position of its ball, the middle of its path, the velocity at which it
 * moves back while it stands, and the actor's velocity. */
typedef struct leg_sum {
  sinew_vec3 ball, middle;
  double back_x, back_z, x, z;
  float weight;
  int count;
  bool led; /* each clip that travels has its own time for the leg */
} leg_sum;

static void add_clip(const foot_blend_job *job, const clip_instance *item, int side, float weight, leg_sum *sum) {
  const clip_gait *gait = job->gait->clips + item->clip;
  bool led = has_leg_time(job, item, side);
  if (gait->kind == GAIT_MOVING && !led) sum->led = false;
  sum->middle = vec3_add_scaled(sum->middle, weight, gait->middle[side]);
  if (!led) return;
  sum->back_x += (double)weight * gait->x * item->leg_rate[side];
  sum->back_z += (double)weight * gait->z * item->leg_rate[side];
  sum->x += (double)weight * gait->x * item->speed;
  sum->z += (double)weight * gait->z * item->speed;
}

static sinew_vec3 ball_of(const foot_blend_job *job, int i, int side) {
  const clip_instance *item = job->items[i];
  int toes = job->gait->legs[side].toes;
  if (has_leg_time(job, item, side)) {
    double duration = job->model->clips[item->clip].duration;
    double time = fmod(item->leg_time[side] - job->back * item->leg_pace[side], duration);
    return ball_at(job, item, toes, time < 0 ? time + duration : time);
  }
  sinew_pose pose = {(sinew_pose_group *)(uintptr_t)job->sources[i].pose, job->model->joint_count};
  sinew_mat3x4 position = leg_joint_in(job->model, pose, toes);
  return origin_of(&position);
}

/* Sums over the clips that move the leg. */
static leg_sum find_sum(const foot_blend_job *job, int side) {
  leg_sum sum = {.led = true};
  for (int i = 0; i < job->count; i++) {
    const sinew_blend_source *s = job->sources + i;
    float weight = s->weight * (s->joint_weights ? s->joint_weights[job->gait->legs[side].thigh] : 1);
    if (!(weight > 0)) continue;
    sum.ball = vec3_add_scaled(sum.ball, weight, ball_of(job, i, side));
    if (job->items[i]) add_clip(job, job->items[i], side, weight, &sum);
    else sum.led = false;
    sum.weight += weight;
    sum.count++;
  }
  return sum;
}

/* Strides of two clips that travel in different directions are not parallel, and no cadence lets a foot move straight
 * back with both. So its path is rotated, and stretched about its middle, until it moves back as fast as the actor
 * moves forward. */
static sinew_vec3 straighten(const leg_sum *sum, double unit, sinew_vec3 ball, sinew_vec3 middle) {
  static const double none = 0.04, whole = 0.12, most_stretch = 1.6, most_turn = 1.2;
  double speed = sinew_hypot(sum->back_x, sum->back_z), much = fmin((speed / unit - none) / (whole - none), 1);
  if (!sum->led || !(much > 0)) return ball;
  double turn = sinew_atan2(sum->z * sum->back_x - sum->x * sum->back_z, sum->x * sum->back_x + sum->z * sum->back_z);
  double stretch = fmin(fmax(sinew_hypot(sum->x, sum->z) / speed, 1 / most_stretch), most_stretch);
  turn = fmin(fmax(turn, -most_turn), most_turn) * much;
  stretch = 1 + (stretch - 1) * much;
  double re = stretch * sinew_cos(turn), im = stretch * sinew_sin(turn);
  double x = (double)(ball.x - middle.x), z = (double)(ball.z - middle.z);
  return (sinew_vec3){middle.x + (float)(re * x - im * z), ball.y, middle.z + (float)(im * x + re * z)};
}

/* False if fewer than two clips move the leg. */
static bool find_ball(const foot_blend_job *job, int side, sinew_vec3 *ball) {
  leg_sum sum = find_sum(job, side);
  if (sum.count < 2) return false;
  *ball =
      straighten(&sum, job->gait->size, vec3_scale(sum.ball, 1 / sum.weight), vec3_scale(sum.middle, 1 / sum.weight));
  return true;
}

void foot_blend(const foot_blend_job *job) {
  sinew_vec3 balls[GAIT_LEGS];
  if (!(job->weight > 0)) return;
  for (int i = 0; i < job->gait->leg_count; i++)
    if (!find_ball(job, i, balls + i)) return;
  const sinew_posed posed = {job->model, job->pose, job->joints};
  sinew_local_to_model(&(sinew_local_to_model_job){job->model, job->pose, job->joints, 0});
  for (int i = 0; i < job->gait->leg_count; i++) leg_bend(job->gait->legs + i, &posed, balls[i], job->weight);
}
