#include "pose/motion/feet.h"

#include "base/memory/memory.h"
#include "math/vec3.h"
#include "model/body/body.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

const char *feet_check(const sinew_model *model, const sinew_clip *clip, const int *joints, int count) {
  if (!model) return "feet: the model is missing";
  if (!clip) return "feet: the clip is missing";
  if (clip->joint_count != model->joint_count) return "feet: the clip belongs to another model";
  if (!joints || count < 1 || count > SINEW_FEET_MAX) return "feet: there are not 1 to 16 of them";
  for (int i = 0; i < count; i++)
    if (joints[i] < 0 || joints[i] >= model->joint_count) return "feet: there is no such joint";
  return NULL;
}

double feet_time(const foot_paths *f, int moment) {
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
