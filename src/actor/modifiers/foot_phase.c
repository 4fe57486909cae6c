#include "actor/modifiers/foot_phase.h"

#include "actor/modifiers/warp.h"
#include "actor/stage.h"
#include "math/vec3.h"

#include <math.h>

/* One clip's step: the one that stands, or the next. */
typedef struct step_now {
  const gait_step *step;
  double left, to_land, to_lift; /* seconds until it is down, arrives and lifts */
} step_now;

static step_now find_step(const clip_gait *gait, int side, double time, double duration, double rate) {
  step_now now = {NULL, INFINITY, 0, 0};
  for (int i = 0; i < gait->step_count; i++) {
    const gait_step *s = gait->steps + i;
    double since = time - s->time;
    if (since < 0) since += duration;
    bool stands = since < s->down;
    double left = stands ? 0 : duration - since;
    if (s->leg == side && left < now.left * rate)
      now = (step_now){s, left / rate, fmax(left - s->early, 0) / rate,
                       (stands ? s->down - since : left + s->down) / rate};
  }
  return now;
}

static int side_of(const actor *a, const sinew_foot *foot) {
  int side = 0;
  while (a->gait && side < a->gait->leg_count && a->gait->legs[side].foot != foot->tip) side++;
  return a->gait && side < a->gait->leg_count ? side : -1;
}

typedef struct phase_sum {
  float all, stepping, air; /* weights: of the moving clips, of those with steps, of those that have it in the air */
  foot_phase phase;
} phase_sum;

static void add_clip(const actor *a, const clip_instance *item, int side, phase_sum *sum) {
  static const double slowest = 0.05;
  const clip_gait *gait = &a->gait->clips[item->clip];
  if (!gait->known || gait->kind != GAIT_MOVING || !(item->weight > 0)) return;
  double duration = a->model->clips[item->clip].duration, rate = fmax(fabs(item->rate), slowest);
  step_now now = find_step(gait, side, item->time, duration, rate);
  sum->all += item->weight;
  if (gait_is_down(gait, side, item->time, duration)) sum->phase.down += item->weight;
  if (!now.step || (gait->carries_hips && !root_is_on(&a->root))) return;
  sum->stepping += item->weight;
  sum->phase.to_lift += (double)item->weight * now.to_lift;
  if (!(now.left > 0)) return;
  sum->air += item->weight;
  sum->phase.to_land += (double)item->weight * now.to_land;
  sum->phase.landing = vec3_add_scaled(sum->phase.landing, item->weight, now.step->at);
}

foot_phase foot_phase_of(const actor *a, const sinew_foot *foot) {
  int side = side_of(a, foot);
  phase_sum sum = {0};
  if (side < 0) return sum.phase;
  for (int i = 0; i < a->layers->instance_count; i++)
    add_clip(a, a->instances.items + a->layers->first_instance + i, side, &sum);
  foot_phase *phase = &sum.phase;
  phase->moves = sum.all > 0;
  phase->known = true;
  phase->steps = sum.stepping > 0.5f * sum.all;
  phase->down = phase->moves ? phase->down / sum.all : 1;
  if (sum.stepping > 0) phase->to_lift /= (double)sum.stepping;
  if (!(sum.air > 0)) return *phase;
  phase->to_land /= (double)sum.air;
  phase->landing = warp_ball(a, side, vec3_scale(phase->landing, 1 / sum.air));
  return *phase;
}
