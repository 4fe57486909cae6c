#include "actor/motion/jumps.h"

#include "actor/stage.h"
#include "base/memory/memory.h"
#include "math/elementary.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/pose_group.h"

#include <math.h>
#include <string.h>

/* ---- joint_shifts ---- */

static sinew_vec3 turn_between(sinew_quat from, sinew_quat to) {
  sinew_quat q = sinew_quat_multiply(to, quat_conjugate(from));
  if (q.w < 0) q = quat_negate(q);
  float length = vec3_length((sinew_vec3){q.x, q.y, q.z});
  return vec3_scale((sinew_vec3){q.x, q.y, q.z}, length > 1e-12f ? 2 * float_atan2(length, q.w) / length : 2);
}

static sinew_vec3 position_of(const sinew_mat3x4 *m) { return (sinew_vec3){m->m[3], m->m[7], m->m[11]}; }

float jumps_rank(const jumps *j, jump_size size) {
  return fmaxf(size.turn / j->turn_threshold, size.way / j->way_threshold);
}

static void note_most(jumps *j, jump_cause cause, jump_size size) {
  float rank = jumps_rank(j, size);
  if (rank > j->frames->most[cause]) j->frames->most[cause] = rank;
}

/* Adds the difference of two poses. */
static void add(jumps *j, const scratch *s, const sinew_model *model, jump_cause cause, sinew_pose from,
                sinew_pose to) {
  sinew_local_to_model(&(sinew_local_to_model_job){model, from, s->joints, 0});
  for (int i = 0; i < model->joint_count; i++) j->places[i] = position_of(s->joints + i);
  sinew_local_to_model(&(sinew_local_to_model_job){model, to, s->joints, 0});
  for (int i = 0; i < model->joint_count; i++) {
    joint_shift *sum = j->frames->joints + i;
    sinew_vec3 turn = turn_between(sinew_pose_joint(&from, i).rotation, sinew_pose_joint(&to, i).rotation);
    sinew_vec3 way = vec3_sub(position_of(s->joints + i), j->places[i]);
    note_most(j, cause, (jump_size){vec3_length(turn), vec3_length(way)});
    sum->turn = vec3_add(sum->turn, turn);
    sum->way = vec3_add(sum->way, way);
  }
}

/* ---- what was written ---- */

/* The blend and what is left of an inertial transition, without modifiers. */
static sinew_pose shown_blend(const actor *a) {
  return a->inertia.groups && a->inertia.shown_count ? a->inertia.shown[0] : a->pose;
}

/* An inertial transition that begins in this update hides everything before it. */
static bool is_hidden(const inertia *i) { return i->groups && i->duration > 0 && i->time == i->step; }

static sinew_pose begin_pose(const scratch *s, actor *a) {
  sinew_pose pose = scratch_pose(s, SCRATCH_TO, a->model->joint_count);
  actor_blend_first(s, a, pose);
  inertia_add(&a->inertia, a->gait, a->inertia.time - a->inertia.step, pose, s->joints);
  return pose;
}

/* ---- modifiers ---- */

static bool was_given(const modifier_inputs *then, const modifier *m, float weight) {
  return then->weight == weight && modifier_is_alike(m, &then->def);
}

static void keep_inputs(jumps *j, const modifier_frame *f, const modifier_list *list) {
  j->input_count = list->count;
  for (int i = 0; i < list->count; i++)
    j->inputs[i] = (modifier_inputs){list->items[i].def, modifier_weight(list->items + i, f)};
}

static int find_changed(const jumps *j, const modifier_frame *f, const modifier_list *list) {
  for (int i = 0; i < list->count && list->count == j->input_count; i++) {
    const modifier *m = list->items + i;
    bool same = j->inputs[i].def.kind == m->def.kind && j->inputs[i].def.joints == m->def.joints;
    if (same && !was_given(j->inputs + i, m, modifier_weight(m, f))) return i;
  }
  return -1;
}

static void compare_modifiers(jumps *j, const sinew_stage *stage, const scratch *s, const actor *a, sinew_pose blend) {
  int placed;
  modifier_frame f = actor_modifier_frame(stage, a, &placed);
  sinew_pose after = scratch_pose(s, SCRATCH_TO_BEFORE, a->model->joint_count);
  f.posed.joints = s->joints;
  f.dt = 1.0 / 60;
  int changed = j->has_pose ? find_changed(j, &f, &a->modifiers) : -1;
  for (int is_new = 0; changed >= 0 && is_new <= 1; is_new++) {
    f.posed.pose = is_new ? after : j->spare;
    pose_copy(f.posed.pose, blend);
    placed = 0;
    for (int i = 0; i < a->modifiers.count; i++) {
      modifier_inputs now = {a->modifiers.items[i].def, modifier_weight(a->modifiers.items + i, &f)};
      const modifier_inputs *given = is_new ? &now : j->inputs + i;
      modifier_try(a->modifiers.items + i, &f, &given->def, given->weight);
    }
  }
  if (changed >= 0) j->frames->modifier = changed, add(j, s, a->model, JUMP_MODIFIER, j->spare, after);
  keep_inputs(j, &f, &a->modifiers);
}

/* ---- functions ---- */

static void compare_functions(jumps *j, const scratch *s, const actor *a) {
  sinew_pose without = j->spare;
  if (j->functions == 0) return;
  pose_copy(without, a->pose);
  for (int i = 0; i < a->model->joint_count; i++) {
    const sinew_transform *now = j->effects[0] + i, *then = j->effects[1] + i;
    sinew_transform t = sinew_pose_joint(&without, i);
    t.rotation = sinew_quat_multiply(t.rotation, quat_conjugate(now->rotation));
    t.rotation = sinew_quat_normalize(sinew_quat_multiply(t.rotation, then->rotation));
    t.translation = vec3_add(t.translation, vec3_sub(then->translation, now->translation));
    sinew_pose_set_joint(&without, i, &t);
  }
  if (j->has_pose) add(j, s, a->model, JUMP_MODIFIER, without, a->pose);
}

static void keep_effects(jumps *j, int joints) {
  sinew_transform *then = j->effects[1];
  for (int i = 0; j->functions == 0 && i < joints; i++) j->effects[0][i] = sinew_transform_identity();
  j->effects[1] = j->effects[0];
  j->effects[0] = then;
  j->functions = 0;
}

/* ---- seams ---- */

static bool has_seam(const clip_instance *item) {
  const playback *p = &item->now;
  bool loops = p->loop == SINEW_LOOP_FOREVER || p->loop == SINEW_LOOP_COUNT;
  return item->weight > 0 && item->step != 0 && loops && p->duration > 0 && p->loops != p->from_loops && !p->finished;
}

static void set_seams(actor *a, bool end) {
  for (int i = 0; i < a->instances.count; i++) {
    clip_instance *item = a->instances.items + i;
    bool last = item->now.speed < 0 ? !end : end;
    if (has_seam(item)) item->time = item->now.begin + (last ? item->now.duration : 0);
  }
}

static const clip_instance *find_seam(const actor *a) {
  const clip_instance *heaviest = NULL;
  for (int i = 0; i < a->instances.count; i++) {
    const clip_instance *item = a->instances.items + i;
    if (has_seam(item) && (!heaviest || item->weight > heaviest->weight)) heaviest = item;
  }
  return heaviest;
}

static void compare_seams(jumps *j, const scratch *s, actor *a) {
  const clip_instance *seam = find_seam(a);
  sinew_pose before = j->spare, after = scratch_pose(s, SCRATCH_TO, a->model->joint_count);
  if (!seam) return;
  j->frames->clip = seam->clip;
  j->frames->layer = seam->layer;
  j->frames->node = seam->node;
  j->frames->action = seam->action;
  set_seams(a, true);
  actor_blend(s, a, a->layer_count, 0, before);
  set_seams(a, false);
  actor_blend(s, a, a->layer_count, 0, after);
  for (int i = 0; i < a->instances.count; i++) a->instances.items[i].time = playback_time(&a->instances.items[i].now);
  add(j, s, a->model, JUMP_SEAM, before, after);
}

/* ---- the actor and its morph targets ---- */

static void move_actor(jumps *j, const sinew_transform *from, const sinew_transform *to) {
  joint_shift *d = &j->frames->actor;
  d->turn = turn_between(from->rotation, to->rotation);
  d->way = vec3_sub(to->translation, from->translation);
}

/* An attached actor follows a joint, so its two places count, both at the end of the update. */
static void compare_transforms(jumps *j, const sinew_stage *stage, const actor *a) {
  const sinew_attachment *at = &a->attachment.asked, *was = &j->attached;
  bool hangs = at->to.id && was->to.id;
  bool moved = at->to.id != was->to.id || at->joint != was->joint || at->joint_scale != was->joint_scale ||
               memcmp(&at->offset, &was->offset, sizeof at->offset) != 0;
  if (!at->to.id) {
    move_actor(j, &j->transform, &j->begun);
  } else if (moved) {
    actor then = *a;
    then.attachment = (attachment){.asked = *was};
    sinew_mat3x4 place = attachment_world(stage, &then);
    sinew_transform before = hangs ? sinew_transform_from_mat3x4(&place) : j->transform;
    move_actor(j, &before, &a->transform);
  }
}

static void keep_transform(jumps *j, const actor *a) {
  j->transform = a->transform;
  j->attached = a->attachment.asked;
}

static void compare_morphs(jumps *j, const actor *a) {
  for (int i = 0; i < a->model->names->morph_count; i++) {
    float moved = (a->manual[i] - j->morphs[i]) * j->extents[i];
    if (fabsf(moved) > fabsf(j->frames->morph)) j->frames->morph = moved, j->frames->morph_index = i;
  }
}

static void find_extents(jumps *j, const sinew_model *model) {
  const int32_t *numbers = model->names->morph_numbers;
  for (int m = 0; m < model->mesh_count; m++) {
    const sinew_mesh_view *mesh = model->meshes + m;
    for (int t = 0; t < mesh->morph_count; t++, numbers++)
      for (int v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->morphs[t].positions + 3 * (size_t)v;
        j->extents[*numbers] = fmaxf(j->extents[*numbers], vec3_length((sinew_vec3){p[0], p[1], p[2]}));
      }
  }
}

/* ---- an update ---- */

static void begin_frame(jumps *j, int joints, double end, double step) {
  jump_frame oldest = j->frames[2];
  joint_shift *room = oldest.joints;
  memset(room, 0, (size_t)joints * sizeof *room);
  j->frames[2] = j->frames[1];
  j->frames[1] = j->frames[0];
  j->frames[0] = (jump_frame){.joints = room,
                              .morph_index = -1,
                              .modifier = j->functions ? j->function : -1,
                              .clip = -1,
                              .layer = -1,
                              .node = -1,
                              .end = end,
                              .step = step};
}

static void keep(jumps *j, const actor *a) {
  pose_copy(j->base, shown_blend(a));
  keep_effects(j, a->model->joint_count);
  keep_transform(j, a);
  size_t morphs = (size_t)a->model->names->morph_count;
  if (morphs) memcpy(j->morphs, a->manual, morphs * sizeof *j->morphs);
}

bool jumps_update(jumps *j, const sinew_stage *stage, const scratch *s, actor *a, double end) {
  bool compares = j->has_pose && !a->rests;
  begin_frame(j, a->model->joint_count, end, a->step);
  sinew_pose blend = compares ? begin_pose(s, a) : j->base;
  if (compares && !is_hidden(&a->inertia)) add(j, s, a->model, JUMP_WRITTEN, j->base, blend);
  compare_modifiers(j, stage, s, a, blend);
  if (compares) {
    compare_functions(j, s, a);
    compare_seams(j, s, a);
    compare_transforms(j, stage, a);
    compare_morphs(j, a);
  }
  keep(j, a);
  j->has_pose = !a->rests;
  j->known = !compares ? 0 : j->known < 2 ? j->known + 1 : 2;
  return j->known == 2;
}

/* ---- what neither neighbour explains ---- */

/* What remains of a displacement if it goes on as the one before did. */
static float begun(sinew_vec3 d, sinew_vec3 before, const jump_frame *f) {
  float earlier = f[1].step > 0 ? (float)(f->step / f[1].step) : 0;
  return fminf(vec3_length(d), vec3_distance(d, vec3_scale(before, earlier)));
}

static float beyond(sinew_vec3 d, sinew_vec3 before, sinew_vec3 after, const jump_frame *f) {
  float later = (float)(f->step / f[-1].step);
  return fminf(begun(d, before, f), vec3_distance(d, vec3_scale(after, later)));
}

static jump_size judge(const joint_shift *d, const joint_shift *before, const joint_shift *after, const jump_frame *f) {
  return (jump_size){beyond(d->turn, before->turn, after->turn, f), beyond(d->way, before->way, after->way, f)};
}

const jump_frame *jumps_frame(const jumps *j) { return j->frames + 1; }

jump_size jumps_joint(const jumps *j, int joint) {
  const jump_frame *f = jumps_frame(j);
  return judge(f->joints + joint, f[1].joints + joint, f[-1].joints + joint, f);
}

jump_size jumps_actor(const jumps *j) {
  const jump_frame *f = jumps_frame(j);
  return judge(&f->actor, &f[1].actor, &f[-1].actor, f);
}

bool jumps_begins(const jumps *j, int joint) {
  const jump_frame *f = j->frames;
  return begun(f->joints[joint].way, f[1].joints[joint].way, f) > j->way_threshold ||
         begun(f->actor.way, f[1].actor.way, f) > j->way_threshold;
}

float jumps_morph(const jumps *j) {
  const jump_frame *f = jumps_frame(j);
  sinew_vec3 morphs[3] = {{0}};
  for (int i = 0; i < 3; i++) morphs[i].x = j->frames[i].morph_index == f->morph_index ? j->frames[i].morph : 0;
  return beyond(morphs[1], morphs[2], morphs[0], f);
}

/* ---- memory ---- */

bool jumps_init(jumps *j, const actor *a) {
  size_t joints = (size_t)a->model->joint_count, morphs = (size_t)a->model->names->morph_count;
  size_t groups = (size_t)sinew_pose_group_count(a->model->joint_count);
  size_t floats = joints * (3 * sizeof(joint_shift) + sizeof(sinew_vec3) + 2 * sizeof(sinew_transform)) +
                  2 * morphs * sizeof(float);
  j->base = (sinew_pose){mem_alloc_zeroed(2 * groups * sizeof(sinew_pose_group) + floats), a->model->joint_count};
  j->inputs = mem_alloc_array(MODIFIERS, sizeof *j->inputs);
  j->has_pose = false;
  j->known = j->input_count = j->functions = 0;
  if (!j->base.groups || !j->inputs) return false;
  j->spare = (sinew_pose){j->base.groups + groups, a->model->joint_count};
  joint_shift *rooms = (joint_shift *)(j->spare.groups + groups);
  for (int i = 0; i < 3; i++) j->frames[i] = (jump_frame){.joints = rooms + (size_t)i * joints};
  j->places = (sinew_vec3 *)(rooms + 3 * joints);
  j->effects[0] = (sinew_transform *)(j->places + joints);
  j->effects[1] = j->effects[0] + joints;
  j->morphs = (float *)(j->effects[1] + joints);
  j->extents = j->morphs + morphs;
  for (size_t i = 0; i < 2 * joints; i++) j->effects[0][i] = sinew_transform_identity();
  find_extents(j, a->model);
  return true;
}

void jumps_reset(jumps *j) {
  mem_free(j->base.groups);
  mem_free(j->inputs);
}
