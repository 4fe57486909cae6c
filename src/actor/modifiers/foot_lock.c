#include "actor/modifiers/foot_lock.h"

#include "actor/modifiers/damped.h"
#include "actor/stage.h"
#include "math/elementary.h"
#include "math/vec3.h"

#include <math.h>

/* The half-life of the spring of a foot that is released, in seconds. */
static const double release_life = 0.1;

float foot_lock_contact(const actor *a, const sinew_foot *foot) {
  int side = 0;
  float down = 0, sum = 0;
  while (a->gait && side < a->gait->leg_count && a->gait->legs[side].foot != foot->tip) side++;
  if (!a->gait || side >= a->gait->leg_count) return -1;
  for (int i = 0; i < a->layers->instance_count; i++) {
    const clip_instance *item = a->instances.items + a->layers->first_instance + i;
    const clip_gait *gait = &a->gait->clips[item->clip];
    if (!gait->known || gait->kind != GAIT_MOVING) continue;
    sum += item->weight;
    if (gait_is_down(gait, side, item->time, a->model->clips[item->clip].duration)) down += item->weight;
  }
  return sum > 0 ? down / sum : 1;
}

/* Shows the foot where it was, whether it is now locked or released: a released foot stood still until the last update.
 * The ground stops a foot at once, as it does in the clips. */
static void lock_or_release(planted_foot *p, sinew_vec3 ball, sinew_vec3 velocity, bool locked) {
  const sinew_vec3 none = {0, 0, 0};
  if (locked) p->at = vec3_add(ball, p->offset);
  p->offset = locked ? none : vec3_sub(p->at, p->ball);
  p->push = locked ? none : vec3_sub(none, velocity);
  p->held = locked;
}

void foot_lock_update(planted_foot *p, sinew_vec3 ball, float contact, float radius, double dt) {
  sinew_vec3 none = {0, 0, 0},
             velocity = p->known && dt > 0 ? vec3_scale(vec3_sub(ball, p->ball), (float)(1 / dt)) : none;
  sinew_vec3 back = vec3_sub(ball, p->at);
  float far = float_hypot(back.x, back.z);
  velocity.y = 0;
  if (contact < 0.4f) p->spent = false;
  if (p->held && (contact < 0.4f || far > radius)) {
    p->spent = contact >= 0.4f;
    lock_or_release(p, ball, velocity, false);
  } else if (!p->held && contact > 0.6f && (!p->spent || far < 0.35f * radius)) {
    lock_or_release(p, ball, velocity, true);
  }
  damped_step(&p->offset.x, &p->push.x, 0, release_life, dt);
  damped_step(&p->offset.z, &p->push.z, 0, release_life, dt);
  p->offset.y = p->push.y = 0;
}

sinew_vec3 foot_lock_displacement(const modifier_frame *f, const planted_foot *p, sinew_vec3 ball) {
  sinew_vec3 shown = vec3_add(p->held ? p->at : ball, p->offset);
  shown.y = ball.y;
  sinew_vec3 here = sinew_mat3x4_transform_point(&f->inverse, ball);
  return vec3_sub(sinew_mat3x4_transform_point(&f->inverse, shown), here);
}
