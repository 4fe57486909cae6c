/* Eases the goal of an IK tip while its target appears, jumps or disappears. */
#include "actor/modifiers/damped.h"
#include "actor/modifiers/kinds.h"
#include "math/vec3.h"
#include "pose/modifiers/posed.h"

/* Metres a second, seen from the actor: a faster target counts as a jump. */
static const float fastest = 3;

/* Moves the goal; the offset from the goal to where the tip was shown dies away. */
static sinew_vec3 draw_to(modifier_reach *r, sinew_vec3 goal, bool jumps, double dt, double half_life) {
  static const float least = 1e-7f; /* metres, and a second */
  if (jumps) r->offset = vec3_sub(vec3_add(r->goal, r->offset), goal);
  r->goal = goal;
  if (vec3_length(r->offset) < least && vec3_length(r->velocity) < least) {
    r->offset = r->velocity = (sinew_vec3){0, 0, 0};
    return goal;
  }
  damped_step(&r->offset.x, &r->velocity.x, 0, half_life, dt);
  damped_step(&r->offset.y, &r->velocity.y, 0, half_life, dt);
  damped_step(&r->offset.z, &r->velocity.z, 0, half_life, dt);
  return vec3_add(goal, r->offset);
}

bool modifier_reach_for(modifier *m, const modifier_frame *f, int tip, sinew_vec3 *target) {
  static const float settled = 1e-4f;
  modifier_reach *r = &m->reach;
  bool has = !isnan(m->def.target.x);
  sinew_vec3 shown = posed_position(&f->posed, tip), goal = has ? modifier_into_model(f, m->def.target) : shown;
  double half_life = (double)m->def.half_life;
  *target = goal;
  if (half_life <= 0) return has;
  if (!has && (!r->known || (!r->aims && vec3_length(r->offset) < settled))) {
    *r = (modifier_reach){0};
    return false;
  }
  if (!r->known) *r = (modifier_reach){.known = true, .goal = shown};
  bool jumps = has != r->aims || (has && vec3_distance(goal, r->goal) > fastest * (float)f->dt);
  r->aims = has;
  *target = draw_to(r, goal, jumps, f->dt, half_life);
  return true;
}
