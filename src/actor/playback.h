/* playback – where an action is in its clip: double seconds and whole passes, never a sum of floats. */
#ifndef SINEW_ACTOR_PLAYBACK_H
#define SINEW_ACTOR_PLAYBACK_H

#include <sinew/actor.h>

typedef struct playback {
  double duration;
  double position; /* 0 .. duration; for ping-pong 0 .. 2 × duration, the second half running back */
  int64_t loops;
  double speed;
  sinew_loop_mode loop;
  int loop_count;
  bool finished;
} playback;

/* Moves by dt × speed. Any finite dt: many passes in one step are counted, not walked. */
void playback_advance(playback *p, double dt);

/* Seconds in the clip, 0 .. duration. */
double playback_time(const playback *p);

/* Jumps to a time in the clip (clamped to it) without a pass being counted. */
void playback_seek(playback *p, double time);

#endif
