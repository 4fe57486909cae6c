/* playback – the clock of a clip: double seconds and whole loops, never a sum of floats. */
#ifndef SINEW_ACTOR_PLAYBACK_H
#define SINEW_ACTOR_PLAYBACK_H

#include <sinew/actor.h>

typedef struct playback {
  double begin, duration; /* the part of the clip that plays */
  double position;        /* 0 .. duration; for ping-pong 0 .. 2 × duration, the second half running back */
  int64_t loops;
  double speed;
  sinew_loop_mode loop;
  int loop_count;
  int cycles; /* strides in one loop, as declared; 0: not declared */
  bool finished;
  /* The position before the last advance, and whether the clip had not moved yet, so that markers exactly there still
   * raise events. */
  double from_position;
  int64_t from_loops;
  bool from_finished, from_fresh, fresh;
  bool sought; /* a sync group that begins again begins where this clip stands */
  bool passed; /* the next advance begins where the last seek did */
  /* Where and how fast it was at the last two marks: how far it went between them, at the speed that it has now. */
  int marks;
  double mark, mark_speed, advanced;
  double passed_from;
  double matched; /* what it went by when it began, where it goes by distance (course.h); NAN: not begun */
} playback;

/* Whole loops stay within ±2⁶⁰, where differences of two fit an integer: a huge speed stops counting there. */
int64_t loops_of(double whole); /* 0 for what is no number */
int64_t loops_add(int64_t a, int64_t b);

/* From `from` to `to` seconds of a clip (NAN: its beginning, its end), standing at the beginning. */
playback playback_start(double clip_duration, double from, double to);

/* Seconds of the clip until it is where it was: its duration, or there and back. */
double playback_cycle(const playback *p);

/* Moves by dt × speed. Any finite dt: many passes in one step are counted, not walked. */
void playback_advance(playback *p, double dt);

/* Before each update: with two marks in a row, without a jump in between, `way` is what the last update moved it by. */
void playback_mark(playback *p);

/* Seconds in the clip, begin .. begin + duration. */
double playback_time(const playback *p);

/* Whether one that goes there and back is on its way back; turns it round in its place. Others have one way only. */
bool playback_is_back(const playback *p);
void playback_turn(playback *p, bool back);

/* Jumps to a time in the clip (clamped to the part that plays) without a pass being counted. */
void playback_seek(playback *p, double time);

/* The same, and the next advance raises events from where it was before the seek. */
void playback_pass_to(playback *p, double time);

/* Plays another part of the clip from now on, at the same time of the clip where that lies inside; else a loop is
 * wrapped into the part, and any other playback stands at the nearer end. */
void playback_set_part(playback *p, double clip_duration, double from, double to);

/* Another way of looping from now on, at the same time of the clip: in its first pass, on its way there. */
void playback_set_loop(playback *p, sinew_loop_mode loop, int count);

/* Its clip is another of another length: the whole clip keeps the fraction of it, a part its seconds. */
void playback_move(playback *p, double clip_before, double clip_after);

/* Seconds of the clip until the end of this pass, in the direction that it plays. */
double playback_remaining(const playback *p);

/* The way of the last advance, in seconds of the clip: from one moment to another, and how often the end was passed
 * between them (negative: backwards). A ping-pong ends where it stands. */
typedef struct playback_span {
  double from, to;
  int64_t loops;
} playback_span;
playback_span playback_last_span(const playback *p);

/* Puts it at `unrolled` seconds from the first cycle's beginning (negative ones lie before it). */
void playback_position(playback *p, double unrolled);

#endif
