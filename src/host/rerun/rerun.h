/* rerun – another process runs the seconds of the look back again with the files that were saved meanwhile. It has no
 * window, reads the recording of this run, and answers with a rerun_result. */
#ifndef SINEW_HOST_RERUN_H
#define SINEW_HOST_RERUN_H

#include "host/rerun/rerun_result.h"
#include "host/system/simulator.h"

enum { RERUN_PATH = 4096, RERUN_TEXT = 240 };

typedef struct rerun_def {
  const char *program, *recording; /* of this run; the program has `replay` */
  int64_t oldest;                  /* frame: no rerun begins earlier, but for those from the start of the scene */
  int64_t edit_at, from, to;       /* frames, as in sinew_rerun */
  const char *explain, *evaluate;  /* likewise; or NULL */
} rerun_def;

/* The purpose of a rerun: to be shown, for the marks of actors that nobody measured, or for its text. */
typedef enum rerun_purpose { RERUN_TO_SHOW, RERUN_FOR_MARKS, RERUN_TO_EXPLAIN, RERUN_TO_EVALUATE } rerun_purpose;

typedef struct rerun {
  char *files[RERUN_FILES]; /* that were saved since the look back began */
  int file_count;
  struct process *child;  /* that runs it; or NULL */
  simulator *simulator;   /* or this one does, where it can */
  bool is_asked, is_used; /* used: there is something to forget */
  bool is_lost;           /* a simulator has ended by itself, as another one would */
  rerun_purpose purpose;  /* of what is under way, or came last */
  double began;           /* on the clock */
  char *output;
  rerun_result result, answer; /* answer: of a purpose but to be shown; until the next one */
  char crowd[KEPT_NAME];       /* one that differs in `result`; "" */
  bool has_result, from_start;
  int64_t edit_at;          /* of the last one that was begun */
  char problem[RERUN_TEXT]; /* why there is no result; "" */
  double seconds;           /* that the last one took */
} rerun;

void rerun_release(rerun *r);
/* Takes and saves; the simulator goes on following. */
void rerun_forget(rerun *r);
/* Now and then, while nobody looks back: a simulator follows the recording up to what is the oldest frame now. */
void rerun_follow(rerun *r, const rerun_def *def);
/* A file was saved. */
void rerun_add_file(rerun *r, const char *path);
/* A simulator gets ready for reruns that begin where this one does, or later: it waits a little before. */
void rerun_prepare(rerun *r, const rerun_def *def);
bool rerun_is_running(const rerun *r);
/* Makes seconds for another purpose: what is shown stays. With `edited` the saves are in them. */
void rerun_ask(rerun *r, const rerun_def *def, rerun_purpose purpose, bool edited);
/* Ends the rerun that is under way, and asks for no more now. */
void rerun_rest(rerun *r);
/* Begins; one that is under way is ended. */
void rerun_start(rerun *r, const rerun_def *def);
/* True where a new result is there. `then`: whose actors it has. */
bool rerun_poll(rerun *r, const ring *then);
void rerun_drop_result(rerun *r);

#endif
