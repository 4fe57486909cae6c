/* Springs that hardly damp a high frequency: what they hold turns back in nearly each update. */
#include "actor/motion/marks.h"
#include "actor/stage.h"
#include "math/elementary.h"
#include "math/vec3.h"

#include <math.h>

enum { LONG = 6, LONGEST = 8 };  /* updates */
static const float least = 0.2f; /* of the bone's length */

/* How far the end of the last bone is from where the pose has it, in lengths of the bone. */
static sinew_vec3 offset_of(const modifier *item) {
  const sinew_spring_state *s = item->springs + item->def.joint_count - 1;
  float length = vec3_length(vec3_sub(s->target, s->pivot));
  return s->started && length > 0 ? vec3_scale(vec3_sub(s->position, s->target), 1 / length) : (sinew_vec3){0, 0, 0};
}

/* At most one a second. */
static void add_mark(actor_metrics *m, const modifier *item, flutter *f, float way) {
  const sinew_spring_state *s = item->springs + item->def.joint_count - 1;
  sinew_mark mark = mark_at(SINEW_MARK_POP, m->sums.seconds, m->sums.seconds);
  mark.joint = item->def.joints[item->def.joint_count - 1];
  mark.modifier = item->index;
  mark.angle = 2 * (float)sinew_asin((double)fminf(way / 2, 1));
  mark.size = way * vec3_length(vec3_sub(s->target, s->pivot)) / (float)m->sums.metre;
  mark.rank = mark.angle / m->jumps.turn_threshold;
  if (!(mark.rank > 1) || (f->said > 0 && m->sums.seconds - f->said < 1)) return;
  f->said = m->sums.seconds;
  marks_add(&m->marks, &mark);
}

void flutter_measure(actor_metrics *m, const actor *a) {
  for (int i = 0; i < a->modifiers.count && i < FLUTTER_SPRINGS; i++) {
    const modifier *item = a->modifiers.items + i;
    flutter *f = m->flutters + i;
    if (!item->springs || item->def.joint_count < 1 || !(item->def.weight > 0)) continue;
    sinew_vec3 now = offset_of(item), way = vec3_sub(now, f->offset);
    bool turns = vec3_length(way) > least && vec3_dot(way, f->way) < 0;
    f->turns = turns ? (f->turns < LONGEST ? f->turns + 1 : f->turns) : f->turns > 0 ? f->turns - 1 : 0;
    f->way = way;
    f->offset = now;
    if (turns && f->turns >= LONG) add_mark(m, item, f, vec3_length(way));
  }
}
