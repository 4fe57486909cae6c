#include "actor/play/event_queue.h"

#include "base/memory/memory.h"

#include <math.h>

enum { MOST_LOST = 1000000 }; /* are counted */

enum { RANK_BEFORE, RANK_FINISH, RANK_LOOP, RANK_STATE, RANK_AFTER };

/* Gives both arrays at least `capacity` places. */
static bool reserve(event_queue *queue, int count) {
  int items = queue->capacity, moments = queue->capacity;
  if (!array_reserve((void **)&queue->items, &items, count, sizeof *queue->items) ||
      !array_reserve((void **)&queue->moments, &moments, count, sizeof *queue->moments))
    return false;
  queue->capacity = items < moments ? items : moments;
  return true;
}

bool event_queue_init(event_queue *queue) {
  *queue = (event_queue){.count = 0};
  return reserve(queue, STAGE_EVENTS);
}

void event_queue_reset(event_queue *queue) {
  mem_free(queue->items);
  mem_free(queue->moments);
  *queue = (event_queue){0};
}

static void add(event_queue *queue, const sinew_event *event, double moment, int rank) {
  if (queue->count == queue->capacity && !reserve(queue, queue->count + 1)) {
    queue->lost++;
    return;
  }
  queue->moments[queue->count] = (event_moment){.seconds = moment, .rank = rank};
  queue->items[queue->count++] = *event;
}

/* ---- the span of a frame ---- */

/* A moment of a clip that plays: its loop, and the position in it. Compared by both, never by their sum, so that a clip
 * that has run for days is as exact as a fresh one. */
typedef struct clip_moment {
  int64_t loop;
  double position;
} clip_moment;

static int compare(clip_moment a, clip_moment b) {
  if (a.loop != b.loop) return a.loop < b.loop ? -1 : 1;
  return (a.position > b.position) - (a.position < b.position);
}

typedef struct span {
  clip_moment from, to;
  int direction;
  bool fresh;    /* its first moment counts, too */
  double period; /* length of a loop, seconds */
  double speed;
} span;

static bool passes(const span *s, clip_moment at) {
  int start = compare(at, s->from) * s->direction, end = compare(at, s->to) * s->direction;
  return (start > 0 || (start == 0 && s->fresh)) && end <= 0;
}

/* The end of a loop and the start of the next are one moment. */
static double moment_of(const span *s, clip_moment at) {
  if (at.position == s->period && s->period > 0) at = (clip_moment){at.loop + 1, 0};
  double distance = (double)(at.loop - s->from.loop) * s->period + at.position - s->from.position;
  return s->speed != 0 ? fabs(distance / s->speed) : 0;
}

static void lose(event_queue *queue, int64_t count) {
  int64_t lost = queue->lost + count;
  queue->lost = lost < MOST_LOST ? (int)lost : MOST_LOST;
}

/* Once for each loop in the span; the last loop of a counted clip ends without a next one. */
static void gather_at(event_queue *queue, const span *s, const playback *p, double position, const sinew_event *event,
                      int rank) {
  int64_t low = s->direction > 0 ? s->from.loop : s->to.loop, high = s->direction > 0 ? s->to.loop : s->from.loop;
  bool counted = p->loop == SINEW_LOOP_ONCE || p->loop == SINEW_LOOP_COUNT;
  int64_t last = counted ? (p->loop == SINEW_LOOP_ONCE ? 1 : p->loop_count) - 1 : INT64_MAX;
  if (high > last) high = last;
  if (low < -last) low = -last;
  for (int64_t i = 0; i <= high - low; i++) {
    clip_moment at = {s->direction > 0 ? low + i : high - i, position};
    bool is_full = i == STAGE_EVENTS || (queue->count >= MOST_EVENTS && passes(s, at));
    if (is_full) {
      lose(queue, high - low - i + 1);
      return;
    }
    if (passes(s, at)) add(queue, event, moment_of(s, at), rank);
  }
}

static void gather_marker(event_queue *queue, const span *s, const playback *p, const sinew_marker *m,
                          const sinew_event *like) {
  double position = m->time - p->begin;
  sinew_event event = *like;
  if (m->silent || position < 0 || position > p->duration) return;
  event.kind = SINEW_EVENT_MARKER;
  event.name = m->name;
  event.tag = m->tag;
  event.time = m->time;
  /* where a loop begins, in the direction of play */
  bool begins = s->direction > 0 ? position == 0 : position == s->period;
  gather_at(queue, s, p, position, &event, begins ? RANK_AFTER : RANK_BEFORE);
  if (p->loop == SINEW_LOOP_PING_PONG && position > 0 && position < p->duration)
    gather_at(queue, s, p, 2 * p->duration - position, &event, RANK_BEFORE);
}

static void gather_loops(event_queue *queue, span s, const playback *p, const sinew_event *like) {
  if (s.from.loop == s.to.loop && s.direction > 0) return;
  sinew_event event = *like;
  event.kind = SINEW_EVENT_LOOP;
  event.name = "loop";
  event.time = p->begin;
  s.fresh = false;
  if (p->finished && s.direction < 0) s.to.position = nextafter(0, 1); /* the clip ends, and no loop begins */
  gather_at(queue, &s, p, 0, &event, RANK_LOOP);
}

static void gather_finish(event_queue *queue, const span *s, const playback *p, const sinew_event *like) {
  if (!p->finished || p->from_finished) return;
  sinew_event event = *like;
  event.kind = SINEW_EVENT_FINISH;
  event.name = "finish";
  event.time = playback_time(p);
  add(queue, &event, moment_of(s, s->to), RANK_FINISH);
}

/* A counted clip that has ended is at {count, duration}: the end of its last loop. */
static clip_moment end_moment(const playback *p, int64_t loop, double position, bool finished) {
  if (!finished || p->loop == SINEW_LOOP_FOREVER || p->loop == SINEW_LOOP_PING_PONG)
    return (clip_moment){loop, position};
  return (clip_moment){loop > 0 ? loop - 1 : loop + 1, position};
}

bool events_are_none(const playback *p, const clip_markers *markers) {
  return markers->count == 0 && p->loops == p->from_loops && p->position >= p->from_position && !p->finished &&
         !p->from_finished;
}

void events_gather(event_queue *queue, const playback *p, const clip_markers *markers, const sinew_event *like,
                   bool cut_off) {
  bool ping_pong = p->loop == SINEW_LOOP_PING_PONG;
  span s = {.from = end_moment(p, p->from_loops, p->from_position, p->from_finished),
            .to = end_moment(p, p->loops, p->position, p->finished),
            .fresh = p->from_fresh,
            .period = ping_pong ? 2 * p->duration : p->duration,
            .speed = p->speed};
  s.direction = compare(s.to, s.from);
  if (s.direction == 0) s.direction = p->speed < 0 ? -1 : 1;
  for (int i = 0; i < markers->count; i++) gather_marker(queue, &s, p, markers->items + i, like);
  gather_loops(queue, s, p, like);
  if (!cut_off) gather_finish(queue, &s, p, like);
}

void events_add_state(event_queue *queue, const sinew_event *event, double moment) {
  add(queue, event, moment, RANK_STATE);
}

static bool is_later(event_moment a, event_moment b) {
  if (a.seconds != b.seconds) return a.seconds > b.seconds;
  return a.rank != b.rank ? a.rank > b.rank : a.order > b.order;
}

static void swap(event_queue *queue, int a, int b) {
  sinew_event item = queue->items[a];
  event_moment moment = queue->moments[a];
  queue->items[a] = queue->items[b], queue->moments[a] = queue->moments[b];
  queue->items[b] = item, queue->moments[b] = moment;
}

/* Lets event `k` of a heap of `count` from `first` on sink until none of its children is later. */
static void sink(event_queue *queue, int first, int count, int k) {
  const event_moment *moments = queue->moments + first;
  for (int child = 2 * k + 1; child < count; k = child, child = 2 * k + 1) {
    if (child + 1 < count && is_later(moments[child + 1], moments[child])) child++;
    if (!is_later(moments[child], moments[k])) return;
    swap(queue, first + k, first + child);
  }
}

/* Many clips that loop thousands of times in one update are far from sorted: a heap sort, which needs no memory. */
void events_sort(event_queue *queue, int first) {
  int count = queue->count - first;
  bool sorted = true;
  for (int i = 0; i < count; i++) {
    queue->moments[first + i].order = i;
    sorted = sorted && (i == 0 || !is_later(queue->moments[first + i - 1], queue->moments[first + i]));
  }
  if (sorted) return;
  for (int k = count / 2 - 1; k >= 0; k--) sink(queue, first, count, k);
  for (int left = count - 1; left > 0; left--) {
    swap(queue, first, first + left);
    sink(queue, first, left, 0);
  }
}
