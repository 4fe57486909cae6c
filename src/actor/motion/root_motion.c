#include "actor/motion/root_motion.h"

#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "math/elementary.h"

#include <math.h>

/* Metres: a shorter path from beginning to end counts as none; how high a foot on the ground is. */
static const float least_displacement = 0.01f, foot_height = 0.02f;

sinew_root_def sinew_root_def_default(void) {
  return (sinew_root_def){
      .joint = -1, .axes = SINEW_ROOT_X | SINEW_ROOT_Z | SINEW_ROOT_YAW, .apply = true, .foot_height = NAN};
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

static bool has_way(const root_motion *r, const sinew_model *model, float unit, int clip) {
  sinew_transform displacement = sinew_transform_identity();
  sinew_root_track track = track_of(r, model, clip);
  track.axes |= SINEW_ROOT_X | SINEW_ROOT_Z;
  sinew_root_motion(&(sinew_root_motion_job){track, 0, model->clips[clip].duration, 0, 0, 0, &displacement});
  return float_hypot(displacement.translation.x, displacement.translation.z) >= least_displacement * unit;
}

static void find_path(root_motion *r, const sinew_model *model, float unit, int clip) {
  root_path *path = r->paths + clip;
  double duration = model->clips[clip].duration;
  path->known = true;
  if (r->def.foot_count == 0 || !(duration > 0) || has_way(r, model, unit, clip)) return;
  path->count = (int)fmin(ceil(duration * ROOT_PATH_RATE) + 1, 36001);
  path->points = mem_alloc_array((size_t)path->count, sizeof *path->points);
  float height = isnan(r->def.foot_height) ? foot_height * unit : r->def.foot_height;
  bool found = path->points && sinew_root_from_feet(&(sinew_root_from_feet_job){.model = model,
                                                                                .clip = model->clips + clip,
                                                                                .feet = r->def.feet,
                                                                                .foot_count = r->def.foot_count,
                                                                                .height = height,
                                                                                .path = path->points,
                                                                                .path_count = path->count});
  if (found) return;
  mem_free(path->points);
  path->points = NULL;
}

void root_prepare(root_motion *r, const sinew_model *model, double unit, const clip_instance_list *instances) {
  for (int i = 0; root_is_on(r) && i < instances->count; i++)
    if (instances->items[i].layer == 0 && !r->paths[instances->items[i].clip].known)
      find_path(r, model, (float)unit, instances->items[i].clip);
}

/* ---- the motion ---- */

void root_remove(const root_motion *r, const sinew_model *model, int clip, double time, sinew_pose pose) {
  if (root_is_on(r) && !r->paths[clip].points)
    sinew_root_remove(&(sinew_root_remove_job){track_of(r, model, clip), time, pose});
}

sinew_mat3x4 root_inverse(const root_motion *r, const sinew_model *model, int clip, double time) {
  sinew_transform moved = sinew_transform_identity();
  sinew_mat3x4 inverse = sinew_mat3x4_identity();
  if (!root_is_on(r) || r->paths[clip].points) return inverse;
  sinew_root_motion(&(sinew_root_motion_job){track_of(r, model, clip), 0, time, 0, 0, 0, &moved});
  sinew_mat3x4 position = sinew_mat3x4_from_transform(&moved);
  sinew_mat3x4_inverse(&position, &inverse);
  return inverse;
}

/* On a path, the feet give the displacement along x and z; there is no rotation. */
static planar path_part(const root_motion *r, const sinew_model *model, int clip, playback_span span) {
  sinew_vec3 displacement = {0, 0, 0};
  const root_path *path = r->paths + clip;
  sinew_root_path(&(sinew_root_path_job){path->points, path->count, model->clips[clip].duration, span.from, span.to,
                                         span.loops, &displacement});
  return (planar){r->def.axes & SINEW_ROOT_X ? (double)displacement.x : 0, 0,
                  r->def.axes & SINEW_ROOT_Z ? (double)displacement.z : 0, 0};
}

/* The clip's displacement between the moments of the last advance. */
static planar part_of(const root_motion *r, const sinew_model *model, int clip, const playback *p) {
  playback_span span = playback_last_span(p);
  if (r->paths[clip].points) return path_part(r, model, clip, span);
  sinew_transform part = sinew_transform_identity();
  sinew_root_motion(&(sinew_root_motion_job){track_of(r, model, clip), span.from, span.to, span.loops, p->begin,
                                             p->begin + p->duration, &part});
  return (planar){(double)part.translation.x, (double)part.translation.y, (double)part.translation.z,
                  2 * sinew_atan2((double)part.rotation.y, (double)part.rotation.w)};
}

/* A frozen pose continues at the speed that its clip had when it stopped. */
static planar coasting(const root_motion *r, const sinew_model *model, const clip_instance *item, double dt) {
  static const double moment = 1.0 / 120;
  playback p = item->now;
  playback_advance(&p, -moment);
  if (p.position > item->now.position && item->now.loops == 0) p = item->now; /* it had only begun */
  playback_advance(&p, moment);
  return planar_scale(planar_log(part_of(r, model, item->clip, &p)), dt / moment);
}

void root_add(root_sum *sum, const root_motion *r, const sinew_model *model, const clip_instance *item, float weight,
              double dt) {
  planar twist = item->coasts ? coasting(r, model, item, dt) : planar_log(part_of(r, model, item->clip, &item->now));
  sum->twist = planar_add(sum->twist, planar_scale(twist, (double)weight));
  sum->weight += (double)weight;
}

/* ∫ (1 − s)³ (1 + 3 s + 6 s²) ds: the quintic by which the offset of a pose decays. */
static double decayed(double s) {
  s = fmin(fmax(s, 0), 1);
  double s2 = s * s, s4 = s2 * s2;
  return s - 2.5 * s4 + 3 * s4 * s - s4 * s2;
}

/* The displacement of the decaying earlier velocity in the update. */
static planar carry_on(root_motion *r, double dt) {
  if (!(r->duration > 0) || r->time >= r->duration) return (planar){0, 0, 0, 0};
  double from = decayed(r->time / r->duration);
  r->time += dt;
  return planar_scale(r->lost, r->duration * (decayed(r->time / r->duration) - from));
}

void root_finish(root_motion *r, const root_sum *sum, double dt, const root_change *change) {
  planar twist = sum->weight > 1 ? planar_scale(sum->twist, 1 / sum->weight) : sum->twist;
  double late = change && dt > 0 ? fmin(change->late, 0.999 * dt) : 0;
  if (change && dt > 0) {
    r->lost = planar_add(r->velocity, planar_scale(twist, -1 / (dt - late)));
    r->time = 0;
    r->duration = change->seconds;
    twist = planar_add(twist, planar_scale(r->velocity, late));
  }
  twist = planar_add(twist, carry_on(r, dt - late));
  if (dt > 0) r->velocity = planar_scale(twist, 1 / dt);
  r->delta = planar_transform(planar_exp(twist));
}

/* ---- public ---- */

static const char *check(const actor *a, const sinew_root_def *def) {
  if (!a) return "the actor is gone";
  if (def->joint >= a->model->joint_count) return "there is no such joint";
  if (def->axes > 15) return "there are no such axes";
  if (def->foot_count < 0 || def->foot_count > SINEW_FEET_MAX) return "it has more than 16 feet";
  for (int i = 0; i < def->foot_count; i++)
    if (def->feet[i] < 0 || def->feet[i] >= a->model->joint_count) return "a foot is not a joint";
  bool low = isnan(def->foot_height) || (def->foot_height > 0 && isfinite(def->foot_height));
  if (def->foot_count && !low) return "its foot height is not above 0";
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
    error_set(error, "the root motion cannot be set: %s", reason);
    return false;
  }
  root_reset(&a->root, a->model->clip_count);
  a->root.def = *def;
  a->root.paths = paths;
  return true;
}

sinew_root_def sinew_actor_root(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a ? a->root.def : sinew_root_def_default();
}

sinew_transform sinew_actor_root_delta(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a ? a->root.delta : sinew_transform_identity();
}
