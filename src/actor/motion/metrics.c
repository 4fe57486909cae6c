#include <sinew/metrics.h>

#include "actor/motion/levers.h"
#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "math/elementary.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model_space.h"
#include "model/retarget/retarget.h"

#include <math.h>
#include <string.h>

enum { MOST_MARKS = 1 << 20 };

sinew_metrics_def sinew_metrics_def_default(void) {
  return (sinew_metrics_def){
      .foot_height = NAN, .turn_threshold = 0.07f, .jump_threshold = 0.05f, .slide_threshold = 0.005f, .marks = 256};
}

/* ---- jumps ---- */

static void add_pop(actor_metrics *m, int joint, float way, double end) {
  if (!(way > m->sums.pop)) return;
  m->sums.pop = way;
  m->sums.pop_joint = joint;
  m->sums.pop_seconds = end;
}

static void add_turn(actor_metrics *m, int joint, float turn, double end) {
  if (!(turn > m->sums.turn)) return;
  m->sums.turn = turn;
  m->sums.turn_joint = joint;
  m->sums.turn_seconds = end;
}

/* `weight`: a face moves by millimetres where a leg moves by centimetres. */
static void mark_pop(actor_metrics *m, sinew_mark *pop, jump_size size, float weight) {
  pop->rank = weight * jumps_rank(&m->jumps, size);
  pop->angle = size.turn;
  pop->size = size.way / (float)(m->sums.metre / (double)m->scale);
  if (pop->rank > 1) marks_add_pop(&m->marks, pop, pop->end - jumps_frame(&m->jumps)->step);
}

/* The cause that displaces most. */
static void say_cause(const jump_frame *f, sinew_mark *pop) {
  bool written = f->most[JUMP_WRITTEN] >= fmaxf(f->most[JUMP_SEAM], f->most[JUMP_MODIFIER]);
  if (!written && f->most[JUMP_SEAM] > f->most[JUMP_MODIFIER])
    pop->clip = f->clip, pop->layer = f->layer, pop->node = f->node, pop->action.id = f->action;
  else if (!written) pop->modifier = f->modifier;
}

/* A cut turns fingers and hair as fast as the legs. Of the joints that jump at least half as much as the one that jumps
 * most, the one with the longest limb below it tells best what happened. */
static void measure_joints(actor_metrics *m, const actor *a) {
  const jump_frame *f = jumps_frame(&m->jumps);
  jump_size most = {0, 0};
  sinew_mark pop = mark_at(SINEW_MARK_POP, f->end, f->end);
  for (int i = 0; i < a->model->joint_count; i++) {
    jump_size size = jumps_joint(&m->jumps, i);
    add_pop(m, i, size.way * m->scale, f->end);
    add_turn(m, i, size.turn, f->end);
    most = (jump_size){fmaxf(most.turn, size.turn), fmaxf(most.way, size.way)};
  }
  if (!(jumps_rank(&m->jumps, most) > 1)) return;
  for (int i = 0; i < a->model->joint_count; i++) {
    jump_size size = jumps_joint(&m->jumps, i);
    bool is_longer = pop.joint < 0 || m->levers[i] > m->levers[pop.joint];
    bool leads = most.turn > m->jumps.turn_threshold ? size.turn >= most.turn / 2 : size.way >= most.way / 2;
    if (is_longer && leads) pop.joint = i;
  }
  most.turn = jumps_joint(&m->jumps, pop.joint).turn;
  say_cause(f, &pop);
  mark_pop(m, &pop, most, 1);
}

static void measure_jumps(actor_metrics *m, const actor *a) {
  const jump_frame *f = jumps_frame(&m->jumps);
  sinew_mark pop = mark_at(SINEW_MARK_POP, f->end, f->end);
  measure_joints(m, a);
  jump_size moved = jumps_actor(&m->jumps);
  moved.way /= m->scale;
  mark_pop(m, &pop, moved, 1);
  pop.morph = f->morph_index;
  mark_pop(m, &pop, (jump_size){0, jumps_morph(&m->jumps)}, 10);
}

/* ---- reach ---- */

static void measure_reach(actor_metrics *m, const actor *a) {
  for (int i = 0; i < a->modifiers.count; i++) {
    const modifier *item = a->modifiers.items + i;
    bool reaches = item->def.kind == SINEW_MODIFIER_TWO_BONE || item->def.kind == SINEW_MODIFIER_FABRIK;
    if (!reaches || !(item->def.weight > 0) || !(item->reach_error > m->sums.reach)) continue;
    m->sums.reach = item->reach_error;
    m->sums.reach_modifier = i;
  }
}

static double speed_of(const actor_metrics *m, const actor *a) {
  sinew_vec3 way = vec3_sub(a->transform.translation, m->jumps.transform.translation);
  return m->jumps.has_pose ? sinew_hypot((double)way.x, (double)way.z) / a->step / m->sums.metre : 0;
}

void actor_measure(const sinew_stage *stage, actor *a) {
  actor_metrics *m = a->metrics;
  if (!(a->step > 0)) return;
  m->sums.frames++;
  m->sums.seconds += a->step;
  m->marks.step = a->step;
  m->scale = (float)actor_ground_scale(a);
  m->sums.metre = gait_metre(a->gait) * (double)m->scale;
  m->speed = speed_of(m, a); /* before the jumps know where it is now */
  if (jumps_update(&m->jumps, stage, stage->scratches, a, m->sums.seconds)) measure_jumps(m, a);
  contacts_measure(m, a);
  flutter_measure(m, a);
  m->sums.slid = contacts_slid(m);
  measure_reach(m, a);
  m->moved = true;
  m->marks.now = m->sums.seconds;
  m->sums.lost_marks = m->marks.lost;
}

/* ---- on and off ---- */

static void find_feet(actor_metrics *m, const skeleton_view *skeleton) {
  humanoid body;
  if (!humanoid_find(skeleton, &body)) return;
  for (int side = 0; side < 2; side++)
    for (int slot = LIMB_FOOT; slot <= LIMB_TOES; slot++)
      if (body.limbs[side][slot] >= 0) m->feet[m->foot_count++] = body.limbs[side][slot];
}

static bool is_at_or_below(const sinew_model *model, int joint, int below) {
  while (below > joint) below = sinew_model_joint_parent(model, below);
  return below == joint;
}

/* The first foot above this one or below it: toes slide with their foot. */
static int leg_of(const actor_metrics *m, const sinew_model *model, int foot) {
  for (int i = 0; i < foot; i++)
    if (is_at_or_below(model, m->feet[i], m->feet[foot]) || is_at_or_below(model, m->feet[foot], m->feet[i]))
      return m->legs[i];
  return foot;
}

static bool set_feet(actor_metrics *m, const sinew_model *model, const sinew_metrics_def *def) {
  sinew_transform *rest = mem_alloc_array((size_t)model->joint_count, sizeof *rest);
  if (!rest) return false;
  skeleton_view skeleton = model_skeleton(model, rest);
  if (def->feet) {
    m->foot_count = def->foot_count;
    memcpy(m->feet, def->feet, (size_t)def->foot_count * sizeof *def->feet);
  } else {
    find_feet(m, &skeleton);
  }
  for (int i = 0; i < m->foot_count; i++) m->legs[i] = leg_of(m, model, i);
  mem_free(rest);
  return true;
}

static const char *check(const actor *a, const sinew_metrics_def *def) {
  if (def->foot_count < 0 || def->foot_count > SINEW_FEET_MAX) return "it has more than 16 feet";
  for (int i = 0; def->feet && i < def->foot_count; i++)
    if (def->feet[i] < 0 || def->feet[i] >= a->model->joint_count) return "a foot is not a joint";
  bool low = isnan(def->foot_height) || (def->foot_height > 0 && isfinite(def->foot_height));
  if (!low) return "its foot height is not above 0";
  if (!(def->turn_threshold > 0 && def->jump_threshold > 0 && def->slide_threshold > 0))
    return "a threshold of its marks is not above 0";
  if (def->marks < 0 || def->marks > MOST_MARKS) return "it has room for less than 0 or more than 2^20 marks";
  return NULL;
}

void metrics_free(actor_metrics *m) {
  if (m) mem_free(m->levers), jumps_reset(&m->jumps);
  mem_free(m);
}

void metrics_move(actor *a) {
  jumps_reset(&a->metrics->jumps);
  if (jumps_init(&a->metrics->jumps, a)) return;
  metrics_free(a->metrics);
  a->metrics = NULL;
}

static actor_metrics *create(const actor *a, const sinew_metrics_def *def) {
  const sinew_model *model = a->model;
  actor_metrics *m = mem_alloc_zeroed(sizeof *m + (size_t)def->marks * sizeof(sinew_mark));
  if (!m) return NULL;
  m->marks.items = (sinew_mark *)(m + 1);
  m->marks.capacity = def->marks;
  m->jumps.turn_threshold = def->turn_threshold;
  m->jumps.way_threshold = def->jump_threshold * (float)gait_metre(a->gait);
  m->slide_threshold = def->slide_threshold;
  m->sums = (sinew_metrics){.metre = gait_metre(a->gait) * actor_ground_scale(a),
                            .slide_joint = -1,
                            .pop_joint = -1,
                            .turn_joint = -1,
                            .reach_modifier = -1};
  m->ground = def->ground;
  m->user = def->user;
  m->levers = levers_find(model);
  float foot_height = isnan(def->foot_height) ? 0.02f * (float)gait_metre(a->gait) : def->foot_height;
  if (m->levers && jumps_init(&m->jumps, a) && set_feet(m, model, def) && contacts_find_soles(m, model, foot_height))
    return m;
  metrics_free(m);
  return NULL;
}

bool sinew_actor_set_metrics(sinew_stage *stage, sinew_actor id, const sinew_metrics_def *def, sinew_error *error) {
  actor *a = stage_find(stage, id);
  const char *reason = stage_closed(stage) ? stage_closed(stage)
                       : !a                ? "the actor is gone"
                       : def               ? check(a, def)
                                           : NULL;
  actor_metrics *made = NULL;
  if (!reason && def && !(made = actor_need_gait(stage, a) ? create(a, def) : NULL)) reason = "out of memory";
  if (reason) {
    error_set(error, "the actor cannot be measured: %s", reason);
    return false;
  }
  metrics_free(a->metrics);
  a->metrics = made;
  return true;
}

bool sinew_actor_metrics(const sinew_stage *stage, sinew_actor id, sinew_metrics *metrics) {
  const actor *a = stage_find(stage, id);
  bool measured = a && a->metrics;
  *metrics = measured ? a->metrics->sums : (sinew_metrics){0};
  return measured;
}

/* ---- marks ---- */

int sinew_actor_mark_count(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  sinew_mark mark;
  int open = 0;
  if (!a || !a->metrics) return 0;
  while (contacts_open(a->metrics, open, &mark)) open++;
  return a->metrics->marks.count + open;
}

bool sinew_actor_mark(const sinew_stage *stage, sinew_actor id, int index, sinew_mark *mark) {
  const actor *a = stage_find(stage, id);
  const actor_metrics *m = a ? a->metrics : NULL;
  if (!m || index < 0) return false;
  if (index >= m->marks.count) return contacts_open(m, index - m->marks.count, mark);
  *mark = m->marks.items[index];
  return true;
}

void sinew_actor_note(sinew_stage *stage, sinew_actor id, sinew_note_of of, const char *what) {
  const actor *a = stage_find(stage, id);
  if (a && a->metrics) marks_note(&a->metrics->marks, of, what);
}
