/* rerun – has another process run the seconds of the look back again, with the files saved meanwhile. It has no window,
 * reads the recording of this run, and answers with a rerun_result. */
#ifndef SINEW_HOST_RERUN_H
#define SINEW_HOST_RERUN_H

#include "host/rerun/rerun_result.h"
#include "host/system/simulator.h"

#include <sinew/recording.h>

enum { RERUN_PATH = 4096, RERUN_TEXT = 240 };

typedef struct rerun_def {
  const char *program, *recording; /* of this run; the program has the command `replay` */
  int64_t oldest;                  /* frame: no rerun begins earlier, except at the start of the scene */
  int64_t edit_at, from, to;       /* frames, as in sinew_rerun */
  const char *explain, *evaluate;  /* likewise; or NULL */
} rerun_def;

/* The purpose of a rerun: to be shown, for the marks of unmeasured actors, or for its text. */
typedef enum rerun_purpose { RERUN_TO_SHOW, RERUN_FOR_MARKS, RERUN_TO_EXPLAIN, RERUN_TO_EVALUATE } rerun_purpose;

typedef struct rerun {
  char *files[RERUN_FILES]; /* saved since the look back began */
  int file_count;
  struct process *child;  /* that runs it; or NULL */
  simulator *simulator;   /* the simulator that does it instead, if there can be one */
  bool is_asked, is_used; /* used: there is something to forget */
  bool is_lost;           /* a simulator ended unexpectedly, and so would another one */
  rerun_purpose purpose;  /* of the current or last rerun */
  double began;           /* on the clock */
  char *output;
  rerun_result result, answer; /* answer: of a rerun that is not shown; until the next one */
  char crowd[KEPT_NAME];       /* the name of one that differs in `result`; "" */
  bool has_result, from_start;
  int64_t edit_at;          /* of the last one begun */
  char problem[RERUN_TEXT]; /* why there is no result; "" */
  double seconds;           /* that the last one took */
} rerun;

void rerun_release(rerun *r);
/* Drops results and saves; the simulator keeps following. */
void rerun_forget(rerun *r);
/* Called now and then in the present: a simulator follows the recording up to the oldest frame kept. */
void rerun_follow(rerun *r, const rerun_def *def);
/* A file was saved. */
void rerun_add_file(rerun *r, const char *path);
/* Prepares a simulator for reruns that begin where this one does or later: it waits shortly before that. */
void rerun_prepare(rerun *r, const rerun_def *def);
bool rerun_is_running(const rerun *r);
/* Reruns seconds for another purpose; what is shown stays. With `edited` the saves take effect. */
void rerun_ask(rerun *r, const rerun_def *def, rerun_purpose purpose, bool edited);
/* Ends the current rerun, and starts none for now. */
void rerun_rest(rerun *r);
/* Starts a rerun; ends one in progress. */
void rerun_start(rerun *r, const rerun_def *def);
/* True if there is a new result. `then`: the ring of the original run. */
bool rerun_poll(rerun *r, const ring *then);
void rerun_drop_result(rerun *r);

/* A replay that runs seconds of a recording again with new code. From some frame on, the files on the disk replace the
 * recorded ones; the poses of a range of frames are its result. */

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
