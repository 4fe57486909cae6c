#include "base/process/process_parts.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "base/posix/process_keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A pipe from the child, and what has been read from it. */
typedef struct stream {
  int descriptor; /* -1 once it is closed */
  received got;
} stream;

struct process {
  pid_t child; /* 0 once it is reaped */
  keeper *keeper;
  stream streams[SPAWN_PIPES];
  double started, deadline;
  idleness idle;
  bool spoke;
  int status;
  bool stopped; /* ended by us; `ending` says why */
  char ending[160];
};

process *process_start(const process_def *def, sinew_error *error) {
  process *p = mem_alloc_zeroed(sizeof *p);
  spawned made;
  if (!p) {
    error_memory(error, def->arguments[0], sizeof *p);
    return NULL;
  }
  p->started = clock_seconds();
  p->deadline = def->deadline;
  p->idle = (idleness){def->idle_seconds, p->started, 0, def->is_served};
  if (def->serve ? !(p->keeper = keeper_start(def, &made, error)) : !process_spawn(def, &made, error)) {
    mem_free(p);
    return NULL;
  }
  p->child = made.child;
  for (int i = 0; i < SPAWN_PIPES; i++)
    p->streams[i] = (stream){.descriptor = made.descriptors[i],
                             .got.limit = i == SPAWN_ANSWER ? def->answer_limit : def->text_limit};
  return p;
}

/* ---- ends ---- */

/* strsignal may share its buffer between threads, and its text starts with a capital: "Segmentation fault". */
static const char *signal_words(int signal) {
  static const struct {
    int signal;
    const char *words;
  } known[] = {{SIGSEGV, "crashed (segmentation fault)"},
               {SIGBUS, "crashed (bus error)"},
               {SIGFPE, "crashed (arithmetic fault)"},
               {SIGILL, "crashed (illegal instruction)"},
               {SIGABRT, "crashed (abort)"},
               {SIGSYS, "crashed (a forbidden system call)"},
               {SIGXCPU, "used more processor time than allowed"},
               {SIGXFSZ, "wrote a larger file than allowed"},
               {SIGPIPE, "crashed (broken pipe)"},
               {SIGTERM, "was stopped (SIGTERM)"},
               {SIGINT, "was interrupted"},
               {SIGHUP, "lost its terminal"},
               {SIGKILL, "was killed (perhaps by the system, for want of memory)"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].signal == signal) return known[i].words;
  return NULL;
}

static void stop(process *p, const char *format, double number) {
  if (p->stopped || p->child == 0) return;
  p->stopped = true;
  snprintf(p->ending, sizeof p->ending, format, number);
  kill(-p->child, SIGKILL); /* it is not reaped yet, so its number is still its own */
}

static void note_end(process *p, int status) {
  p->status = p->stopped || !WIFEXITED(status) ? -1 : WEXITSTATUS(status);
  if (p->stopped) return;
  const char *words = WIFSIGNALED(status) ? signal_words(WTERMSIG(status)) : NULL;
  if (words) snprintf(p->ending, sizeof p->ending, "%s", words);
  else if (WIFSIGNALED(status)) snprintf(p->ending, sizeof p->ending, "crashed (signal %d)", WTERMSIG(status));
  else snprintf(p->ending, sizeof p->ending, "ended with status %d", WEXITSTATUS(status));
}

static void close_stream(stream *s) {
  if (s->descriptor >= 0) close(s->descriptor);
  s->descriptor = -1;
}

/* ---- streams ---- */

/* Reads once. False if there is nothing more for now. */
static bool read_some(process *p, stream *s) {
  unsigned char dropped[4096];
  received *r = &s->got;
  bool full = r->size >= r->limit;
  if (!received_make_room(r)) {
    stop(p, "wrote more output than there is memory for", 0);
    return false;
  }
  ssize_t got = full ? read(s->descriptor, dropped, sizeof dropped)
                     : read(s->descriptor, r->data + r->size, r->capacity - r->size);
  if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return errno == EINTR;
  if (got <= 0) {
    close_stream(s);
    return false;
  }
  p->spoke = true;
  if (full) r->cut = true;
  else r->size += (size_t)got;
  return true;
}

/* Limited, so that a child that writes endlessly cannot keep its reader here. */
static void take_in(process *p) {
  for (int i = 0; i < SPAWN_PIPES; i++)
    for (int turn = 0; turn < 64 && p->streams[i].descriptor >= 0; turn++)
      if (!read_some(p, p->streams + i)) break;
  const received *answer = &p->streams[SPAWN_ANSWER].got;
  if (answer->cut) stop(p, "answered with more than %.0f bytes", (double)answer->limit);
}

/* Waits until something arrives, or for `seconds`. If a child has closed its pipes, it is checked every half
 * millisecond. */
static void wait_for_more(const process *p, double seconds) {
  struct pollfd polled[SPAWN_PIPES];
  nfds_t count = 0;
  for (int i = 0; i < SPAWN_PIPES; i++)
    if (p->streams[i].descriptor >= 0) polled[count++] = (struct pollfd){p->streams[i].descriptor, POLLIN, 0};
  if (count) {
    poll(polled, count, (int)(seconds * 1000) + 1);
  } else {
    struct timespec pause = {0, 500000};
    nanosleep(&pause, NULL);
  }
}

/* ---- the life of a process ---- */

/* Also kills the rest of its process group, while its number cannot belong to another process. */
static bool has_ended(const process *p) {
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)p->child, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return errno != EINTR;
  if (info.si_pid == 0) return false;
  kill(-p->child, SIGKILL);
  return true;
}

static bool reap(process *p) {
  int status;
  if (!has_ended(p)) return false;
  pid_t ended = waitpid(p->child, &status, 0);
  if (ended < 0 && errno == EINTR) return false;
  p->child = 0;
  keeper_end(p->keeper);
  p->keeper = NULL;
  if (ended > 0) note_end(p, status);
  else if (p->stopped) p->status = -1;
  else snprintf(p->ending, sizeof p->ending, "ended");
  take_in(p); /* the remaining output; a grandchild may hold the pipes open, and is not waited for */
  return true;
}

/* Of all its threads. */
static double processor_time(const process *p) {
  clockid_t clock;
  struct timespec used = {0, 0};
  if (clock_getcpuclockid(p->child, &clock) == 0) clock_gettime(clock, &used);
  return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

static void check_time(process *p, double now) {
  if (p->deadline > 0 && now >= p->started + p->deadline) stop(p, "took longer than %.3g s", p->deadline);
  if (idleness_is_over(&p->idle, now, processor_time(p), p->spoke)) stop(p, "did nothing for %.3g s", p->idle.limit);
  p->spoke = false;
}

bool process_wait(process *p, double seconds) {
  double until = clock_seconds() + seconds;
  while (p->child) {
    take_in(p);
    if (reap(p)) break;
    double now = clock_seconds();
    check_time(p, now);
    if (now >= until) return false;
    /* short waits, because a child may end while a grandchild keeps its pipes open */
    wait_for_more(p, until - now < 0.02 ? until - now : 0.02);
  }
  for (int i = 0; i < SPAWN_PIPES; i++) close_stream(p->streams + i);
  return true;
}

void process_destroy(process *p) {
  if (!p) return;
  stop(p, "was ended", 0);
  while (p->child && waitpid(p->child, NULL, 0) < 0 && errno == EINTR) {
  }
  keeper_end(p->keeper);
  for (int i = 0; i < SPAWN_PIPES; i++) {
    close_stream(p->streams + i);
    mem_free(p->streams[i].got.data);
  }
  mem_free(p);
}

bool process_can_start(void) { return true; }
bool process_can_serve(void) { return true; }

process_bytes process_answer(const process *p) { return received_bytes(&p->streams[SPAWN_ANSWER].got); }
process_bytes process_output(const process *p) { return received_bytes(&p->streams[SPAWN_OUTPUT].got); }
process_bytes process_errors(const process *p) { return received_bytes(&p->streams[SPAWN_ERRORS].got); }
int process_status(const process *p) { return p->status; }
const char *process_ending(const process *p) { return p->ending; }
