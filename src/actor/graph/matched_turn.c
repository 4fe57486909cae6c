/* The turn of a clip, for what turns the actor. */
#include "actor/stage.h"

#include <math.h>

/* Radians: with less left than this a clip does not say any more how fast to turn. */
static const double least_left = 0.02;

/* What of the rest it turns in the next dt seconds by itself; NAN: nothing is left. */
static double fraction_of(const actor *a, const clip_instance *item, double dt) {
  const clip_course *course = a->gait->courses + item->clip;
  const playback *p = &item->now;
  double duration = a->model->clips[item->clip].duration, end = p->begin + p->duration;
  double last = course_turned(course, duration, end), left = last - course_turned(course, duration, item->time);
  double later = last - course_turned(course, duration, fmin(item->time + dt * item->speed, end));
  return left < least_left ? (double)NAN : fmin(fmax(1 - later / left, 0), 1);
}

static bool turns(const clip_instance *item) { return item->match == SINEW_MATCH_TURN && item->leads; }

bool sinew_actor_matched_turn(const sinew_stage *stage, sinew_actor id, double dt, double *fraction) {
  const actor *a = stage_find(stage, id);
  const clip_instance *heaviest = NULL;
  bool has = false;
  *fraction = (double)NAN;
  for (int i = 0; a && i < a->layer_count; i++) has |= a->layers[i].graph && a->layers[i].graph->turns;
  for (int i = 0; has && a->gait && i < a->instances.count; i++) {
    const clip_instance *item = a->instances.items + i;
    if (turns(item) && (!heaviest || item->weight > heaviest->weight)) heaviest = item;
  }
  if (heaviest) *fraction = fraction_of(a, heaviest, fmax(dt, 0));
  return has;
}
