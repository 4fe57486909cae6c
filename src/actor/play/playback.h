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
  bool sought; /* a restarting sync group starts where this clip is */
  bool passed; /* the next advance counts from before the last seek */
  /* Its position and speed at the last two marks: from these follows how far it moved between them, at its present
   * speed. */
  int marks;
  double mark, mark_speed, advanced;
  double passed_from;
  double matched; /* matched by distance (course.h): the measure with which it began; NAN: not begun */
} playback;

/* Whole loops are kept within ±2⁶⁰, where a difference of two fits an integer; a larger number stops there. */
int64_t loops_of(double whole); /* 0 if it is not a number */
int64_t loops_add(int64_t a, int64_t b);

/* Plays from `from` to `to` seconds of a clip (NAN: its beginning, its end); starts at the beginning. */
playback playback_start(double clip_duration, double from, double to);

/* Seconds of the clip in one cycle: its duration, or twice that for ping-pong. */
double playback_cycle(const playback *p);

/* Moves by dt × speed. Any finite dt: many loops in one step are counted, not walked. */
void playback_advance(playback *p, double dt);

/* Call this before each update. With two marks in a row and no jump in between, `way` is the distance of the last
 * update. */
void playback_mark(playback *p);

/* Seconds in the clip, begin .. begin + duration. */
double playback_time(const playback *p);

/* Whether a ping-pong playback is on its way back; the second function turns it round in place. Other modes have one
 * direction. */
bool playback_is_back(const playback *p);
void playback_turn(playback *p, bool back);

/* Jumps to a time in the clip (clamped to the part that plays) without counting a loop. */
void playback_seek(playback *p, double time);

/* The same, but the next advance raises the events between the old position and the new one. */
void playback_pass_to(playback *p, double time);

/* Changes the part that plays, at the same time of the clip if the part contains it; otherwise a loop is wrapped into
 * the part, and any other playback stops at the nearer end. */
void playback_set_part(playback *p, double clip_duration, double from, double to);

/* Changes the loop mode, at the same time of the clip, in the first loop and the forward direction. */
void playback_set_loop(playback *p, sinew_loop_mode loop, int count);

/* Replaces the clip by one of another length: a whole clip keeps its fraction, a part its seconds. */
void playback_move(playback *p, double clip_before, double clip_after);

/* Seconds of the clip until the end of this loop, in its direction. */
double playback_remaining(const playback *p);

/* The span of the last advance, in seconds of the clip: from one moment to another, and how often the end was passed in
 * between (negative: backwards). A ping-pong ends at its position. */
typedef struct playback_span {
  double from, to;
  int64_t loops;
} playback_span;
playback_span playback_last_span(const playback *p);

/* Puts it at `unrolled` seconds from the first cycle's beginning (negative ones lie before it). */
void playback_position(playback *p, double unrolled);

#endif
