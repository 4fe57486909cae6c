#include "base/posix/process_spawn.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

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

bool process_spawn(const process_def *def, spawned *made, sinew_error *error) {
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
