#define _GNU_SOURCE /* dladdr */
#include "base/process/process.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory/memory.h"
#include "base/system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

enum { SPAWN_OUTPUT, SPAWN_ERRORS, SPAWN_ANSWER, SPAWN_PIPES };

/* Our ends of a child's pipes, which are non-blocking, and of its socket, which is blocking (-1 if it is not served).
 * No other child inherits them. */
typedef struct spawned {
  pid_t child;
  int descriptors[SPAWN_PIPES];
  int socket;
} spawned;

typedef struct keeper keeper;

/* ---- starts a program safely with fork and exec, for process.c ---- */

/* The first four become the child's descriptors 1 to 4. */
enum { SOCKET = SPAWN_PIPES, STARTED, PIPES, FIRST_FREE = 10 };
_Static_assert(SPAWN_ANSWER + 1 == PROCESS_ANSWER && SOCKET + 1 == PROCESS_SOCKET, "numbers of the child's");

/* Pipe i: [0] is our end, [1] the child's. The last one tells whether exec succeeded: it closes by itself if so, and
 * carries errno if not. */
typedef struct pipes {
  int ends[PIPES][2];
} pipes;

static void close_pipes(pipes *all, int side) {
  for (int i = 0; i < PIPES; i++) {
    if (all->ends[i][side] >= 0) close(all->ends[i][side]);
    all->ends[i][side] = -1;
  }
}

/* Moves both ends above the child's own descriptor numbers, so that duplicating one never overwrites another. */
static bool make_pipe(int ends[2], bool is_socket) {
  int made[2];
  if ((is_socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, made) : pipe(made)) != 0) return false;
  for (int side = 0; side < 2; side++) ends[side] = fcntl(made[side], F_DUPFD_CLOEXEC, FIRST_FREE);
  close(made[0]);
  close(made[1]);
  return ends[0] >= 0 && ends[1] >= 0;
}

static bool make_pipes(pipes *all, bool with_socket) {
  memset(all, 0xFF, sizeof *all); /* -1 everywhere */
  bool made = true;
  for (int i = 0; i < PIPES && made; i++)
    if (i != SOCKET || with_socket) made = make_pipe(all->ends[i], i == SOCKET);
  for (int i = 0; i < SPAWN_PIPES && made; i++) made = fcntl(all->ends[i][0], F_SETFL, O_NONBLOCK) == 0;
  if (made) return true;
  int why = errno;
  close_pipes(all, 0);
  close_pipes(all, 1);
  errno = why;
  return false;
}

/* ---- in the child: only system calls from here on, because other threads of the parent may have held any lock ---- */

static void limit(int what, int64_t value) {
  struct rlimit now;
  if (value < 0 || getrlimit(what, &now) != 0) return;
  rlim_t wanted = (rlim_t)value;
  /* at the soft limit the kernel sends SIGXCPU, which tells why; at the hard limit it just kills */
  rlim_t hard = what == RLIMIT_CPU ? wanted + 1 : wanted;
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < hard) hard = now.rlim_max;
  if (hard < wanted) wanted = hard;
  setrlimit(what, &(struct rlimit){wanted, hard});
}

void process_limits_apply(const process_limits *limits) {
  limit(RLIMIT_AS, limits->memory);
  limit(RLIMIT_CPU, limits->processor_seconds);
  limit(RLIMIT_NOFILE, limits->open_files);
  limit(RLIMIT_FSIZE, limits->file_bytes);
  limit(RLIMIT_CORE, 0);
}

static void close_range_of(int first, int last) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0U) == 0) return;
#endif
  for (int i = first; i <= last && i < 4096; i++) close(i);
}

static void reset_signals(void) {
  sigset_t none;
  sigemptyset(&none);
  for (int i = 1; i < 32; i++) signal(i, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The signal is sent when the thread that forked ends; `parent` may have ended before this call. */
static bool end_with(pid_t parent) {
#ifdef __linux__
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
#endif
  return getppid() == parent;
}

static bool take_descriptors(const pipes *all) {
  int nothing = open("/dev/null", O_RDONLY), report = all->ends[STARTED][1], last = 0;
  if (nothing < 0 || dup2(nothing, 0) < 0) return false;
  for (int i = 0; i < STARTED && all->ends[i][1] >= 0; i++)
    if ((last = dup2(all->ends[i][1], i + 1)) < 0) return false;
  close_range_of(last + 1, report - 1);
  close_range_of(report + 1, 0x7FFFFFFF);
  return true;
}

static char *const *as_vector(const char *const *words) {
  char *const *vector; /* execve does not change its arguments, although its type allows that */
  memcpy(&vector, &words, sizeof vector);
  return vector;
}

/* Returns only if exec fails. */
static void become(const process_def *def, pid_t parent, const pipes *all) {
  static const char *const empty[] = {NULL};
  reset_signals();
  setpgid(0, 0);
  if ((def->serve && !end_with(parent)) || !take_descriptors(all)) return;
  process_limits_apply(&def->limits);
  execve(def->arguments[0], as_vector(def->arguments), as_vector(def->environment ? def->environment : empty));
}

static void run_child(const process_def *def, pid_t parent, const pipes *all) {
  become(def, parent, all);
  int why = errno;
  while (write(all->ends[STARTED][1], &why, sizeof why) < 0 && errno == EINTR) {
  }
  _exit(127);
}

/* ---- in the parent ---- */

/* Returns 0 once the program runs, else the errno of the failure. */
static int wait_for_start(int descriptor) {
  int why = 0;
  ssize_t got;
  do got = read(descriptor, &why, sizeof why);
  while (got < 0 && errno == EINTR);
  return got == (ssize_t)sizeof why ? why : 0;
}

/* Blocks signals, so that none of our handlers runs in the child before it has reset them. */
static pid_t fork_quietly(const process_def *def, const pipes *all) {
  sigset_t every, before;
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  pid_t parent = getpid(), child = fork();
  if (child == 0) run_child(def, parent, all);
  int why = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = why;
  return child;
}

/* False and an error message if the program cannot be run. A served child ends with the calling thread. */
static bool process_spawn(const process_def *def, spawned *made, sinew_error *error) {
  pipes all;
  pid_t child = make_pipes(&all, def->serve != NULL) ? fork_quietly(def, &all) : -1;
  int why = child < 0 ? errno : 0;
  close_pipes(&all, 1);
  if (child > 0) why = wait_for_start(all.ends[STARTED][0]);
  if (why == 0) {
    *made = (spawned){.child = child, .socket = all.ends[SOCKET][0]};
    for (int i = 0; i < SPAWN_PIPES; i++) made->descriptors[i] = all.ends[i][0];
    close(all.ends[STARTED][0]);
    return true;
  }
  close_pipes(&all, 0);
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  return error_set(error, "%s: cannot be started: %s", def->arguments[0], strerror(why));
}

/* A thread that starts a child, serves it and lives as long as it: Linux ends such a child together with the thread
 * that forked it, and the calling thread may end much earlier. */

typedef enum keeper_state { STARTING, RUNNING, REFUSED, ENDING } keeper_state;

struct keeper {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  const process_def *def; /* until the child runs */
  spawned made;
  sinew_error error;
  keeper_state state;
  void (*serve)(void *user, int socket);
  void *user;
};

static void change(keeper *k, keeper_state state) {
  pthread_mutex_lock(&k->mutex);
  k->state = state;
  pthread_cond_broadcast(&k->changed);
  pthread_mutex_unlock(&k->mutex);
}

static void wait_while(keeper *k, keeper_state state) {
  pthread_mutex_lock(&k->mutex);
  while (k->state == state) pthread_cond_wait(&k->changed, &k->mutex);
  pthread_mutex_unlock(&k->mutex);
}

static void *keep(void *data) {
  keeper *k = data;
  if (!process_spawn(k->def, &k->made, &k->error)) {
    change(k, REFUSED);
    return NULL;
  }
  change(k, RUNNING);
  k->serve(k->user, k->made.socket);
  shutdown(k->made.socket, SHUT_RDWR); /* a child that still makes requests gets no answer */
  wait_while(k, RUNNING);
  return NULL;
}

static void free_keeper(keeper *k) {
  pthread_cond_destroy(&k->changed);
  pthread_mutex_destroy(&k->mutex);
  mem_free(k);
}

static keeper *make_keeper(const process_def *def) {
  keeper *k = mem_alloc_zeroed(sizeof *k);
  if (!k) return NULL;
  k->def = def;
  k->serve = def->serve;
  k->user = def->serve_user;
  pthread_mutex_init(&k->mutex, NULL);
  pthread_cond_init(&k->changed, NULL);
  return k;
}

/* The child is running when this returns. NULL and an error message if it cannot be started, or memory runs out. */
static keeper *keeper_start(const process_def *def, spawned *made, sinew_error *error) {
  keeper *k = make_keeper(def);
  if (!k) {
    error_memory(error, def->arguments[0], sizeof *k);
    return NULL;
  }
  system_block_signals();
  bool runs = pthread_create(&k->thread, NULL, keep, k) == 0;
  system_unblock_signals();
  if (runs) wait_while(k, STARTING);
  else error_set(&k->error, "%s: cannot be started: there is no thread for it", def->arguments[0]);
  if (runs && k->state == RUNNING) {
    *made = k->made;
    return k;
  }
  if (runs) pthread_join(k->thread, NULL);
  error_set(error, "%s", k->error.message);
  free_keeper(k);
  return NULL;
}

/* Call it only once the child has ended. NULL is allowed. */
static void keeper_end(keeper *k) {
  if (!k) return;
  shutdown(k->made.socket, SHUT_RDWR);
  change(k, ENDING);
  pthread_join(k->thread, NULL);
  close(k->made.socket);
  free_keeper(k);
}

/* ---- process ---- */

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

/* ---- self ---- */

static const char here;

#ifdef __APPLE__
bool self_program(char *path, size_t size) {
  uint32_t room = (uint32_t)size;
  return _NSGetExecutablePath(path, &room) == 0;
}
#else
bool self_program(char *path, size_t size) {
  ssize_t length = readlink("/proc/self/exe", path, size);
  if (length <= 0 || (size_t)length >= size) return false;
  path[length] = '\0';
  return true;
}
#endif

bool self_library(char *path, size_t size) {
  char program[4096];
  Dl_info info;
  char *file = dladdr(&here, &info) ? realpath(info.dli_fname, NULL) : NULL;
  bool found = file && self_program(program, sizeof program) && strcmp(file, program) != 0 &&
               strchr(info.dli_fname, '/') && snprintf(path, size, "%s", file) < (int)size;
  free(file);
  return found;
}
