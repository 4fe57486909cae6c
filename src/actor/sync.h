/* sync – one phase for several clips, so that the feet of a walk and a run meet the ground together.
 *
 * A phase counts the stretches between the sync markers of a cycle: 1.5 is half-way between the second marker and the
 * third. A clip whose markers have the pattern's names in the same cyclic order is led from marker to marker; another
 * one runs at the same share of its length. */
#ifndef SINEW_ACTOR_SYNC_H
#define SINEW_ACTOR_SYNC_H

#include "actor/markers.h"
#include "actor/playback.h"

enum { SYNC_MARKERS = 16 };

/* The phase of a group. All zeros: not begun. */
typedef struct sync_phase {
  double position; /* 0 .. stretches */
  int64_t cycles;
  int stretches; /* in a cycle; 0: not begun */
} sync_phase;

/* A clip as a member of a group. */
typedef struct sync_track {
  int stretches;
  double begin;                /* seconds of the part that plays, of the first marker */
  double length[SYNC_MARKERS]; /* seconds from marker to marker, the last one over the end of the clip */
} sync_track;

/* The clip whose markers a group goes by. NULL markers: none, one stretch from beginning to end. */
sync_track sync_track_of(const playback *p, const clip_markers *markers, const clip_markers *pattern);

/* Has the clip sync markers that all lie in the part that plays? */
bool sync_has_pattern(const playback *p, const clip_markers *markers);

/* Seconds from the beginning of cycle 0 (of the part that plays) at a phase, and the phase there. */
double sync_unroll(const sync_track *track, sync_phase phase);
sync_phase sync_locate(const sync_track *track, double unrolled);

/* Moves the phase by dt seconds, where stretch i takes seconds[i]. */
void sync_advance(sync_phase *phase, const double *seconds, double dt);

/* Another number of stretches, at the same share of the cycle. */
void sync_restretch(sync_phase *phase, int stretches);

#endif
