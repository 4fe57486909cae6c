/* process – a child program that works on untrusted data: an argument vector (no shell), limits, a deadline, and
 * bounded answers. It inherits an empty standard input, pipes for its output and its answer and, if it is served, a
 * socket; no other descriptors, and no environment except from its def. It leads a separate process group, which ends
 * with it. A process may be used by one thread at a time. Windows limits only memory and processor time, and passes its
 * environment on. */
#ifndef SINEW_BASE_PROCESS_H
#define SINEW_BASE_PROCESS_H

#include <sinew/base.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Descriptors of the child: for its answer and, if it is served, its end of the socket. */
enum { PROCESS_ANSWER = 3, PROCESS_SOCKET = 4 };

/* A negative number means no limit. */
typedef struct process_limits {
  int64_t memory;            /* bytes of address space */
  int64_t processor_seconds; /* whole seconds */
  int64_t open_files;
  int64_t file_bytes; /* of each file that it writes */
} process_limits;

process_limits process_limits_none(void);

/* Sets them for the calling process, and disables core dumps; a lower existing limit stays. Safe after fork. */
void process_limits_apply(const process_limits *limits);

typedef struct process_def {
  const char *const *arguments; /* [0] is the program's path, the last is NULL */
  process_limits limits;
  double deadline;     /* seconds from the start after which it is ended; 0: none */
  double idle_seconds; /* it is ended if it says nothing and uses less than a hundredth of a processor for so long: how
                          busy the machine is does not matter; 0: never */
  size_t answer_limit; /* in bytes; a longer answer ends the child */
  size_t text_limit;   /* bytes of standard output and standard error to keep; the rest is read and dropped */
  const char *const *environment; /* "NAME=value" …, NULL; the default is an empty one */
  /* Called in a separate thread with our end of a stream socket to the child; must return when the child closes its
   * end. process_wait waits for that once the child has ended. A served child also ends with this program (on Linux).
   * NULL: no socket. Never called if process_can_serve is false. */
  void (*serve)(void *user, int socket);
  void *serve_user;
  const atomic_bool *is_served; /* while `serve` works for it, it is not idle; may be NULL */
} process_def;

/* Whether the system has programs to start; a web page has none. */
bool process_can_start(void);
bool process_can_serve(void);

process_def process_def_default(void);

typedef struct process process;

/* Starts it. NULL and an error message if the program cannot be run. */
process *process_start(const process_def *def, sinew_error *error);

/* Reads the output of the process, for at most this many seconds (0: only what has arrived). True once the process has
 * ended. */
bool process_wait(process *p, double seconds);

/* Ends the child if it is still running, and frees the process. NULL is allowed. */
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

/* After its end: the exit status, or -1 if a signal or one of our limits ended it. 0 if the host program ignores
 * SIGCHLD, so that it is unknown. */
int process_status(const process *p);

/* After its end: describes it as the end of a sentence, "ended with status 3", "crashed (segmentation fault)", "took
 * longer than 10 s". Lives as long as the process. */
const char *process_ending(const process *p);

/* ---- code shared by the processes of all systems ---- */

/* The bytes from one pipe of a child, up to a limit. */
typedef struct received {
  unsigned char *data;
  size_t size, capacity, limit;
  bool cut;
} received;

/* Makes room for one more byte, unless the limit is reached. False when memory runs out. */
bool received_make_room(received *r);
process_bytes received_bytes(const received *r);

/* Finds out whether a child does nothing. */
typedef struct idleness {
  double limit, since, used; /* since that moment it was seen to work, having used so much of the processor */
  const atomic_bool *is_served;
} idleness;

/* `used`: processor seconds so far. A child that spoke since the last call is at work. */
bool idleness_is_over(idleness *idle, double now, double used, bool spoke);

/* ---- finds the folder of this program or library, which contains the programs and files installed with it ---- */

/* The running executable. */
bool self_program(char *path, size_t size);
/* The shared library that contains this code; false if it is part of the executable. */
bool self_library(char *path, size_t size);

#endif
