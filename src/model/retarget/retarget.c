#include "model/retarget/retarget.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/body/body.h"
#include "model/model_space.h"
#include "model/names/mirror.h"

#include <math.h>
#include <string.h>

/* ---- making a plan ---- */

typedef struct planner {
  retarget_plan *plan;
  const joint_map *map;
  sinew_transform *theirs, *ours; /* the rest poses in model space; theirs is rotated once the rotation is known */
  sinew_quat *aligns;
  int32_t *limb_children; /* for joints of ours whose direction matters: the joint that they point to; else -1 */
} planner;

static int partner(const planner *p, int ours) { return ours > 0 ? p->map->theirs[ours] : -1; }

static sinew_vec3 our_position(const planner *p, int ours) { return p->ours[ours].translation; }

static sinew_vec3 their_position(const planner *p, int ours) { return p->theirs[partner(p, ours)].translation; }

/* ---- the directions in which they face ---- */

typedef struct frame {
  sinew_vec3 axes[3]; /* to the left, up, forwards */
} frame;

static bool make_frame(sinew_vec3 up, sinew_vec3 left, frame *f) {
  if (!(vec3_length(up) > 0) || !(vec3_length(left) > 0)) return false;
  f->axes[1] = vec3_unit(up, (sinew_vec3){0, 1, 0});
  sinew_vec3 level = vec3_without(left, f->axes[1]);
  f->axes[0] = vec3_unit(level, (sinew_vec3){0, 1, 0});
  f->axes[2] = vec3_cross(f->axes[0], f->axes[1]);
  return vec3_length(level) > 0.1f * vec3_length(left);
}

/* Needs a matched joint on each side, and one above the hips. */
static bool find_frames(const planner *p, frame *theirs, frame *ours) {
  static const limb_slot slots[] = {LIMB_THIGH, LIMB_UPPER_ARM, LIMB_CLAVICLE, LIMB_SHIN, LIMB_FOREARM};
  const humanoid *body = &p->map->our_body;
  int top = partner(p, body->head) >= 0 ? body->head : -1;
  for (int i = body->spine_count - 1; i >= 0 && top < 0; i--)
    if (partner(p, body->spine[i]) >= 0) top = body->spine[i];
  if (partner(p, body->hips) < 0 || top < 0) return false;
  for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
    int left = body->limbs[0][slots[i]], right = body->limbs[1][slots[i]];
    if (partner(p, left) < 0 || partner(p, right) < 0) continue;
    return make_frame(vec3_sub(their_position(p, top), their_position(p, body->hips)),
                      vec3_sub(their_position(p, left), their_position(p, right)), theirs) &&
           make_frame(vec3_sub(our_position(p, top), our_position(p, body->hips)),
                      vec3_sub(our_position(p, left), our_position(p, right)), ours);
  }
  return false;
}

static sinew_vec3 axis(int index) {
  float sign = index < 3 ? 1.0f : -1.0f;
  return (sinew_vec3){index % 3 == 0 ? sign : 0, index % 3 == 1 ? sign : 0, index % 3 == 2 ? sign : 0};
}

/* Of the 24 rotations that keep axes on axes, the one that brings their frame nearest to ours: the identity for a
 * skeleton in the usual orientation. The rest poses account for the remainder. */
static sinew_quat nearest_rotation(const frame *theirs, const frame *ours) {
  sinew_quat best = {0, 0, 0, 1};
  float most = -4;
  for (int x = 0; x < 6; x++)
    for (int y = 0; y < 6; y++) {
      if (x % 3 == y % 3) continue;
      sinew_vec3 ex = axis(x), ey = axis(y), ez = vec3_cross(ex, ey);
      sinew_mat3x4 m = {{ex.x, ey.x, ez.x, 0, ex.y, ey.y, ez.y, 0, ex.z, ey.z, ez.z, 0}};
      sinew_quat rotation = sinew_transform_from_mat3x4(&m).rotation;
      float sum = 0;
      for (int k = 0; k < 3; k++) sum += vec3_dot(quat_rotate(rotation, theirs->axes[k]), ours->axes[k]);
      bool better = sum > most + 1e-3f || (x == 0 && y == 1 && sum > most - 0.2f);
      if (better) most = sum, best = rotation;
    }
  return best;
}

static void find_rotation(const planner *p) {
  frame theirs, ours;
  p->plan->rotation = (sinew_quat){0, 0, 0, 1};
  if (find_frames(p, &theirs, &ours)) p->plan->rotation = nearest_rotation(&theirs, &ours);
  for (int i = 0; i < p->plan->theirs->count; i++) {
    p->theirs[i].translation = quat_rotate(p->plan->rotation, p->theirs[i].translation);
    p->theirs[i].rotation = sinew_quat_multiply(p->plan->rotation, p->theirs[i].rotation);
  }
}

/* ---- size ---- */

typedef struct lengths {
  float theirs, ours;
} lengths;

static void add_lengths(const planner *p, int above, int below, lengths *sum) {
  if (partner(p, above) < 0 || partner(p, below) < 0) return;
  sum->ours += vec3_length(vec3_sub(our_position(p, below), our_position(p, above)));
  sum->theirs += vec3_length(vec3_sub(their_position(p, below), their_position(p, above)));
}

static int matched_ancestor(const planner *p, int ours) {
  do ours = p->plan->ours->parents[ours];
  while (ours > 0 && partner(p, ours) < 0);
  return ours;
}

/* By the legs, which determine the length of a step; without legs by all matched joints. */
static lengths find_lengths(const planner *p) {
  lengths legs = {0, 0}, all = {0, 0};
  for (int side = 0; side < 2; side++) {
    const int32_t *limbs = p->map->our_body.limbs[side];
    add_lengths(p, limbs[LIMB_THIGH], limbs[LIMB_SHIN], &legs);
    add_lengths(p, limbs[LIMB_SHIN], limbs[LIMB_FOOT], &legs);
  }
  for (int i = 1; i < p->plan->ours->count; i++) add_lengths(p, matched_ancestor(p, i), i, &all);
  return legs.theirs > 0 && legs.ours > 0 ? legs : all;
}

static void find_scale(const planner *p, const lengths *found) {
  float ratio = found->theirs > 0 && found->ours > 0 ? found->ours / found->theirs : 1;
  if (!isfinite(ratio) || ratio <= 0) ratio = 1;
  p->plan->scale = fabsf(ratio - 1) < 1e-3f ? 1 : ratio;
}

/* ---- rest poses ---- */

static void point(const planner *p, int above, int below) {
  if (above > 0 && below > 0) p->limb_children[above] = below;
}

static void find_limbs(const planner *p) {
  for (int i = 0; i < p->plan->ours->count; i++) p->limb_children[i] = -1;
  for (int side = 0; side < 2; side++) {
    const int32_t *limbs = p->map->our_body.limbs[side];
    point(p, limbs[LIMB_UPPER_ARM], limbs[LIMB_FOREARM]);
    point(p, limbs[LIMB_FOREARM], limbs[LIMB_HAND]);
    point(p, limbs[LIMB_THIGH], limbs[LIMB_SHIN]);
    point(p, limbs[LIMB_SHIN], limbs[LIMB_FOOT]);
    for (int k = 0; k < HUMANOID_FINGERS * HUMANOID_SEGMENTS - 1; k++) {
      const int32_t *finger = p->map->our_body.fingers[side][k / HUMANOID_SEGMENTS];
      if (k % HUMANOID_SEGMENTS < HUMANOID_SEGMENTS - 1)
        point(p, finger[k % HUMANOID_SEGMENTS], finger[k % HUMANOID_SEGMENTS + 1]);
    }
  }
}

/* A file whose rest pose is in mid-stride has one foot in the air: their soles are not level. */
static bool rests_in_stride(const planner *p) {
  const humanoid *body = &p->map->our_body;
  int left = body->limbs[0][LIMB_FOOT], right = body->limbs[1][LIMB_FOOT], thigh = body->limbs[0][LIMB_THIGH];
  if (partner(p, left) < 0 || partner(p, right) < 0 || partner(p, thigh) < 0) return false;
  float leg = vec3_length(vec3_sub(their_position(p, thigh), their_position(p, left)));
  return fabsf(their_position(p, left).y - their_position(p, right).y) > 0.05f * leg;
}

static float lower_ankle(const planner *p) {
  const humanoid *body = &p->map->our_body;
  return fminf(their_position(p, body->limbs[0][LIMB_FOOT]).y, their_position(p, body->limbs[1][LIMB_FOOT]).y);
}

static void point_feet(const planner *p) {
  for (int side = 0; side < 2; side++) {
    const int32_t *limbs = p->map->our_body.limbs[side];
    point(p, limbs[LIMB_FOOT], limbs[LIMB_TOES]);
  }
}

static bool is_foot(const planner *p, int ours) {
  return ours == p->map->our_body.limbs[0][LIMB_FOOT] || ours == p->map->our_body.limbs[1][LIMB_FOOT];
}

/* A limb takes its parent's rotation, and then the smallest one that makes both point in the same direction, so a hand
 * rotates with its forearm. Soles are level in every rest pose, whatever the legs do; in mid-stride a foot points as
 * its partner does. */
static sinew_quat align_joint(const planner *p, int ours) {
  sinew_quat align = p->aligns[p->plan->ours->parents[ours]];
  int child = p->limb_children[ours];
  if (is_foot(p, ours) && child < 0) return (sinew_quat){0, 0, 0, 1};
  if (child < 0 || partner(p, ours) < 0 || partner(p, child) < 0) return align;
  sinew_vec3 is = quat_rotate(align, vec3_sub(our_position(p, child), our_position(p, ours)));
  sinew_vec3 wanted = vec3_sub(their_position(p, child), their_position(p, ours));
  if (!(vec3_length(is) > 1e-6f) || !(vec3_length(wanted) > 1e-6f)) return align;
  return sinew_quat_normalize(sinew_quat_multiply(
      quat_between(vec3_unit(is, (sinew_vec3){0, 1, 0}), vec3_unit(wanted, (sinew_vec3){0, 1, 0})), align));
}

static void align_limbs(const planner *p) {
  if (rests_in_stride(p)) point_feet(p);
  p->aligns[0] = (sinew_quat){0, 0, 0, 1};
  p->plan->largest_align = 0;
  for (int i = 1; i < p->plan->ours->count; i++) {
    p->aligns[i] = align_joint(p, i);
    if (partner(p, i) >= 0) p->plan->largest_align = fmaxf(p->plan->largest_align, quat_angle(p->aligns[i]));
  }
}

/* ---- travel ---- */

static void lower(lengths *height, lengths other) {
  height->ours = fminf(height->ours, other.ours);
  height->theirs = fminf(height->theirs, other.theirs);
}

/* Finds the height of the hips above y = 0 with straight legs, in both skeletons: their height above the thighs at
 * rest, plus the legs, plus the lower ankle, because in a rest pose in mid-stride the other foot is in the air. False
 * without a whole leg. */
static bool find_standing(const planner *p, lengths *height) {
  const humanoid *body = &p->map->our_body;
  lengths ankle = {INFINITY, INFINITY};
  int legs = 0;
  *height = (lengths){0, 0};
  for (int side = 0; side < 2; side++) {
    const int32_t *limbs = body->limbs[side];
    int thigh = limbs[LIMB_THIGH], shin = limbs[LIMB_SHIN], foot = limbs[LIMB_FOOT];
    if (partner(p, body->hips) < 0 || partner(p, thigh) < 0 || partner(p, shin) < 0 || partner(p, foot) < 0) continue;
    add_lengths(p, thigh, shin, height);
    add_lengths(p, shin, foot, height);
    height->ours += our_position(p, body->hips).y - our_position(p, thigh).y;
    height->theirs += their_position(p, body->hips).y - their_position(p, thigh).y;
    lower(&ankle, (lengths){.theirs = their_position(p, foot).y, .ours = our_position(p, foot).y});
    legs++;
  }
  if (legs == 0) return false;
  height->theirs = height->theirs / (float)legs + ankle.theirs;
  height->ours = height->ours / (float)legs + ankle.ours;
  return true;
}

/* Motion capture often has its rest pose around the origin, with the height of the hips only in its curves. Then its
 * soles are below the ground, and it is lifted until its ankles are as high as ours. */
static void lift_from_origin(const planner *p, lengths *height) {
  const int32_t *limbs = p->map->our_body.limbs[partner(p, p->map->our_body.limbs[0][LIMB_FOOT]) < 0];
  float foot = their_position(p, limbs[LIMB_FOOT]).y, thigh = their_position(p, limbs[LIMB_THIGH]).y;
  if (foot < -0.5f * (thigh - foot)) height->theirs += our_position(p, limbs[LIMB_FOOT]).y / p->plan->scale - foot;
}

/* Hips are as high as the legs allow while the source stands upright, whatever their height in either rest pose. */
static void plan_hips(const planner *p, retarget_joint *hips) {
  lengths height;
  if (!find_standing(p, &height)) return;
  lift_from_origin(p, &height);
  if (rests_in_stride(p)) p->plan->stride_ankle = lower_ankle(p);
  hips->from.y = height.theirs;
  hips->to.y = height.ours;
}

static void plan_travel(const planner *p, int ours) {
  retarget_joint *joint = p->plan->joints + ours;
  int hips = p->map->our_body.hips;
  bool carries_hips = skeleton_is_above(p->plan->ours, ours, hips) && partner(p, hips) >= 0;
  joint->travels = carries_hips || matched_ancestor(p, ours) <= 0;
  if (!joint->travels) return;
  joint->from = their_position(p, ours);
  joint->to = our_position(p, ours);
  if (ours == hips) plan_hips(p, joint);
}

/* A foot that hangs elsewhere stays at the end of its shin. */
static void plan_feet(const planner *p) {
  for (int side = 0; side < 2; side++) {
    const int32_t *limbs = p->map->our_body.limbs[side];
    int shin = limbs[LIMB_SHIN], foot = limbs[LIMB_FOOT];
    if (shin <= 0 || foot <= 0 || partner(p, shin) < 0 || skeleton_is_above(p->plan->ours, shin, foot)) continue;
    p->plan->joints[foot].follows = shin;
    p->plan->joints[foot].travels = false;
    p->plan->joints[foot].offset = model_space_below(p->ours + shin, our_position(p, foot));
  }
}

static void plan_joints(const planner *p) {
  p->plan->stride_ankle = NAN;
  find_rotation(p);
  lengths found = find_lengths(p);
  find_scale(p, &found);
  find_limbs(p);
  align_limbs(p);
  for (int i = 0; i < p->plan->ours->count; i++) {
    retarget_joint *joint = p->plan->joints + i;
    *joint = (retarget_joint){.source = partner(p, i), .fix = {0, 0, 0, 1}, .follows = -1};
    if (joint->source < 0) continue;
    sinew_quat rest = sinew_quat_multiply(p->aligns[i], p->ours[i].rotation);
    joint->fix = sinew_quat_multiply(quat_conjugate(p->theirs[joint->source].rotation), rest);
    plan_travel(p, i);
  }
  plan_feet(p);
}

bool retarget_plan_make(retarget_plan *plan, const joint_map *map) {
  size_t theirs = (size_t)plan->theirs->count, ours = (size_t)plan->ours->count;
  planner p = {plan,
               map,
               mem_alloc_array(theirs, sizeof *p.theirs),
               mem_alloc_array(ours, sizeof *p.ours),
               mem_alloc_array(ours, sizeof *p.aligns),
               mem_alloc_array(ours, sizeof *p.limb_children)};
  bool room = p.theirs && p.ours && p.aligns && p.limb_children;
  if (room) {
    skeleton_to_model(plan->theirs, plan->theirs->rest, p.theirs);
    skeleton_to_model(plan->ours, plan->ours->rest, p.ours);
    plan_joints(&p);
  }
  mem_free(p.theirs), mem_free(p.ours), mem_free(p.aligns), mem_free(p.limb_children);
  return room;
}

/* ---- a pose ---- */

void retarget_apply(const retarget_plan *plan, const sinew_transform *theirs, sinew_transform *ours,
                    sinew_transform *ours_model) {
  ours[0] = ours_model[0] = plan->ours->rest[0];
  for (int i = 1; i < plan->ours->count; i++) {
    const retarget_joint *joint = plan->joints + i;
    const sinew_transform *parent = ours_model + plan->ours->parents[i];
    ours[i] = plan->ours->rest[i];
    if (joint->source >= 0) {
      const sinew_transform *source = theirs + joint->source;
      sinew_quat wanted = sinew_quat_multiply(sinew_quat_multiply(plan->rotation, source->rotation), joint->fix);
      ours[i].rotation = sinew_quat_normalize(sinew_quat_multiply(quat_conjugate(parent->rotation), wanted));
      sinew_vec3 offset = vec3_sub(quat_rotate(plan->rotation, source->translation), joint->from);
      if (joint->travels)
        ours[i].translation = model_space_below(parent, vec3_add(joint->to, vec3_scale(offset, plan->scale)));
    }
    ours_model[i] = model_space_compose(parent, ours + i);
  }
  for (int i = 1; i < plan->ours->count; i++) {
    const retarget_joint *joint = plan->joints + i;
    if (joint->follows < 0) continue;
    sinew_transform at = {joint->offset, {0, 0, 0, 1}, {1, 1, 1}};
    sinew_vec3 end = model_space_compose(ours_model + joint->follows, &at).translation;
    ours[i].translation = model_space_below(ours_model + plan->ours->parents[i], end);
    skeleton_to_model(plan->ours, ours, ours_model);
  }
}

/* ---- the internals of a sinew_retarget_map, and a model as a skeleton_view ---- */

skeleton_view model_skeleton(const sinew_model *model, sinew_transform *rest) {
  for (int i = 0; i < model->joint_count; i++) rest[i] = sinew_model_joint_rest(model, i);
  return (skeleton_view){model->joint_count, model->joint_names, model->parents, rest, model->ranks, model->parts};
}

static bool open_map(sinew_retarget_map *map, const sinew_joint_pair *pairs, int count, sinew_error *error) {
  size_t theirs = (size_t)map->from->joint_count, ours = (size_t)map->to->joint_count;
  sinew_transform *rest = mem_alloc_array(theirs + ours, sizeof *rest);
  map->plan.joints = mem_alloc_array(ours, sizeof *map->plan.joints);
  map->theirs.rest = rest; /* freed with the map */
  if (!rest || !map->plan.joints) return error_memory(error, map->to->path, (theirs + ours) * sizeof *rest);
  map->theirs = model_skeleton(map->from, rest);
  map->ours = model_skeleton(map->to, rest + theirs);
  map->plan.theirs = &map->theirs;
  map->plan.ours = &map->ours;
  joint_map_job job = {&map->theirs,          &map->ours, pairs, count, map->to->path, error, &map->from->body->person,
                       &map->to->body->person};
  if (!joint_map_find(&job, &map->map)) return false;
  return retarget_plan_make(&map->plan, &map->map) || error_memory(error, map->to->path, ours);
}

static bool check_map(const sinew_retarget_map *map, const sinew_joint_pair *pairs, int count, sinew_error *error) {
  for (int i = 0; i < count; i++)
    if (!map->map.pair_found[i])
      return error_set(error, "%s: has no joint '%s', which the map names", map->from->path, pairs[i].theirs);
  for (int i = 1; i < map->to->joint_count; i++)
    if (map->map.theirs[i] >= 0) return true;
  return error_set(error, "%s: has no joint that is one of %s, by name or by guess; a map can say which is",
                   map->from->path, map->to->path);
}

sinew_retarget_map *sinew_retarget_map_create(sinew_model *from, sinew_model *to, const sinew_joint_pair *pairs,
                                              int count, sinew_error *error) {
  sinew_retarget_map *map = mem_alloc_zeroed(sizeof *map);
  if (!map) {
    error_memory(error, to->path, sizeof *map);
    return NULL;
  }
  map->from = sinew_model_retain(from);
  map->to = sinew_model_retain(to);
  if (open_map(map, pairs, count, error) && check_map(map, pairs, count, error)) return map;
  sinew_retarget_map_destroy(map);
  return NULL;
}

void sinew_retarget_map_destroy(sinew_retarget_map *map) {
  if (!map) return;
  sinew_model_release(map->from);
  sinew_model_release(map->to);
  joint_map_reset(&map->map);
  mem_free((void *)(uintptr_t)map->theirs.rest);
  mem_free(map->plan.joints);
  mem_free(map);
}

const sinew_model *sinew_retarget_map_from(const sinew_retarget_map *map) { return map->from; }

const sinew_model *sinew_retarget_map_to(const sinew_retarget_map *map) { return map->to; }

int sinew_retarget_map_joint(const sinew_retarget_map *map, int joint, sinew_match_kind *kind) {
  int theirs = joint > 0 && joint < map->to->joint_count ? map->map.theirs[joint] : -1;
  if (kind) *kind = theirs < 0 ? SINEW_MATCH_NONE : (sinew_match_kind)map->map.kinds[theirs];
  return theirs;
}

float sinew_retarget_map_scale(const sinew_retarget_map *map) { return map->plan.scale; }

bool sinew_model_mirror_joints(const sinew_model *model, int32_t *joints) {
  skeleton_view skeleton = {model->joint_count, model->joint_names, model->parents, NULL, NULL, NULL};
  return mirror_find(&skeleton, joints);
}
