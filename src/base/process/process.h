/* process – a child program that works on untrusted data: an argument vector (no shell), limits, a deadline,
 * and bounded answers. It inherits an empty standard input, pipes for its output, a pipe for its answer and, where it
 * is served, a socket; no other descriptor, and no environment but what its def gives it. It is the leader of a process
 * group of its own, which ends with it. One thread at a time may hold a process; different ones may be held by
 * different threads. Windows limits memory and processor time only, and hands its environment on. */
#ifndef SINEW_BASE_PROCESS_H
#define SINEW_BASE_PROCESS_H

#include <sinew/base.h>

/* Descriptors of the child: what it writes its answer to, and its end of the socket where it is served. */
enum { PROCESS_ANSWER = 3, PROCESS_SOCKET = 4 };

/* A negative number means no limit. */
typedef struct process_limits {
  int64_t memory;            /* bytes of address space */
  int64_t processor_seconds; /* whole seconds */
  int64_t open_files;
  int64_t file_bytes; /* of each file that it writes */
} process_limits;

process_limits process_limits_none(void);

/* Sets them for the calling process, and core dumps off; a limit that is lower already stays. Safe after fork. */
void process_limits_apply(const process_limits *limits);

typedef struct process_def {
  const char *const *arguments; /* [0] is the program's path, the last is NULL */
  process_limits limits;
  double deadline;     /* seconds from the start until it is ended; 0: none */
  size_t answer_limit; /* bytes; a longer answer ends the child */
  size_t text_limit;   /* bytes of standard output and of standard error that are kept; more is read and dropped */
  const char *const *environment; /* "NAME=value" …, NULL; the default is an empty one */
  /* Called in a thread of its own with our end of a stream socket to the child; returns when the socket says that the
   * child closed its end. process_wait waits for that once the child has ended. The child also ends with this program
   * then (on Linux). NULL: no socket. Where process_can_serve is false it is never called. */
  void (*serve)(void *user, int socket);
  void *serve_user;
} process_def;

bool process_can_serve(void);

process_def process_def_default(void);

typedef struct process process;

/* Starts it. NULL and an error message where the program cannot be run. */
process *process_start(const process_def *def, sinew_error *error);

/* Reads the output of the process, for at most this many seconds (0: only what has arrived). True once the process has
 * ended. */
bool process_wait(process *p, double seconds);

/* Ends the child where it still runs, and forgets it. NULL is allowed. */
void process_destroy(process *p);

/* The output of the process; lives until the next process_wait or process_destroy. `cut`: there was more. */
typedef struct process_bytes {
  const unsigned char *data;
  size_t size;
  bool cut;
} process_bytes;
process_bytes process_answer(const process *p);
process_bytes process_output(const process *p);
process_bytes process_errors(const process *p);

/* After its end: the exit status, or -1 where a signal or one of our limits ended it. 0 where the host program ignores
 * SIGCHLD, so it cannot be known. */
int process_status(const process *p);

/* After its end, how, as the end of a sentence: "ended with status 3", "crashed (segmentation fault)", "took longer
 * than 10 s". Lives as long as the process. */
const char *process_ending(const process *p);

#endif
