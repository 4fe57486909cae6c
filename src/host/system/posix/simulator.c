#include "host/system/simulator.h"

#include "base/memory/memory.h"
#include "base/process/process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 16, LINE = 4200, TEXT = 1 << 20 };
static const char reached = 'f', taken = 't';

struct simulator {
  process *child;
  _Atomic int socket; /* our end, for requests; −1: not yet */
  _Atomic bool ended; /* it has closed its end */
  _Atomic int reached, taken, status;
  int followed, asked; /* requests so far */
  int64_t frame, held; /* the frame that it follows to, and the one held at; −1: none */
};

/* ---- answers ---- */

static bool read_byte(int socket, char *byte) {
  ssize_t got;
  while ((got = read(socket, byte, 1)) < 0 && errno == EINTR) {
  }
  return got == 1;
}

/* In the keeper's thread. */
static void hear(void *user, int socket) {
  simulator *s = user;
  char kind, status;
  atomic_store(&s->socket, dup(socket));
  while (read_byte(socket, &kind)) {
    if (kind == reached) atomic_fetch_add(&s->reached, 1);
    if (kind != taken) continue;
    if (!read_byte(socket, &status)) break;
    atomic_store(&s->status, status);
    atomic_fetch_add(&s->taken, 1);
  }
  atomic_store(&s->ended, true);
}

simulator *simulator_start(const char *program, const char *recording, const char *const *environment) {
  sinew_error ignored; /* reruns are then made by separate processes */
  simulator *s = mem_alloc_zeroed(sizeof *s);
  if (!s) return NULL;
  const char *const words[] = {program, "replay", recording, "--follow", NULL};
  process_def def = process_def_default();
  def.arguments = words;
  def.limits = process_limits_none();
  def.text_limit = TEXT;
  def.environment = environment;
  def.serve = hear;
  def.serve_user = s;
  atomic_init(&s->socket, -1);
  s->held = -1;
  s->child = process_start(&def, &ignored);
  if (!s->child) {
    mem_free(s);
    return NULL;
  }
  while (atomic_load(&s->socket) < 0 && !atomic_load(&s->ended)) nanosleep(&(struct timespec){0, 50000}, NULL);
  return s;
}

void simulator_end(simulator *s) {
  if (!s) return;
  process_destroy(s->child); /* its thread has ended then */
  if (atomic_load(&s->socket) >= 0) close(atomic_load(&s->socket));
  mem_free(s);
}

/* Waiting also drains the simulator's output, which would otherwise block on a full pipe. */
bool simulator_runs(simulator *s) { return s && !process_wait(s->child, 0) && !atomic_load(&s->ended); }

/* ---- requests ---- */

static bool send_all(int socket, const char *text, size_t size) {
  while (size > 0) {
    ssize_t sent = send(socket, text, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    text += sent;
    size -= (size_t)sent;
  }
  return true;
}

static bool send_line(const simulator *s, const char *line) {
  int socket = atomic_load(&s->socket);
  return socket >= 0 && !strchr(line, '\n') && strlen(line) < LINE - 1 && send_all(socket, line, strlen(line)) &&
         send_all(socket, "\n", 1);
}

static bool send_frame(const simulator *s, const char *word, int64_t frame) {
  char line[64];
  snprintf(line, sizeof line, "%s %lld", word, (long long)frame);
  return send_line(s, line);
}

bool simulator_waits(const simulator *s) { return s->held < 0 && atomic_load(&s->reached) == s->followed; }

void simulator_follow(simulator *s, int64_t frame) {
  if (!simulator_waits(s) || frame <= s->frame || !send_frame(s, "follow", frame)) return;
  s->followed++;
  s->frame = frame;
}

void simulator_release(simulator *s) {
  if (s->held >= 0) send_line(s, "release");
  s->held = -1;
}

bool simulator_hold(simulator *s, int64_t frame) {
  simulator_release(s);
  bool can = frame >= s->frame && send_frame(s, "hold", frame);
  if (can) s->held = frame;
  return can;
}

int64_t simulator_held(const simulator *s) { return s->held; }

bool simulator_ask(simulator *s, const sinew_rerun *wanted) {
  char head[128];
  snprintf(head, sizeof head, "rerun %lld %lld %lld %d", (long long)wanted->edit_at, (long long)wanted->from,
           (long long)wanted->to, wanted->file_count);
  bool sent = s->held >= 0 && wanted->file_count <= FILES && send_line(s, head) && send_line(s, wanted->output) &&
              send_line(s, wanted->explain ? wanted->explain : "") &&
              send_line(s, wanted->evaluate ? wanted->evaluate : "");
  for (int i = 0; sent && i < wanted->file_count; i++) sent = send_line(s, wanted->files[i]);
  if (sent) s->asked++;
  return sent;
}

void simulator_stop(simulator *s) {
  if (atomic_load(&s->taken) < s->asked) send_line(s, "stop");
}

bool simulator_poll(simulator *s, int *status) {
  bool runs = simulator_runs(s), there = atomic_load(&s->taken) >= s->asked;
  *status = there ? atomic_load(&s->status) : -1;
  return there || !runs;
}

const char *simulator_errors(const simulator *s, size_t *size) {
  process_bytes said = process_errors(s->child);
  *size = said.size;
  return (const char *)said.data;
}

/* ---- in the process ---- */

static bool read_line(char line[LINE]) {
  size_t used = 0;
  while (used < LINE - 1) {
    if (!read_byte(PROCESS_SOCKET, line + used)) return false;
    if (line[used] == '\n') break;
    used++;
  }
  line[used] = '\0';
  return true;
}

static bool read_rerun(const char *head, sinew_rerun *wanted) {
  static char output[LINE], explain[LINE], evaluate[LINE], names[FILES][LINE];
  static const char *files[FILES];
  long long at, from, to;
  int count;
  if (sscanf(head, "rerun %lld %lld %lld %d", &at, &from, &to, &count) != 4) return false;
  if (count < 0 || count > FILES || !read_line(output) || !read_line(explain) || !read_line(evaluate)) return false;
  for (int i = 0; i < count; i++) {
    if (!read_line(names[i])) return false;
    files[i] = names[i];
  }
  *wanted = (sinew_rerun){.output = output,
                          .edit_at = at,
                          .from = from,
                          .to = to,
                          .files = files,
                          .file_count = count,
                          .explain = explain[0] ? explain : NULL,
                          .evaluate = evaluate[0] ? evaluate : NULL};
  return true;
}

static void answer(const char *bytes, size_t size) { send_all(PROCESS_SOCKET, bytes, size); }

static int wait_for(pid_t fork) {
  int status = 0;
  while (waitpid(fork, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Returns 0 in the fork. Flushes first, so that buffered output is written only once. */
static pid_t split(void) {
  fflush(NULL);
  return fork();
}

/* The fork holds `end`, whose closing tells that it has ended; any request before that ends it. */
static void keep_rerun(pid_t made, int end) {
  struct pollfd heard[2] = {{.fd = end, .events = POLLIN}, {.fd = PROCESS_SOCKET, .events = POLLIN}};
  while (poll(heard, 2, -1) < 0 && errno == EINTR) {
  }
  if (!heard[0].revents) kill(made, SIGKILL);
  answer((char[]){taken, (char)wait_for(made)}, 2);
}

/* True in the fork. */
static bool make_rerun(void) {
  int ends[2];
  pid_t made = pipe(ends) == 0 ? split() : -1;
  if (made == 0) {
    close(ends[0]);
    close(PROCESS_SOCKET);
    return true;
  }
  if (made < 0) {
    answer((char[]){taken, 1}, 2);
    return false;
  }
  close(ends[1]);
  keep_rerun(made, ends[0]);
  close(ends[0]);
  return false;
}

/* Returns true in the fork; else once that has been released. */
static bool hold(bool *is_fork) {
  pid_t made = split();
  if (made > 0) wait_for(made);
  return *is_fork = made == 0;
}

simulator_step simulator_serve(int64_t *frame, sinew_rerun *wanted) {
  static char line[LINE];
  static bool follows, is_fork; /* follows: it was told to follow, and has arrived */
  long long number;
  if (follows) answer(&reached, 1);
  for (follows = false; read_line(line);) {
    follows = sscanf(line, "follow %lld", &number) == 1;
    bool holds = sscanf(line, "hold %lld", &number) == 1;
    if (follows || holds) *frame = number;
    if (follows) return SIMULATOR_FOLLOWS;
    if (holds && hold(&is_fork)) return SIMULATOR_HOLDS;
    if (is_fork && strcmp(line, "release") == 0) return SIMULATOR_ENDS;
    if (read_rerun(line, wanted) && make_rerun()) return SIMULATOR_MAKES;
  }
  return SIMULATOR_ENDS;
}
