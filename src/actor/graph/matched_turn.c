/* The rotation of a clip, for the code that rotates the actor. */
#include "actor/stage.h"

#include <math.h>

/* Radians: with less rotation left than this, a clip no longer determines how fast to turn. */
static const double least_left = 0.02;
/* Metres: a clip that never gets farther than this from its beginning turns on the spot. */
static const double in_place = 0.25;

static double turned_at(const actor *a, const clip_instance *item, double time) {
  const playback *p = &item->now;
  const double duration = a->model->clips[item->clip].duration;
  return course_turned(a->gait->courses + item->clip, duration, fmin(time, p->begin + p->duration));
}

static sinew_matched_turn turn_of(const actor *a, const clip_instance *item, double dt) {
  static const double slowest = 0.5; /* the rate of a clip that is matched by distance; known after its first update */
  const clip_course *course = a->gait->courses + item->clip;
  double now = turned_at(a, item, item->time), left = turned_at(a, item, HUGE_VAL) - now;
  double own = turned_at(a, item, item->time + dt * item->speed) - now;
  double shown = turned_at(a, item, item->time + dt * fmax(item->rate, slowest * item->speed)) - now;
  return (sinew_matched_turn){left < least_left ? (double)NAN : fmin(fmax(own / left, 0), 1),
                              COURSE_MOST_TURNED * fmax(shown, 0),
                              course->known && course->reach < in_place * course->size};
}

static bool turns(const clip_instance *item) { return item->match == SINEW_MATCH_TURN && item->leads; }

bool sinew_actor_matched_turn(const sinew_stage *stage, sinew_actor id, double dt, sinew_matched_turn *turn) {
  const actor *a = stage_find(stage, id);
  const clip_instance *heaviest = NULL;
  bool has = false;
  *turn = (sinew_matched_turn){.fraction = (double)NAN};
  for (int i = 0; a && i < a->layer_count; i++) has |= a->layers[i].graph && a->layers[i].graph->turns;
  for (int i = 0; has && a->gait && i < a->instances.count; i++) {
    const clip_instance *item = a->instances.items + i;
    if (turns(item) && (!heaviest || item->weight > heaviest->weight)) heaviest = item;
  }
  if (heaviest) *turn = turn_of(a, heaviest, fmax(dt, 0));
  return has;
}
