/* rerun_replay – a replay that runs seconds of a recording again with new code. From some frame on, the files on the
 * disk replace the recorded ones; the poses of a range of frames are its result. */
#ifndef SINEW_HOST_RERUN_REPLAY_H
#define SINEW_HOST_RERUN_REPLAY_H

#include "host/rerun/rerun_result.h"

#include <sinew/recording.h>

enum { RERUN_AHEAD = 30 }; /* AHEAD: frames measured before the first one that counts */

typedef struct rerun_file {
  char *path;
  unsigned char *bytes;
  size_t size;
  bool was_read; /* by the run */
} rerun_file;

typedef struct rerun_replay {
  bool is_on;   /* else this is an ordinary replay */
  char *output; /* NULL: no result is wanted */
  int64_t edit_at, from, to;
  rerun_file files[RERUN_FILES];
  int file_count;
  char *explain, *evaluate; /* as in sinew_rerun; or NULL */
  rerun_result result;
} rerun_replay;

/* Reads the files. False and an error message. */
bool rerun_replay_begin(rerun_replay *m, const sinew_rerun *def, sinew_error *error);
void rerun_replay_release(rerun_replay *m);

/* The i-th file that counts as saved in that frame, or NULL. */
const char *rerun_replay_save(const rerun_replay *m, int64_t frame, int index);
/* True if the recorded saves of that frame are left out. */
bool rerun_replay_drops(const rerun_replay *m, int64_t frame);
bool rerun_replay_recall(rerun_replay *m, const char *kind, const char *name, int64_t frame, sinew_answer *answer);

/* Called before and after the stage is updated. */
void rerun_replay_watch(rerun_replay *m, sinew_stage *stage, int64_t frame);
void rerun_replay_keep(rerun_replay *m, const sinew_stage *stage, const sinew_app *app, double time, int64_t frame);
/* The joint to explain in this frame; false if there is none. */
bool rerun_replay_explains(const rerun_replay *m, const sinew_stage *stage, int64_t frame, sinew_actor *actor,
                           int *joint);
/* The line to evaluate at the end of this frame, or NULL. */
const char *rerun_replay_evaluates(const rerun_replay *m, int64_t frame);
/* Notes a line that the application has printed; lines printed before the edit belong to the recorded run. */
void rerun_replay_print(rerun_replay *m, const char *line, int64_t frame);
bool rerun_replay_is_over(const rerun_replay *m, int64_t frame);
/* Writes the result. False and an error message on failure, also if a file was not one that the run has read. */
bool rerun_replay_end(const rerun_replay *m, sinew_error *error);

#endif
