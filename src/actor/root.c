#include "actor/root.h"

#include "actor/stage.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Less than this from beginning to end is no way. */
static const float least_way = 0.01f;

sinew_root_def sinew_root_def_default(void) {
  return (sinew_root_def){
      .joint = -1, .axes = SINEW_ROOT_X | SINEW_ROOT_Z | SINEW_ROOT_YAW, .apply = true, .foot_height = 0.02f};
}

bool root_is_on(const root_motion *r) { return r->def.joint >= 0 && r->def.axes != 0; }

void root_reset(root_motion *r, int clip_count) {
  for (int i = 0; r->paths && i < clip_count; i++) mem_free(r->paths[i].points);
  mem_free(r->paths);
  *r = (root_motion){.def = {.joint = -1}, .delta = sinew_transform_identity()};
}

static sinew_root_track track_of(const root_motion *r, const sinew_model *model, int clip) {
  return (sinew_root_track){model, model->clips + clip, r->def.joint, r->def.axes};
}

/* ---- ways from feet ---- */

static bool has_way(const root_motion *r, const sinew_model *model, int clip) {
  sinew_transform way = sinew_transform_identity();
  sinew_root_track track = track_of(r, model, clip);
  track.axes |= SINEW_ROOT_X | SINEW_ROOT_Z;
  sinew_root_motion(&(sinew_root_motion_job){track, 0, model->clips[clip].duration, 0, 0, 0, &way});
  return hypotf(way.translation.x, way.translation.z) >= least_way;
}

static void find_path(root_motion *r, const sinew_model *model, int clip) {
  root_path *path = r->paths + clip;
  double duration = model->clips[clip].duration;
  path->known = true;
  if (r->def.foot_count == 0 || !(duration > 0) || has_way(r, model, clip)) return;
  path->count = (int)fmin(ceil(duration * ROOT_PATH_RATE) + 1, 36001);
  path->points = mem_alloc_array((size_t)path->count, sizeof *path->points);
  bool found = path->points && sinew_root_from_feet(&(sinew_root_from_feet_job){.model = model,
                                                                                .clip = model->clips + clip,
                                                                                .feet = r->feet,
                                                                                .foot_count = r->def.foot_count,
                                                                                .height = r->def.foot_height,
                                                                                .path = path->points,
                                                                                .path_count = path->count});
  if (found) return;
  mem_free(path->points);
  path->points = NULL;
}

void root_prepare(root_motion *r, const sinew_model *model, const leaf_list *leaves) {
  for (int i = 0; root_is_on(r) && i < leaves->count; i++)
    if (leaves->items[i].layer == 0 && !r->paths[leaves->items[i].clip].known)
      find_path(r, model, leaves->items[i].clip);
}

/* ---- the motion ---- */

void root_remove(const root_motion *r, const sinew_model *model, int clip, double time, sinew_pose pose) {
  if (root_is_on(r) && !r->paths[clip].points)
    sinew_root_remove(&(sinew_root_remove_job){track_of(r, model, clip), time, pose});
}

/* On a path the feet say the way along x and z; nothing turns. */
static void add_path(root_sum *sum, const root_motion *r, const sinew_model *model, int clip, playback_span span,
                     double weight) {
  sinew_vec3 way = {0, 0, 0};
  const root_path *path = r->paths + clip;
  sinew_root_path(&(sinew_root_path_job){path->points, path->count, model->clips[clip].duration, span.from, span.to,
                                         span.loops, &way});
  if (r->def.axes & SINEW_ROOT_X) sum->x += weight * (double)way.x;
  if (r->def.axes & SINEW_ROOT_Z) sum->z += weight * (double)way.z;
}

void root_add(root_sum *sum, const root_motion *r, const sinew_model *model, const leaf *item, float share) {
  playback_span span = playback_last_span(&item->now);
  double weight = (double)share;
  sum->weight += weight;
  if (r->paths[item->clip].points) {
    add_path(sum, r, model, item->clip, span, weight);
    return;
  }
  sinew_transform part = sinew_transform_identity();
  double begin = item->now.begin, end = begin + item->now.duration;
  sinew_root_motion(
      &(sinew_root_motion_job){track_of(r, model, item->clip), span.from, span.to, span.loops, begin, end, &part});
  sum->x += weight * (double)part.translation.x;
  sum->y += weight * (double)part.translation.y;
  sum->z += weight * (double)part.translation.z;
  sum->yaw += weight * 2 * atan2((double)part.rotation.y, (double)part.rotation.w);
}

sinew_transform root_total(const root_sum *sum, float threshold) {
  sinew_transform total = sinew_transform_identity();
  double weight = fmax(sum->weight, (double)threshold);
  total.translation = (sinew_vec3){(float)(sum->x / weight), (float)(sum->y / weight), (float)(sum->z / weight)};
  total.rotation = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, (float)(sum->yaw / weight));
  return total;
}

/* ---- public ---- */

static const char *check(const actor *a, const sinew_root_def *def) {
  if (!a) return "the actor is gone";
  if (def->joint >= a->model->joint_count) return "there is no such joint";
  if (def->axes > 15) return "there are no such axes";
  if (def->foot_count < 0 || def->foot_count > SINEW_FEET_MAX) return "it has more than 16 feet";
  for (int i = 0; i < def->foot_count; i++)
    if (def->feet[i] < 0 || def->feet[i] >= a->model->joint_count) return "a foot is no joint";
  if (def->foot_count && !(def->foot_height > 0 && isfinite(def->foot_height))) return "its foot height is not above 0";
  return NULL;
}

bool sinew_actor_set_root(sinew_stage *stage, sinew_actor id, const sinew_root_def *def, sinew_error *error) {
  actor *a = stage_find(stage, id);
  const char *reason = stage_closed(stage) ? stage_closed(stage) : check(a, def);
  root_path *paths = NULL;
  if (!reason && def->joint >= 0) {
    paths = mem_alloc_array((size_t)a->model->clip_count + 1, sizeof *paths);
    if (!paths) reason = "out of memory";
  }
  if (reason) {
    error_set(error, "there can be no such root motion: %s", reason);
    return false;
  }
  root_reset(&a->root, a->model->clip_count);
  a->root.def = *def;
  a->root.paths = paths;
  if (def->foot_count) memcpy(a->root.feet, def->feet, (size_t)def->foot_count * sizeof *def->feet);
  return true;
}

sinew_transform sinew_actor_root_delta(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a ? a->root.delta : sinew_transform_identity();
}
