#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"
#include "pose/modifiers/posed.h"

static const double longest_step = 1.0 / 120, carried_speed = 100;
enum { MOST_STEPS = 16 };

static const char *check_joints(const sinew_spring_job *job) {
  if (job->count < 0 || (job->count > 0 && (!job->joints || !job->states)))
    return "spring: the joints or their states are missing";
  for (int i = 0; i < job->count; i++) {
    if (!posed_has_joint(&job->posed, job->joints[i])) return "spring: there is no such joint";
    if (i > 0 && job->joints[i] <= job->joints[i - 1]) return "spring: the joints are not in ascending order";
  }
  return NULL;
}

const char *sinew_spring_check(const sinew_spring_job *job) {
  const char *reason = posed_check(&job->posed, job->weight);
  if (!reason) reason = check_joints(job);
  if (reason) return reason;
  for (int e = 0; e < 12; e++)
    if (!isfinite(job->world.m[e])) return "spring: the world matrix is not finite";
  if (!(job->dt >= 0) || !isfinite(job->dt)) return "spring: dt is negative or not finite";
  if (!(job->frequency >= 0.01f && job->frequency <= 1000)) return "spring: the frequency is not in 0.01..1000";
  if (!(job->damping >= 0 && job->damping <= 100)) return "spring: the damping is not in 0..100";
  if (!vec3_is_finite(job->gravity)) return "spring: the gravity is not finite";
  return NULL;
}

/* The distance x from rest and the velocity v of a damped spring after a time: x' = xx x + xv v, v' = vx x + vv v. This
 * solves x″ = −ω² x − 2 ζ ω x′. */
typedef struct response {
  double xx, xv, vx, vv;
} response;

/* With e = exp(−ζωt), and c and s = cos and sin(βt) / β, β = ω √(1 − ζ²); cosh and sinh if ζ > 1, t if it is 1. */
static response find_response(double omega, double damping, double time) {
  double decay = damping * omega, square = omega * omega * (1 - damping * damping), beta = sqrt(fabs(square));
  double fall = sinew_exp(-decay * time), c = fall, s = fall * time;
  if (beta * time > 1e-4 && square > 0) c = fall * sinew_cos(beta * time), s = fall * sinew_sin(beta * time) / beta;
  else if (beta * time > 1e-4) {
    double slow = sinew_exp((beta - decay) * time), fast = sinew_exp((-beta - decay) * time);
    c = (slow + fast) / 2, s = (slow - fast) / (2 * beta);
  }
  return (response){c + decay * s, s, -omega * omega * s, c - decay * s};
}

typedef struct bone {
  sinew_vec3 pivot, end; /* their positions in the pose, in world space */
} bone;

static int first_child(const sinew_model *model, int joint) {
  for (int i = joint + 1; i < model->joint_count && model->parents[i] <= joint; i++)
    if (model->parents[i] == joint) return i;
  return -1;
}

static bone find_bone(const sinew_spring_job *job, int joint) {
  const sinew_posed *posed = &job->posed;
  sinew_vec3 pivot = posed_position(posed, joint);
  int child = first_child(posed->model, joint), parent = posed->model->parents[joint];
  sinew_vec3 end = child >= 0    ? posed_position(posed, child)
                   : parent >= 0 ? vec3_sub(vec3_scale(pivot, 2), posed_position(posed, parent))
                                 : pivot;
  return (bone){sinew_mat3x4_transform_point(&job->world, pivot), sinew_mat3x4_transform_point(&job->world, end)};
}

/* Makes one step towards `rest`, then restores the bone's length; the velocity along the bone is dropped. */
static void step_state(sinew_spring_state *s, const response *r, sinew_vec3 rest, sinew_vec3 pivot, float length) {
  sinew_vec3 x = vec3_sub(s->position, rest), v = s->velocity;
  sinew_vec3 position = vec3_add(rest, vec3_add_scaled(vec3_scale(x, (float)r->xx), (float)r->xv, v));
  v = vec3_add_scaled(vec3_scale(x, (float)r->vx), (float)r->vv, v);
  sinew_vec3 along = vec3_unit(vec3_sub(position, pivot), vec3_unit(vec3_sub(rest, pivot), (sinew_vec3){0, -1, 0}));
  s->position = vec3_add_scaled(pivot, length, along);
  s->velocity = vec3_without(v, along);
}

static bool is_elsewhere(const sinew_spring_state *s, const bone *b, float length, double dt) {
  double distance = (double)vec3_distance(s->pivot, b->pivot);
  return distance > 4 * (double)length && distance > carried_speed * dt;
}

/* Starts the spring, or restarts it after a teleport, at its position in the pose, with its present swing. */
static void begin_state(const sinew_spring_job *job, sinew_spring_state *s, const bone *b, float length) {
  if (s->started && is_elsewhere(s, b, length, job->dt)) {
    s->position = vec3_sub(s->position, s->target);
    s->started = false;
  }
  if (!vec3_is_finite(s->position) || !vec3_is_finite(s->velocity)) *s = (sinew_spring_state){0};
  if (!s->started) *s = (sinew_spring_state){vec3_add(b->end, s->position), s->velocity, b->pivot, b->end, true};
}

static void move_state(const sinew_spring_job *job, sinew_spring_state *s, const bone *b, float length) {
  begin_state(job, s, b, length);
  double omega = 2 * 3.14159265358979 * (double)job->frequency;
  double wanted = ceil(job->dt / longest_step);
  int steps = wanted > MOST_STEPS ? MOST_STEPS : (int)wanted;
  response r = find_response(omega, (double)job->damping, steps ? job->dt / steps : 0);
  sinew_vec3 pivot = s->pivot, target = s->target;
  for (int i = 1; i <= steps; i++) {
    float fraction = (float)i / (float)steps;
    sinew_vec3 rest = vec3_add_scaled(vec3_lerp(target, b->end, fraction), (float)(1 / (omega * omega)), job->gravity);
    step_state(s, &r, rest, vec3_lerp(pivot, b->pivot, fraction), length);
  }
  s->pivot = b->pivot, s->target = b->end;
}

static void spring_joint(const sinew_spring_job *job, int joint, sinew_spring_state *s) {
  bone b = find_bone(job, joint);
  float length = vec3_distance(b.pivot, b.end);
  if (!(length > 1e-6f) || !isfinite(length)) return;
  move_state(job, s, &b, length);
  sinew_vec3 have = vec3_unit(vec3_sub(b.end, b.pivot), (sinew_vec3){0, 1, 0});
  sinew_vec3 want = vec3_unit(vec3_sub(s->position, b.pivot), have);
  posed_rotate(&job->posed, joint, rotation_in_parent(&job->world, quat_between(have, want)), job->weight);
  posed_update(&job->posed, joint);
}

bool sinew_spring(const sinew_spring_job *job) {
  if (sinew_spring_check(job)) return false;
  uint64_t before = float_env_enter();
  for (int i = 0; i < job->count; i++) spring_joint(job, job->joints[i], job->states + i);
  float_env_leave(before);
  return true;
}
