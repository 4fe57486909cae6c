/* sync – one phase for several clips, so that the feet of a walk and a run meet the ground together.
 *
 * A phase counts strides, and in each of them the intervals between its sync marks: 1.5 is half-way between the second
 * mark and the third. A clip may hold several strides. A clip whose marks have the pattern's names in the same cyclic
 * order follows the phase from mark to mark; any other clip is at the same fraction of its stride as the clip that gave
 * the pattern. */
#ifndef SINEW_ACTOR_SYNC_H
#define SINEW_ACTOR_SYNC_H

#include "actor/play/markers.h"
#include "actor/play/playback.h"
#include "actor/sync/gait.h"

enum { SYNC_MARKERS = 16 };

/* The phase of a group. All zeros: not begun. */
typedef struct sync_phase {
  double position;  /* 0 .. intervals */
  int64_t cycles;   /* whole strides */
  int intervals;    /* in a stride; 0: not begun */
  uint32_t pattern; /* the hash of the names by which it counts */
} sync_phase;

/* The moments at which a clip is aligned with others, seconds from the beginning of the part that plays, in order. */
typedef struct sync_marks {
  int count;
  double time[SYNC_MARKERS];
  const char *name[SYNC_MARKERS];
} sync_marks;

/* One stride of the clip that leads a group: the names, and the position of each mark in the stride, 0 .. 1. No mark:
 * one interval from beginning to end. */
typedef struct sync_pattern {
  int count;
  const char *name[SYNC_MARKERS];
  double fraction[SYNC_MARKERS];
} sync_pattern;

/* A clip as a member of a group. */
typedef struct sync_track {
  int strides, intervals;      /* in the clip; in a stride */
  double begin;                /* seconds of the part that plays, of the first mark of stride 0 */
  double length[SYNC_MARKERS]; /* seconds of each interval of each stride; the last wraps over the end of the clip */
} sync_track;

/* The sync markers that were set, if all lie in the part that plays; otherwise none. */
sync_marks sync_marks_of(const playback *p, const clip_markers *markers);
/* The moments when feet come down, under the names of their legs; none if the part that plays is not the whole clip. */
sync_marks sync_marks_of_steps(const playback *p, const clip_gait *gait, double clip_duration,
                               const char *const names[GAIT_LEGS]);
/* The moment when the first foot is farthest ahead. */
sync_marks sync_marks_of_reach(const playback *p, const clip_gait *gait, double clip_duration, const char *name);
/* The marks whose names `others` has, too. */
sync_marks sync_marks_common(const sync_marks *marks, const sync_marks *others);

/* The shortest part of the clip whose names repeat. */
sync_pattern sync_pattern_of(const playback *p, const sync_marks *marks);
/* The number of the pattern's strides in the marks; 0 if they do not match it. */
int sync_strides(const sync_marks *marks, const sync_pattern *pattern);

/* `strides`: the number of strides in a clip whose marks differ. */
sync_track sync_track_of(const playback *p, const sync_marks *marks, const sync_pattern *pattern, int strides);

/* Seconds from the beginning of loop 0 (of the part that plays) at a phase, and the phase there. */
double sync_unroll(const sync_track *track, sync_phase phase);
sync_phase sync_locate(const sync_track *track, double unrolled);

/* The phase in the strides of a clip that is at `unrolled`: of several strides, the nearest one. */
sync_phase sync_align(const sync_track *track, sync_phase phase, double unrolled);

/* Moves the phase by dt seconds, where interval i takes seconds[i]. */
void sync_advance(sync_phase *phase, const double *seconds, double dt);

#endif
