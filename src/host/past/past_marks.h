/* past_marks – the marks of all actors (sinew/marks.h) in scene time, and the events that clips fired, for as long as
 * the ring goes back. */
#ifndef SINEW_HOST_PAST_MARKS_H
#define SINEW_HOST_PAST_MARKS_H

#include <sinew/event.h>
#include <sinew/host.h>
#include <sinew/marks.h>

/* Measuring an actor takes some 17 µs in each frame, so only the first are while the scene runs; the marks of others
 * come from the process that makes seconds again. */
enum { PAST_WATCHED = 8, PAST_TEXT = 240, PAST_NAME = 32 };
/* A jump of this many degrees a second is visible to a person who does not look for it. */
enum { PAST_SEEN_DEGREES = 700 };

typedef struct slide_window {
  double begin; /* scene time */
  float size;   /* what the foot had slid then */
} slide_window;

typedef struct past_mark {
  sinew_actor actor;
  sinew_mark mark;   /* as it was told */
  double begin, end; /* scene time */
  /* SLIDE: metres within half a second, the most of the contact. An actor that stands for a minute slides far in all,
   * and nobody sees it. Windows that overlap by half miss a quarter of it at most. */
  float worst;
  double worst_end; /* where that half second ends, scene time */
  slide_window windows[2];
  char text[PAST_TEXT];
} past_mark;

typedef struct past_event {
  sinew_actor actor;
  double time;
  char name[PAST_NAME];
} past_event;

typedef struct past_marks {
  past_mark *marks; /* in the order in which they began to be known */
  int count, capacity;
  int64_t forgotten; /* marks before the first */
  double oldest;     /* scene time; of what is kept */
  past_event *events;
  int event_count, event_capacity;
  struct watched_actor *watched;
  int watched_count, watched_capacity;
  int most_watched; /* 0: all are */
} past_marks;

void past_marks_release(past_marks *p);
/* Before the stage is updated: actors that are not measured yet are measured from now on, PAST_WATCHED at most. */
void past_marks_watch(past_marks *p, sinew_stage *stage);
/* After it. `app` has the words; marks and events that ended before `oldest` are forgotten. */
void past_marks_update(past_marks *p, const sinew_stage *stage, const sinew_app *app, double time, double oldest);

/* Whether marks of the actor are among them from what was measured here. */
bool past_marks_has(const past_marks *p, sinew_actor actor);
/* Adds the marks of actors that were not measured here, as another measured them. */
void past_marks_merge(past_marks *p, const past_marks *other);

/* How bad it looks: for jumps and slides, the multiple of the threshold; 0 for states and refusals, and for marks that
 * nobody can see. */
double past_mark_score(const past_mark *m);
/* From where to where one sees it, scene time: of a slide its worst half second. */
double past_mark_begin(const past_mark *m);
double past_mark_end(const past_mark *m);
/* The worst one that ended after `since`, or −1. */
int past_marks_worst(const past_marks *p, double since);
/* The transition that a jump follows by at most 0.1 s, or −1. */
int past_marks_cause(const past_marks *p, int mark);

#endif
