#include "host/past/past_marks.h"

#include "base/memory/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 512, RENEW = ROOM - 64, LATEST = 12, RECENT = 24, MOST_MARKS = 8192, MOST_EVENTS = 8192 };

/* A slide of a centimetre in half a second is about as visible as a jump that is just marked. */
static const double seen_slide = 0.01, window = 0.5;

struct watched_actor {
  sinew_actor actor;
  bool is_ours;           /* the scene does not measure it itself */
  int64_t frames;         /* that it was measured for */
  int64_t recent[RECENT]; /* numbers of its latest marks, which may still change; the next one takes the place of … */
  int64_t recent_count;   /* … this one, modulo */
};

void past_marks_release(past_marks *p) {
  mem_free(p->marks);
  mem_free(p->events);
  mem_free(p->watched);
  *p = (past_marks){0};
}

/* ---- measuring ---- */

static struct watched_actor *watched_of(past_marks *p, sinew_actor actor) {
  for (int i = 0; i < p->watched_count; i++)
    if (p->watched[i].actor.id == actor.id) return p->watched + i;
  if (p->most_watched > 0 && p->watched_count == p->most_watched) return NULL;
  struct watched_actor *made = array_grow((void **)&p->watched, &p->watched_count, &p->watched_capacity, sizeof *made);
  if (made) made->actor = actor;
  return made;
}

static void measure(struct watched_actor *w, sinew_stage *stage) {
  sinew_metrics_def def = sinew_metrics_def_default();
  sinew_error ignored; /* it has no marks then */
  def.marks = ROOM;
  def.slide_threshold = 1e-4f; /* contacts are shown, too */
  w->is_ours = sinew_actor_set_metrics(stage, w->actor, &def, &ignored);
  w->frames = 0;
}

static void forget_gone(past_marks *p, const sinew_stage *stage) {
  int kept = 0;
  for (int i = 0; i < p->watched_count; i++)
    if (sinew_actor_is_valid(stage, p->watched[i].actor)) p->watched[kept++] = p->watched[i];
  p->watched_count = kept;
}

void past_marks_watch(past_marks *p, sinew_stage *stage) {
  forget_gone(p, stage);
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) {
    sinew_metrics metrics;
    struct watched_actor *w = watched_of(p, sinew_stage_actor(stage, i));
    if (!w) return;
    bool measured = sinew_actor_metrics(stage, w->actor, &metrics);
    if (measured && metrics.frames < w->frames) w->is_ours = false; /* the scene has begun to */
    w->frames = metrics.frames;
    bool is_full = w->is_ours && sinew_actor_mark_count(stage, w->actor) >= RENEW;
    if (!measured || is_full) measure(w, stage);
  }
}

/* ---- marks ---- */

static bool is_same(const past_mark *known, sinew_actor actor, const sinew_mark *mark) {
  const sinew_mark *m = &known->mark;
  return known->actor.id == actor.id && m->kind == mark->kind && m->begin == mark->begin && m->layer == mark->layer &&
         m->node == mark->node && m->transition == mark->transition &&
         (mark->kind != SINEW_MARK_SLIDE || m->joint == mark->joint);
}

static past_mark *find_mark(past_marks *p, const struct watched_actor *w, const sinew_mark *mark) {
  for (int64_t i = w->recent_count - 1; i >= 0 && i >= w->recent_count - RECENT; i--) {
    int64_t at = w->recent[i % RECENT] - p->forgotten;
    if (at >= 0 && at < p->count && is_same(p->marks + at, w->actor, mark)) return p->marks + at;
  }
  return NULL;
}

static void renumber(past_marks *p, int64_t number, int by) {
  for (int i = 0; i < p->watched_count; i++)
    for (int k = 0; k < RECENT; k++)
      if (p->watched[i].recent[k] == number) p->watched[i].recent[k] += by;
}

/* A foot that stands for minutes keeps its mark, and all marks behind it. Before that takes more room, drops the old
 * ones. */
static void sweep_marks(past_marks *p) {
  int gone = 0;
  for (int i = p->count - 1; i >= 0; i--) {
    if (p->marks[i].end < p->oldest) gone++;
    else if (gone > 0) {
      renumber(p, p->forgotten + i, gone);
      p->marks[i + gone] = p->marks[i];
    }
  }
  p->count -= gone;
  p->forgotten += gone;
  if (gone > 0) memmove(p->marks, p->marks + gone, (size_t)p->count * sizeof *p->marks);
}

static past_mark *add_mark(past_marks *p, struct watched_actor *w) {
  if (p->count == p->capacity) sweep_marks(p);
  past_mark *m = array_grow((void **)&p->marks, &p->count, &p->capacity, sizeof *m);
  if (m) w->recent[w->recent_count++ % RECENT] = p->forgotten + p->count - 1;
  return m;
}

static void forget_marks(past_marks *p) {
  int first = 0;
  while (first < p->count && (p->marks[first].end < p->oldest || p->count - first > MOST_MARKS)) first++;
  if (first == 0) return;
  p->count -= first;
  p->forgotten += first;
  memmove(p->marks, p->marks + first, (size_t)p->count * sizeof *p->marks);
}

static void feel_slide(past_mark *m, bool is_new) {
  if (is_new) m->windows[0].begin = m->begin, m->windows[1].begin = m->begin - window / 2;
  for (int i = 0; i < 2; i++) {
    slide_window *w = m->windows + i;
    float slid = m->mark.size - w->size;
    if (slid > m->worst) m->worst = slid, m->worst_end = m->end;
    if (m->end - w->begin < window) continue;
    w->begin += window * floor((m->end - w->begin) / window);
    w->size = m->mark.size;
  }
}

static void keep_mark(past_marks *p, const sinew_stage *stage, const sinew_app *app, struct watched_actor *w, int index,
                      double zero) {
  sinew_actor actor = w->actor;
  sinew_mark mark;
  if (!sinew_actor_mark(stage, actor, index, &mark)) return;
  past_mark *m = find_mark(p, w, &mark);
  bool is_new = !m, changed = is_new || m->mark.size != mark.size || m->mark.end != mark.end;
  if (!changed) return;
  if (is_new) m = add_mark(p, w);
  if (!m) return;
  m->actor = actor;
  m->mark = mark;
  m->begin = zero + mark.begin;
  m->end = zero + mark.end;
  if (mark.kind == SINEW_MARK_SLIDE) feel_slide(m, is_new);
  if (app->mark_text) app->mark_text(app->user, actor, index, m->text, sizeof m->text);
}

/* Only recent marks change: a jump may continue, and contacts that are still open come last. */
static void keep_marks(past_marks *p, const sinew_stage *stage, const sinew_app *app, struct watched_actor *w,
                       double time) {
  sinew_metrics metrics;
  if (!sinew_actor_metrics(stage, w->actor, &metrics) || metrics.frames == w->frames) return;
  int count = sinew_actor_mark_count(stage, w->actor);
  for (int i = count < LATEST ? 0 : count - LATEST; i < count; i++)
    keep_mark(p, stage, app, w, i, time - metrics.seconds);
}

/* ---- events ---- */

static void keep_events(past_marks *p, const sinew_stage *stage, double time) {
  int count;
  const sinew_event *events = sinew_stage_events(stage, &count, NULL);
  for (int i = 0; i < count && p->event_count < MOST_EVENTS; i++) {
    if (events[i].kind != SINEW_EVENT_MARKER) continue;
    past_event *e = array_grow((void **)&p->events, &p->event_count, &p->event_capacity, sizeof *e);
    if (!e) return;
    e->actor = events[i].actor;
    e->time = time;
    snprintf(e->name, sizeof e->name, "%s", events[i].name);
  }
}

static void forget_events(past_marks *p, double oldest) {
  int first = 0;
  while (first < p->event_count && p->events[first].time < oldest) first++;
  if (first == 0) return;
  p->event_count -= first;
  memmove(p->events, p->events + first, (size_t)p->event_count * sizeof *p->events);
}

void past_marks_update(past_marks *p, const sinew_stage *stage, const sinew_app *app, double time, double oldest) {
  p->oldest = oldest;
  for (int i = 0; i < p->watched_count; i++) keep_marks(p, stage, app, p->watched + i, time);
  keep_events(p, stage, time);
  forget_marks(p);
  forget_events(p, oldest);
}

/* ---- of another ---- */

bool past_marks_has(const past_marks *p, sinew_actor actor) {
  for (int i = 0; i < p->watched_count; i++)
    if (p->watched[i].actor.id == actor.id) return true;
  return false;
}

static void forget_of_others(past_marks *p) {
  int kept = 0;
  for (int i = 0; i < p->count; i++)
    if (past_marks_has(p, p->marks[i].actor)) p->marks[kept++] = p->marks[i];
  p->count = kept;
}

void past_marks_merge(past_marks *p, const past_marks *other) {
  forget_of_others(p);
  for (int i = 0; i < other->count; i++) {
    bool is_new = other->marks[i].actor.id && !past_marks_has(p, other->marks[i].actor);
    past_mark *m = is_new ? array_grow((void **)&p->marks, &p->count, &p->capacity, sizeof *m) : NULL;
    if (m) *m = other->marks[i];
  }
}

/* ---- questions ---- */

double past_mark_score(const past_mark *m) {
  if (m->mark.kind == SINEW_MARK_POP) return (double)m->mark.rank;
  if (m->mark.kind != SINEW_MARK_SLIDE || (double)m->worst < seen_slide / 2) return 0;
  /* An actor that walks on the spot slides all the time, so a jump that anybody sees ranks above any slide. */
  return fmin((double)m->worst / seen_slide, PAST_SEEN_JUMP);
}

double past_mark_begin(const past_mark *m) {
  return m->mark.kind == SINEW_MARK_SLIDE ? fmax(m->begin, m->worst_end - window) : m->begin;
}

double past_mark_end(const past_mark *m) { return m->mark.kind == SINEW_MARK_SLIDE ? m->worst_end : m->end; }

int past_marks_worst(const past_marks *p, double since) {
  int worst = -1;
  double score = 0;
  for (int i = 0; i < p->count; i++) {
    if (past_mark_end(p->marks + i) < since || past_mark_score(p->marks + i) <= score) continue;
    worst = i;
    score = past_mark_score(p->marks + i);
  }
  return worst;
}
