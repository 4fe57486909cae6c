/* input_log – what a person did in each frame of a run, and how long the frames were, as text. Played back, it makes
 * the run again.
 *
 *   sinew recording 1
 *   panels 1 scale 1          were there panels, and how large: they take clicks away from the application
 *   size 1280 720             before the first frame, and whenever it changes
 *   frame 0.016666666666666666
 *   press w
 *   move 100 20.5
 *   release mouse1
 *   wheel 1
 *   type 228
 *   drop /home/me/walk.bvh
 *   file 00f1e2d3c4b5a697 scene.lua     a file that the run read, and a number of its content
 *   save scene.lua                      the run took a new version of it
 *   strike update                       a callback took longer than it may, by the clock, and was suspended
 *
 * What follows a frame happened in it, in that order. A run with a save is not made again: its files are not what they
 * were. A run with a strike is made again up to the frame of the strike: where in the callback it came is not known. */
#ifndef SINEW_HOST_INPUT_LOG_H
#define SINEW_HOST_INPUT_LOG_H

#include "host/input/input.h"

typedef struct input_log_head {
  bool has_panels;
  float scale; /* of the panels */
  int width, height;
} input_log_head;

typedef struct input_log input_log;

/* Begins a new file. NULL and a sentence where it cannot be written. */
input_log *input_log_create(const char *path, const input_log_head *head, sinew_error *error);
/* One more frame, with the events that the input has taken for it. */
void input_log_write(input_log *r, double dt, int width, int height, const input *in);

/* A file that the run goes by; each is noted once. */
void input_log_note_file(input_log *r, const char *path);
/* The run took a new version of it. */
void input_log_note_save(input_log *r, const char *path);

/* The time of a callback was used up in this frame. */
void input_log_note_strike(input_log *r, const char *callback);

/* Reads a file and checks all of it; a warning names what has another content now. NULL and a sentence with the line
 * that is wrong. */
input_log *input_log_open(const char *path, sinew_error *error);
input_log_head input_log_start(const input_log *r);
/* The next frame: its time, the size of the picture, and its events into the input. False past the last. */
bool input_log_read(input_log *r, double *dt, int *width, int *height, input *in);
/* Of the frame that was read last: the callback whose time was used up in it, or "". */
const char *input_log_strike(const input_log *r);

/* False and a sentence where a new file could not be written whole. NULL is fine. */
bool input_log_close(input_log *r, sinew_error *error);

#endif
