/* The order of evaluation. An actor waits for the actor to which it is attached, and for those at whose joints its
 * modifiers aim. A target on something attached to the actor itself needs no wait: it follows from the actor's own
 * joints at the moment the modifier acts. */
#include "actor/stage.h"
#include "base/memory/memory.h"

bool attachment_hangs(const sinew_stage *stage, const actor *a, const actor *from) {
  const actor *up = stage_find(stage, a->attachment.asked.to);
  while (up && up != from) up = stage_find(stage, up->attachment.asked.to);
  return up;
}

/* The index-th actor for which this one waits, from 0: the one to which it is attached, then targets. False past the
 * last; NULL if it is none. */
static bool awaited(const sinew_stage *stage, const actor *a, int index, actor **other) {
  *other = NULL;
  if (index > a->modifiers.count) return false;
  if (index == 0) {
    *other = stage_find(stage, a->attachment.asked.to);
    return true;
  }
  actor *to = stage_find(stage, (sinew_actor){a->modifiers.items[index - 1].follows.to});
  if (to && to != a && !attachment_hangs(stage, to, a)) *other = to;
  return true;
}

/* Visits each actor once, without recursion: the chain may have any length. */
bool actor_waits_for(sinew_stage *stage, actor *a, const actor *b) {
  actor *other;
  a->waiter = NULL;
  a->asked = 0;
  a->searched = ++stage->searches;
  while (a && a != b) {
    if (!awaited(stage, a, a->asked++, &other)) {
      a = a->waiter;
    } else if (other && other->searched != stage->searches) {
      other->waiter = a;
      other->asked = 0;
      other->searched = stage->searches;
      a = other;
    }
  }
  return a != NULL;
}

/* ---- waves ---- */

bool stage_reserve_waves(sinew_stage *stage, int actors) {
  return array_reserve((void **)&stage->by_wave, &stage->by_wave_capacity, actors, sizeof *stage->by_wave) &&
         array_reserve((void **)&stage->wave_ends, &stage->wave_ends_capacity, actors + 1, sizeof *stage->wave_ends);
}

/* Adds an actor after the one for which it waits. When an actor loses its attachment, a circle of targets may remain:
 * then one of them is a frame late. */
static void find_wave(const sinew_stage *stage, actor *a) {
  actor *other;
  a->waiter = NULL;
  a->wave = a->asked = 0;
  while (a) {
    if (!awaited(stage, a, a->asked, &other)) {
      a = a->waiter;
    } else if (other && other->wave < 0) {
      other->waiter = a;
      other->wave = other->asked = 0;
      a = other;
    } else {
      if (other && other->wave >= a->wave) a->wave = other->wave + 1;
      a->asked++;
    }
  }
}

/* A counting sort. */
static void sort_by_wave(sinew_stage *stage) {
  int *ends = stage->wave_ends;
  for (int w = 0; w < stage->waves; w++) ends[w] = 0;
  for (int i = 0; i < stage->actor_count; i++) ends[stage->actors[i]->wave]++;
  for (int w = 1; w < stage->waves; w++) ends[w] += ends[w - 1];
  for (int i = stage->actor_count - 1; i >= 0; i--) stage->by_wave[--ends[stage->actors[i]->wave]] = stage->actors[i];
  for (int w = 0; w + 1 < stage->waves; w++) ends[w] = ends[w + 1];
  if (stage->waves) ends[stage->waves - 1] = stage->actor_count;
}

/* Counts the actors attached in a chain; an attached actor is in a later wave. */
static void count_below(sinew_stage *stage) {
  for (int i = 0; i < stage->actor_count; i++) stage->actors[i]->below = 0;
  for (int i = stage->actor_count - 1; i >= 0; i--) {
    const actor *a = stage->by_wave[i];
    actor *up = stage_find(stage, a->attachment.asked.to);
    if (up && up->below <= a->below) up->below = a->below + 1;
  }
}

void stage_find_waves(sinew_stage *stage) {
  if (!stage->waves_stale) return;
  stage->waves = 0;
  for (int i = 0; i < stage->actor_count; i++) stage->actors[i]->wave = -1;
  for (int i = 0; i < stage->actor_count; i++) {
    actor *a = stage->actors[i];
    if (a->wave < 0) find_wave(stage, a);
    if (a->wave >= stage->waves) stage->waves = a->wave + 1;
  }
  sort_by_wave(stage);
  count_below(stage);
  stage->waves_stale = false;
}
