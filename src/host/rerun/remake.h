/* remake – a replay that runs seconds of a recording again with new code: from a frame on, the files on the disk
 * replace the recorded ones, and the poses from one frame to another are its result. */
#ifndef SINEW_HOST_REMAKE_H
#define SINEW_HOST_REMAKE_H

#include "host/rerun/rerun_result.h"

#include <sinew/recording.h>

enum { REMAKE_FILES = 16, REMAKE_AHEAD = 30 }; /* AHEAD: frames that are measured before the first that counts */

typedef struct remake_file {
  char *path;
  unsigned char *bytes;
  size_t size;
  bool was_read; /* by the run */
} remake_file;

typedef struct remake {
  bool is_on;   /* else the replay is as it was */
  char *output; /* NULL: no result is wanted */
  int64_t edit_at, from, to;
  remake_file files[REMAKE_FILES];
  int file_count;
  char *explain, *evaluate; /* as in sinew_remake; or NULL */
  rerun_result result;
} remake;

/* Reads the files. False and an error message. */
bool remake_begin(remake *m, const sinew_remake *def, sinew_error *error);
void remake_release(remake *m);

/* The i-th file that is to be told as saved in that frame, or NULL. */
const char *remake_save(const remake *m, int64_t frame, int index);
/* Whether what was saved in that frame of the recorded run is left out. */
bool remake_drops(const remake *m, int64_t frame);
bool remake_recall(remake *m, const char *kind, const char *name, int64_t frame, sinew_answer *answer);

/* Before and after the stage is updated. */
void remake_watch(remake *m, sinew_stage *stage, int64_t frame);
void remake_keep(remake *m, const sinew_stage *stage, const sinew_app *app, double time, int64_t frame);
/* The joint that is to be explained in this frame; false where there is none. */
bool remake_explains(const remake *m, const sinew_stage *stage, int64_t frame, sinew_actor *actor, int *joint);
/* The line that is to be evaluated at the end of this frame, or NULL. */
const char *remake_evaluates(const remake *m, int64_t frame);
/* The application has printed a line; what it prints before the edit is of the recorded run. */
void remake_print(remake *m, const char *line, int64_t frame);
bool remake_is_over(const remake *m, int64_t frame);
/* Writes the result. False and an error message, also where a file is none that the run has read. */
bool remake_end(const remake *m, sinew_error *error);

#endif
