#include "actor/sync/foot_blend.h"

#include "math/vec3.h"
#include "model/model.h"

#include <sinew/modifier_jobs.h>

static sinew_mat3x4 place_in(const sinew_model *model, sinew_pose pose, int joint) {
  sinew_mat3x4 place = sinew_mat3x4_identity();
  for (; joint >= 0; joint = model->parents[joint]) {
    sinew_transform local = sinew_pose_joint(&pose, joint);
    sinew_mat3x4 m = sinew_mat3x4_from_transform(&local);
    place = sinew_mat3x4_multiply(&m, &place);
  }
  return place;
}

static sinew_vec3 origin_of(const sinew_mat3x4 *m) { return (sinew_vec3){m->m[3], m->m[7], m->m[11]}; }

/* Σ w f / Σ w over the clips that move the leg; how many do. */
static int find_ball(const foot_blend_job *job, const leg *l, sinew_vec3 *ball) {
  sinew_vec3 sum = {0, 0, 0};
  float total = 0;
  int count = 0;
  for (int i = 0; i < job->count; i++) {
    const sinew_blend_source *s = job->sources + i;
    float weight = s->weight * (s->joint_weights ? s->joint_weights[l->thigh] : 1);
    if (!(weight > 0)) continue;
    sinew_pose pose = {(sinew_pose_group *)(uintptr_t)s->pose, job->model->joint_count};
    sinew_mat3x4 place = place_in(job->model, pose, l->toes);
    sum = vec3_add_scaled(sum, weight, origin_of(&place));
    total += weight;
    count++;
  }
  if (count) *ball = vec3_scale(sum, 1 / total);
  return count;
}

/* A knee bends about the model's x axis, backwards. */
static sinew_vec3 hinge_of(const sinew_mat3x4 *shin) {
  sinew_transform t = sinew_transform_from_mat3x4(shin);
  sinew_quat back = {-t.rotation.x, -t.rotation.y, -t.rotation.z, t.rotation.w};
  sinew_mat3x4 m = sinew_mat3x4_from_transform(&(sinew_transform){{0, 0, 0}, back, {1, 1, 1}});
  return sinew_mat3x4_transform_point(&m, (sinew_vec3){1, 0, 0});
}

static void place_leg(const foot_blend_job *job, const leg *l, sinew_vec3 ball) {
  sinew_vec3 off = vec3_sub(ball, origin_of(job->joints + l->toes));
  sinew_two_bone_job bend = {.posed = {job->model, job->pose, job->joints},
                             .upper = l->thigh,
                             .middle = l->shin,
                             .tip = l->foot,
                             .target = vec3_add(origin_of(job->joints + l->foot), off),
                             .hinge = hinge_of(job->joints + l->shin),
                             .soften = 1,
                             .keep_tip = true,
                             .weight = job->weight};
  sinew_two_bone(&bend);
}

void foot_blend(const foot_blend_job *job) {
  sinew_vec3 balls[GAIT_LEGS];
  if (!(job->weight > 0)) return;
  for (int i = 0; i < job->gait->leg_count; i++)
    if (find_ball(job, job->gait->legs + i, balls + i) < 2) return;
  sinew_local_to_model(&(sinew_local_to_model_job){job->model, job->pose, job->joints, 0});
  for (int i = 0; i < job->gait->leg_count; i++) place_leg(job, job->gait->legs + i, balls[i]);
}
