#include "pose/motion/feet.h"

#include "base/memory/memory.h"
#include "math/float_env.h"
#include "math/vec3.h"
#include "model/body/body.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* NULL, or the reason why the feet cannot be followed. */
static const char *feet_check(const sinew_model *model, const sinew_clip *clip, const int *joints, int count) {
  if (!model) return "feet: the model is missing";
  if (!clip) return "feet: the clip is missing";
  if (clip->joint_count != model->joint_count) return "feet: the clip belongs to another model";
  if (!joints || count < 1 || count > SINEW_FEET_MAX) return "feet: there are not 1 to 16 of them";
  for (int i = 0; i < count; i++)
    if (joints[i] < 0 || joints[i] >= model->joint_count) return "feet: there is no such joint";
  return NULL;
}

static double feet_time(const foot_paths *f, int moment) {
  return f->moments > 1 ? f->duration * moment / (f->moments - 1) : 0;
}

sinew_vec3 feet_position(const foot_paths *f, int foot, int moment) { return f->positions[moment * f->count + foot]; }

/* Where a foot stands on the ground: at the joint, or on a sole without toes that bend. */
typedef struct sole_line {
  int joint;
  sinew_vec3 ends[2]; /* in its space */
} sole_line;

static sole_line sole_of(const sinew_model *model, int joint) {
  const model_body *b = model->body;
  for (int i = 0; i < b->foot_count; i++) {
    const body_foot *f = b->feet + i;
    bool toeless = f->contact != f->toes && (f->foot == joint || f->toes == joint);
    if (f->contact == joint || toeless) return (sole_line){f->contact, {f->heel, f->ball}};
  }
  return (sole_line){joint, {{0, 0, 0}, {0, 0, 0}}};
}

/* A foot without toes rolls over its sole: from one moment to the next it goes as far as the end of the sole that is
 * lower. Its path begins where that end is. */
static sinew_vec3 roll(sinew_vec3 path, const sinew_vec3 before[2], const sinew_vec3 now[2]) {
  int low = before[1].y + now[1].y < before[0].y + now[0].y;
  path = vec3_add(path, vec3_sub(now[low], before[low]));
  path.y = fminf(now[0].y, now[1].y);
  return path;
}

/* Evaluates whole poses, because following each foot from the root down is already slower for the first one. */
static void follow(foot_paths *f, const sinew_model *model, const sinew_clip *clip, const sole_line *soles,
                   sinew_pose pose, sinew_mat3x4 *placed) {
  sinew_vec3 before[SINEW_FEET_MAX][2];
  for (int i = 0; i < f->moments; i++) {
    sinew_sample(&(sinew_sample_job){model, clip, feet_time(f, i), pose});
    sinew_local_to_model(&(sinew_local_to_model_job){model, pose, placed, 0});
    for (int k = 0; k < f->count; k++) {
      sinew_vec3 now[2], *path = f->positions + i * f->count + k;
      for (int end = 0; end < 2; end++)
        now[end] = sinew_mat3x4_transform_point(placed + soles[k].joint, soles[k].ends[end]);
      *path = i ? roll(path[-f->count], before[k], now) : now[now[1].y < now[0].y];
      f->lowest[k] = i ? fminf(f->lowest[k], path->y) : path->y;
      memcpy(before[k], now, sizeof now);
    }
  }
}

bool feet_measure(foot_paths *f, const sinew_model *model, const sinew_clip *clip, const int *joints, int count,
                  int moments) {
  *f = (foot_paths){sinew_clip_duration(clip), count, moments, NULL, {0}};
  f->positions = mem_alloc_array((size_t)moments * (size_t)count, sizeof *f->positions);
  sinew_pose pose = {mem_alloc_array((size_t)sinew_pose_group_count(model->joint_count), sizeof *pose.groups),
                     model->joint_count};
  sinew_mat3x4 *placed = mem_alloc_array((size_t)model->joint_count, sizeof *placed);
  sole_line soles[SINEW_FEET_MAX];
  for (int i = 0; i < count; i++) soles[i] = sole_of(model, joints[i]);
  bool room = f->positions && pose.groups && placed;
  if (room) follow(f, model, clip, soles, pose, placed);
  mem_free(placed);
  mem_free(pose.groups);
  return room;
}

void feet_release(foot_paths *f) { mem_free(f->positions); }

/* ---- contacts ---- */

const char *sinew_find_contacts_check(const sinew_find_contacts_job *job) {
  const char *reason = feet_check(job->model, job->clip, job->feet, job->foot_count);
  if (reason) return reason;
  if (job->path_count != 0 && (!job->path || job->path_count < 2))
    return "contacts: the path has fewer than two positions";
  if (!(job->height > 0) || !isfinite(job->height)) return "contacts: the height is not a positive number";
  if (!(job->speed > 0) || !isfinite(job->speed)) return "contacts: the speed is not a positive number";
  if (!(job->shortest >= 0) || !isfinite(job->shortest)) return "contacts: the shortest time is negative or not finite";
  if (!(job->rate >= 1 && job->rate <= 1000)) return "contacts: the rate is not in 1..1000";
  if (job->capacity < 0 || (job->capacity > 0 && !job->output) || !job->count) return "contacts: the output is missing";
  return NULL;
}

typedef struct search {
  const sinew_find_contacts_job *job;
  foot_paths feet;
  int found;
} search;

static sinew_vec3 position_on_ground(const search *s, int foot, int moment) {
  const sinew_find_contacts_job *job = s->job;
  sinew_vec3 position = feet_position(&s->feet, foot, moment), root = {0, 0, 0};
  double duration = s->feet.duration, time = feet_time(&s->feet, moment);
  if (job->path_count && duration > 0)
    sinew_root_path(&(sinew_root_path_job){job->path, job->path_count, duration, 0, time, 0, &root});
  return vec3_add(position, root);
}

/* Whether a foot is near the ground at both moments, and slow in between. */
static bool is_down(const search *s, int foot, int moment) {
  double from = feet_time(&s->feet, moment), to = feet_time(&s->feet, moment + 1);
  sinew_vec3 a = position_on_ground(s, foot, moment), b = position_on_ground(s, foot, moment + 1);
  if (fmaxf(a.y, b.y) - s->feet.lowest[foot] > s->job->height) return false;
  return (double)vec3_distance(a, b) <= (double)s->job->speed * (to - from);
}

static void add_contact(search *s, sinew_contact contact) {
  if (contact.end - contact.start < s->job->shortest) return;
  if (s->found < s->job->capacity) s->job->output[s->found] = contact;
  s->found++;
}

/* A contact at the end continues into one at the beginning, `wrapped` moments long, which then does not count
 * separately. */
static void find_foot(search *s, int foot) {
  int last = s->feet.moments - 1, wrapped = 0, begin = -1;
  while (s->job->loop && wrapped < last && is_down(s, foot, last - 1) && is_down(s, foot, wrapped)) wrapped++;
  if (wrapped == last) { /* it never leaves the ground */
    add_contact(s, (sinew_contact){foot, 0, s->feet.duration});
    return;
  }
  for (int i = wrapped; i <= last; i++) {
    bool down = i < last && is_down(s, foot, i);
    if (down && begin < 0) begin = i;
    if (down || begin < 0) continue;
    double end = feet_time(&s->feet, i);
    if (i == last) end += feet_time(&s->feet, wrapped);
    add_contact(s, (sinew_contact){foot, feet_time(&s->feet, begin), end});
    begin = -1;
  }
}

bool sinew_find_contacts(const sinew_find_contacts_job *job) {
  if (sinew_find_contacts_check(job)) return false;
  uint64_t before = float_env_enter();
  double moments = ceil(sinew_clip_duration(job->clip) * job->rate) + 1;
  if (!(moments < 1e5)) moments = 1e5; /* a clip of hours is sampled less often */
  search s = {.job = job};
  bool measured = feet_measure(&s.feet, job->model, job->clip, job->feet, job->foot_count, (int)moments);
  for (int i = 0; measured && i < job->foot_count; i++) find_foot(&s, i);
  if (measured) *job->count = s.found;
  feet_release(&s.feet);
  float_env_leave(before);
  return measured;
}

/* ---- root from feet ---- */

const char *sinew_root_from_feet_check(const sinew_root_from_feet_job *job) {
  const char *reason = feet_check(job->model, job->clip, job->feet, job->foot_count);
  if (reason) return reason;
  if (!(job->height > 0) || !isfinite(job->height)) return "feet: the height is not a positive number";
  if (!job->path || job->path_count < 2) return "feet: the path has no room for two positions";
  return NULL;
}

static bool has(const int *joints, int count, int joint) {
  for (int i = 0; i < count; i++)
    if (joints[i] == joint) return true;
  return false;
}

int feet_add_balls(const sinew_model *model, int *joints, int count) {
  int all = count;
  for (int i = 0; i < count; i++)
    for (int j = joints[i] + 1; j < model->joint_count && all < SINEW_FEET_MAX; j++)
      if (model->parents[j] == joints[i] && !has(joints, all, j)) joints[all++] = j;
  return all;
}

/* Almost only feet at their lowest position count: a rolling foot is slower than the ground even when it is only some
 * millimetres up. */
static float firmness(float height, float highest) {
  float w = fmaxf(1 - height / highest, 0);
  w *= w;
  w *= w;
  return w * w;
}

/* The root's displacement from one moment to the next: that of the firmly planted feet and, for the remaining weight,
 * the previous displacement. */
static sinew_vec3 next_step(const foot_paths *f, float height, int moment, sinew_vec3 before) {
  sinew_vec3 sum = {0, 0, 0};
  float total = 0;
  for (int i = 0; i < f->count; i++) {
    sinew_vec3 a = feet_position(f, i, moment), b = feet_position(f, i, moment + 1);
    float weight = firmness(fmaxf(a.y, b.y) - f->lowest[i], height);
    sum = vec3_add_scaled(sum, weight, vec3_sub(a, b));
    total += weight;
  }
  if (!(total > 0)) return before;
  /* all of it within a sixtieth of a second, however many moments that is */
  double seconds = feet_time(f, moment + 1) - feet_time(f, moment);
  float much = fminf(fminf(total, 1) * (float)fmin(seconds * 60, 1), 1);
  return vec3_lerp(before, (sinew_vec3){sum.x / total, 0, sum.z / total}, much);
}

void feet_find_path(const foot_paths *f, float height, sinew_vec3 *path) {
  sinew_vec3 step = {0, 0, 0};
  for (int i = 0; i + 1 < f->moments; i++) step = next_step(f, height, i, step); /* how the clip ends */
  path[0] = (sinew_vec3){0, 0, 0};
  for (int i = 0; i + 1 < f->moments; i++) {
    step = next_step(f, height, i, step);
    path[i + 1] = vec3_add(path[i], step);
  }
}

bool sinew_root_from_feet(const sinew_root_from_feet_job *job) {
  if (sinew_root_from_feet_check(job)) return false;
  uint64_t before = float_env_enter();
  int joints[SINEW_FEET_MAX];
  memcpy(joints, job->feet, (size_t)job->foot_count * sizeof *joints);
  int count = feet_add_balls(job->model, joints, job->foot_count);
  foot_paths f;
  bool measured = feet_measure(&f, job->model, job->clip, joints, count, job->path_count);
  if (measured) feet_find_path(&f, job->height, job->path);
  feet_release(&f);
  float_env_leave(before);
  return measured;
}

const char *sinew_root_path_check(const sinew_root_path_job *job) {
  if (!job->path || job->path_count < 2) return "root path: it has fewer than two positions";
  if (!(job->duration > 0) || !isfinite(job->duration)) return "root path: the duration is not a positive number";
  if (!isfinite(job->from) || !isfinite(job->to)) return "root path: a time is not a finite number";
  if (!job->output) return "root path: the output is missing";
  return NULL;
}

static sinew_vec3 position_at(const sinew_root_path_job *job, double time) {
  int last = job->path_count - 1;
  double at = fmin(fmax(time / job->duration, 0), 1) * last;
  int i = at < last ? (int)at : last - 1;
  return vec3_lerp(job->path[i], job->path[i + 1], (float)(at - i));
}

bool sinew_root_path(const sinew_root_path_job *job) {
  if (sinew_root_path_check(job)) return false;
  uint64_t before = float_env_enter();
  sinew_vec3 displacement = vec3_sub(job->path[job->path_count - 1], job->path[0]);
  *job->output = vec3_add_scaled(vec3_sub(position_at(job, job->to), position_at(job, job->from)), (float)job->loops,
                                 displacement);
  float_env_leave(before);
  return true;
}
