#include "host/pacing.h"

double pacing_step(pacing *p, double now) {
  double interval = p->count > 0 ? now - p->last : 1.0 / 60;
  if (!(interval > 0)) interval = 0;
  if (interval > 0.1) interval = 0.1;
  if (p->count == 0)
    for (int i = 0; i < PACING_HISTORY; i++) p->history[i] = interval;
  p->history[p->count % PACING_HISTORY] = interval;
  p->count = p->count % (PACING_HISTORY * 1000) + 1;
  p->last = now;
  double sum = 0;
  for (int i = 0; i < PACING_HISTORY; i++) sum += p->history[i];
  return sum / PACING_HISTORY;
}
