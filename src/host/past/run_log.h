/* run_log – all input of a run, frame by frame; playing it back repeats the run. Lines of text, and blobs of bytes
 * between them:
 *
 *   sinew recording 4
 *   panels 1 scale 1 arithmetic fused
 *                             were there panels, and how large: they take clicks away from the application; "fused"
 *                             or "separate": were a product and a sum rounded once or each (math/simd.h)
 *   size 1280 720             before the first frame, and whenever it changes
 *   frame 0.016666666666666666
 *   press w
 *   move 100 20.5
 *   release mouse1
 *   strength left_stick_up 0.5  of a gamepad's stick or trigger, 0 to 1
 *   wheel 1
 *   type 228
 *   drop /home/me/walk.bvh
 *   save scene.lua                      the run was told that this file has changed
 *   blob 21 00f1e2d3c4b5a697            that many bytes follow, and a line's end; FNV-1a of them
 *   answer 00f1e2d3c4b5a697 text scene.lua    the application asked for this, and a blob was the answer (recording.h)
 *   refusal 00f1e2d3c4b5a697 text none.lua    likewise, and the blob says why there was none
 *   withheld 0                          the first event of the frame was for a panel: the application is not told
 *   set -1 edit "params.speed" "hero" "" "" 0 0 0 1.25    a panel made a change (recorded_change.h)
 *   check 00f1e2d3c4b5a697              after the update, in every 30th frame: state_check.h
 *   strike update                       a callback took longer than it may, by the clock, and was suspended
 *
 * Lines after a frame line happened in that frame, in that order; answers before the first frame were given before it.
 * A run with a strike is replayed up to the frame of the strike. If the file ends in the middle of a line or a blob,
 * everything before it counts: each line is written at once, so a program that is killed leaves all of its frames.
 *
 * The reader also takes the version before: 3 had no arithmetic, and came from other elementary functions. */
#ifndef SINEW_HOST_RUN_LOG_H
#define SINEW_HOST_RUN_LOG_H

#include "base/memory/hash_index.h"
#include "host/input/input.h"
#include "host/past/recorded_change.h"

#include <sinew/recording.h>

typedef struct run_log_head {
  bool has_panels;
  float scale; /* of the panels */
  int width, height;
  bool rounds_once; /* in the arithmetic of the recorded run */
  bool is_older;    /* which version 3 does not know */
} run_log_head;

#define RUN_LOG_TITLE "sinew recording "
enum { RUN_LOG_VERSION = 4, RUN_LOG_LARGEST_SIDE = 16384, RUN_LOG_CHECKS = 30 };

extern const char *const run_log_arithmetic[2]; /* the words of it, by rounds_once */

/* The key of a question; line ends in it count as blanks. */
uint64_t run_log_key(const char *kind, const char *name);

/* ---- writing (run_log_writer.c) ---- */

typedef struct run_log_writer run_log_writer;

/* The size limit of the temporary log that the host writes when no recording was requested. Models are most of it; half
 * an hour of input takes some 10 MB. */
enum { RUN_LOG_TEMPORARY_LIMIT = 1 << 28 };

/* Begins a new file. A temporary one is removed when it ends, and remains if the program is killed; it stops growing at
 * RUN_LOG_TEMPORARY_LIMIT bytes. NULL and an error message if it cannot be written. */
run_log_writer *run_log_create(const char *path, const run_log_head *head, bool is_temporary, sinew_error *error);
/* Writes one more frame, with the events that the input has taken for it. */
void run_log_write(run_log_writer *w, double dt, int width, int height, const input *in);
void run_log_write_save(run_log_writer *w, const char *path);
void run_log_write_answer(run_log_writer *w, const char *kind, const char *name, const sinew_answer *answer);
/* Notes that the frame's event at that index is for a panel. */
void run_log_write_withheld(run_log_writer *w, int index);
void run_log_write_set(run_log_writer *w, const recorded_change *set);
void run_log_write_check(run_log_writer *w, uint64_t check);
void run_log_write_strike(run_log_writer *w, const char *callback);
/* False if part of it could not be written; the log says why. NULL counts as whole. */
bool run_log_is_whole(const run_log_writer *w);
void run_log_end(run_log_writer *w); /* NULL is allowed */

/* ---- reading (run_log_reader.c) ---- */

typedef struct run_log_reader run_log_reader;

/* Reads a file and checks all of it, so that playing it back cannot fail. NULL and an error message with the line that
 * is wrong. */
run_log_reader *run_log_open(const char *path, sinew_error *error);
/* The same from bytes, which it frees (mem_free) in any case. */
run_log_reader *run_log_open_bytes(const char *path, unsigned char *bytes, size_t size, sinew_error *error);
void run_log_close(run_log_reader *r); /* NULL is allowed */

/* Opens a recording that is still being written, up to its last whole frame. */
run_log_reader *run_log_open_live(const char *path, sinew_error *error);
/* Reads what has been written since; damaged parts count as not there yet. `ended`: the last frame is whole, too, and
 * nothing follows. False if memory has run out. */
bool run_log_follow(run_log_reader *r, bool ended);

run_log_head run_log_start(const run_log_reader *r);
/* Reads the next frame: its time and size, and its events, which are pushed on the input. False at the end. */
bool run_log_read(run_log_reader *r, double *dt, int *width, int *height, input *in);
/* Of the frame that was read: the i-th file that was told to have changed, or NULL; the callback that was struck, or
 * "". */
/* Removes and returns the frame's first change made at that point (recorded_change.h); with `label`, the first of that
 * kind from the widget with that label. False if there is none. */
bool run_log_take_set(run_log_reader *r, int when, const char *kind, const char *label, recorded_change *out);
const char *run_log_save(const run_log_reader *r, int index);
const char *run_log_strike(const run_log_reader *r);
bool run_log_check(const run_log_reader *r, uint64_t *check); /* false if that frame has none */
bool run_log_recall(run_log_reader *r, uint64_t key, sinew_recall when, sinew_answer *answer);
bool run_log_will_recall(const run_log_reader *r, uint64_t key);

/* The recorded answers to the application's questions: in the current frame each once, in order; after that, the last
 * one again. */

typedef struct answers {
  struct known_answer *known; /* one for each question of the recording */
  int known_count, known_capacity;
  hash_index by_key;
  struct given_answer *given; /* in the current frame of the replay */
  int given_count, given_capacity;
  int64_t frame;
} answers;

void answers_release(answers *a);
/* While the recording is checked, adds its next answer, which belongs to that frame. */
bool answers_learn(answers *a, uint64_t key, sinew_answer answer, int64_t frame);
/* During the replay: starts a frame; adds one of its answers. */
void answers_begin_frame(answers *a);
bool answers_give(answers *a, uint64_t key, sinew_answer answer);

bool answers_recall(answers *a, uint64_t key, sinew_recall when, sinew_answer *answer);
bool answers_will_recall(const answers *a, uint64_t key);

#endif
