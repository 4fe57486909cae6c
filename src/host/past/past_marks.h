/* past_marks – the marks of all actors (sinew/marks.h) in scene time, and the events of clips, for the time that the
 * ring covers. */
#ifndef SINEW_HOST_PAST_MARKS_H
#define SINEW_HOST_PAST_MARKS_H

#include <sinew/event.h>
#include <sinew/host.h>
#include <sinew/marks.h>

/* Measuring an actor takes some 17 µs per frame, so only the first ones are measured while the scene runs; the process
 * that reruns seconds supplies the marks of the others. */
enum { PAST_WATCHED = 8, PAST_TEXT = 240, PAST_NAME = 32 };
/* A jump of this many times the thresholds, 12° or 15 cm, is visible even to a casual viewer. */
enum { PAST_SEEN_JUMP = 3 };

typedef struct slide_window {
  double begin; /* scene time */
  float size;   /* the foot's slide up to then */
} slide_window;

typedef struct past_mark {
  sinew_actor actor;
  sinew_mark mark;   /* as it was told */
  double begin, end; /* scene time */
  /* SLIDE: the largest slide of the contact within half a second, metres. An actor that stands for a minute slides far
   * in total without anybody noticing. Half-overlapping windows miss a quarter of it at most. */
  float worst;
  double worst_end; /* the end of that half second, scene time */
  slide_window windows[2];
  char text[PAST_TEXT];
} past_mark;

typedef struct past_event {
  sinew_actor actor;
  double time;
  char name[PAST_NAME];
} past_event;

typedef struct past_marks {
  past_mark *marks; /* in the order in which they became known */
  int count, capacity;
  int64_t forgotten; /* marks before the first */
  double oldest;     /* scene time of the oldest one kept */
  past_event *events;
  int event_count, event_capacity;
  struct watched_actor *watched;
  int watched_count, watched_capacity;
  int most_watched; /* 0: all are */
} past_marks;

void past_marks_release(past_marks *p);
/* Before the stage is updated, starts measuring new actors, PAST_WATCHED at most. */
void past_marks_watch(past_marks *p, sinew_stage *stage);
/* After it. `app` supplies the words; marks and events that ended before `oldest` are dropped. */
void past_marks_update(past_marks *p, const sinew_stage *stage, const sinew_app *app, double time, double oldest);

/* True if the actor was measured here. */
bool past_marks_has(const past_marks *p, sinew_actor actor);
/* Adds the marks of actors that were measured elsewhere. */
void past_marks_merge(past_marks *p, const past_marks *other);

/* How visible it is: for jumps and slides, the multiple of the threshold; 0 for states and refusals, and for invisible
 * marks. */
double past_mark_score(const past_mark *m);
/* The visible range, scene time: for a slide, its worst half second. */
double past_mark_begin(const past_mark *m);
double past_mark_end(const past_mark *m);
/* The worst mark that ended after `since`, or −1. */
int past_marks_worst(const past_marks *p, double since);

#endif
