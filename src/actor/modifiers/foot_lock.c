#include "actor/modifiers/foot_lock.h"

#include "math/elementary.h"
#include "math/vec3.h"

#include <math.h>

/* Half-lives in seconds: of a foot that comes to rest, and of one that is released. */
static const double engage_life = 0.004, release_life = 0.1;
/* Seconds that a step takes to where the clip has the foot; and how high it goes, as a part of its length. */
static const double step_time = 0.3;
static const float step_height = 0.4f;

/* A foot that stops does so as fast as its spring stops it without turning back: it is held a little ahead. */
static void lock(planted_foot *p, sinew_vec3 before, sinew_vec3 velocity) {
  sinew_vec3 shown = vec3_add(before, p->offset), speed = vec3_add(velocity, p->push);
  p->offset = vec3_scale(speed, -(float)(engage_life / DAMPED_RATE));
  p->push = speed;
  p->at = vec3_sub(shown, p->offset);
  p->held = true;
}

/* It is shown where and as fast as it was; what the clip does from now on is its own. */
static void release(planted_foot *p, sinew_vec3 before, sinew_vec3 velocity) {
  p->offset = vec3_sub(vec3_add(p->at, p->offset), before);
  p->push = vec3_sub(p->push, velocity);
  p->held = false;
}

void foot_lock_update(planted_foot *p, sinew_vec3 ball, float contact, float radius, double dt) {
  sinew_vec3 before = p->known ? p->placed : ball, back = vec3_sub(ball, p->at);
  float far = float_hypot(back.x, back.z);
  if (contact < 0.4f) p->spent = false;
  if (p->held && (contact < 0.4f || far > radius)) {
    p->spent = contact >= 0.4f;
    release(p, before, p->moving);
    if (p->spent) p->catching_up = 0, p->stride = far;
  } else if (!p->held && contact > 0.6f && (!p->spent || far < 0.35f * radius)) {
    lock(p, before, p->moving);
  }
  p->catching_up = fminf(p->catching_up + (float)(dt / step_time), 1);
  double life = p->held ? engage_life : release_life;
  damped_step(&p->offset.x, &p->push.x, 0, life, dt);
  damped_step(&p->offset.z, &p->push.z, 0, life, dt);
  p->offset.y = p->push.y = 0;
}

float foot_lock_lift(const planted_foot *p) {
  float s = p->catching_up * (1 - p->catching_up);
  return p->stride * step_height * 16 * s * s;
}

sinew_vec3 foot_lock_shown(const planted_foot *p, sinew_vec3 ball) {
  sinew_vec3 shown = vec3_add(p->held ? p->at : ball, p->offset);
  shown.y = ball.y;
  return shown;
}
