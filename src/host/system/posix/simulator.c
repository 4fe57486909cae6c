#include "host/system/simulator.h"

#include "base/memory/memory.h"
#include "base/process/process.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILES = 16, LINE = 4200, TEXT = 1 << 20 };

struct simulator {
  process *child;
  _Atomic int socket; /* our end, for requests; −1: not yet */
  int64_t frame;
  size_t answered; /* bytes of its output that were read */
  bool is_busy;
};

/* In the keeper's thread: nothing comes from the child, so reading lasts as long as it does. */
static void hold_socket(void *user, int socket) {
  simulator *s = user;
  char byte;
  ssize_t got;
  atomic_store(&s->socket, dup(socket));
  while ((got = read(socket, &byte, 1)) > 0 || (got < 0 && errno == EINTR)) {
  }
}

simulator *simulator_start(const char *program, const char *recording, int64_t frame, const char *const *environment) {
  char number[24];
  sinew_error ignored; /* takes are made by processes of their own then */
  simulator *s = mem_alloc_zeroed(sizeof *s);
  if (!s) return NULL;
  snprintf(number, sizeof number, "%lld", (long long)frame);
  const char *const words[] = {program, "replay", recording, "--hold", number, NULL};
  process_def def = process_def_default();
  def.arguments = words;
  def.limits = process_limits_none();
  def.text_limit = TEXT;
  def.environment = environment;
  def.serve = hold_socket;
  def.serve_user = s;
  atomic_init(&s->socket, -1);
  s->frame = frame;
  s->child = process_start(&def, &ignored);
  if (s->child) return s;
  mem_free(s);
  return NULL;
}

void simulator_end(simulator *s) {
  if (!s) return;
  process_destroy(s->child); /* its thread has ended then */
  if (atomic_load(&s->socket) >= 0) close(atomic_load(&s->socket));
  mem_free(s);
}

bool simulator_can(const simulator *s, int64_t frame) {
  return s && s->child && !s->is_busy && frame >= s->frame && atomic_load(&s->socket) >= 0;
}

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

static bool send_line(int socket, const char *line) {
  return !strchr(line, '\n') && strlen(line) < LINE - 1 && send_all(socket, line, strlen(line)) &&
         send_all(socket, "\n", 1);
}

bool simulator_ask(simulator *s, const sinew_remake *wanted) {
  char head[128];
  int socket = atomic_load(&s->socket);
  snprintf(head, sizeof head, "take %lld %lld %lld %d", (long long)wanted->edit_at, (long long)wanted->from,
           (long long)wanted->to, wanted->file_count);
  bool sent = wanted->file_count <= FILES && send_line(socket, head) && send_line(socket, wanted->output) &&
              send_line(socket, wanted->explain ? wanted->explain : "") &&
              send_line(socket, wanted->evaluate ? wanted->evaluate : "");
  for (int i = 0; sent && i < wanted->file_count; i++) sent = send_line(socket, wanted->files[i]);
  return s->is_busy = sent;
}

bool simulator_poll(simulator *s, int *status) {
  bool ended = process_wait(s->child, 0);
  process_bytes said = process_output(s->child);
  const unsigned char *line = said.data ? said.data + s->answered : NULL;
  const unsigned char *end = line ? memchr(line, '\n', said.size - s->answered) : NULL;
  *status = -1;
  if (!end && !ended) return false;
  s->is_busy = false;
  if (!end) return true;
  *status = said.size - s->answered > 5 ? atoi((const char *)line + 5) : -1;
  s->answered = (size_t)(end + 1 - said.data);
  return true;
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
    ssize_t got = read(PROCESS_SOCKET, line + used, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    if (line[used] == '\n') break;
    used++;
  }
  line[used] = '\0';
  return true;
}

static bool read_request(sinew_remake *wanted) {
  static char head[LINE], output[LINE], explain[LINE], evaluate[LINE], names[FILES][LINE];
  static const char *files[FILES];
  long long at, from, to;
  int count;
  if (!read_line(head) || sscanf(head, "take %lld %lld %lld %d", &at, &from, &to, &count) != 4) return false;
  if (count < 0 || count > FILES || !read_line(output) || !read_line(explain) || !read_line(evaluate)) return false;
  for (int i = 0; i < count; i++) {
    if (!read_line(names[i])) return false;
    files[i] = names[i];
  }
  *wanted = (sinew_remake){.output = output,
                           .edit_at = at,
                           .from = from,
                           .to = to,
                           .files = files,
                           .file_count = count,
                           .explain = explain[0] ? explain : NULL,
                           .evaluate = evaluate[0] ? evaluate : NULL};
  return true;
}

static int wait_for(pid_t fork) {
  int status = 0;
  while (waitpid(fork, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

simulator_step simulator_serve(sinew_remake *wanted) {
  while (read_request(wanted)) {
    fflush(NULL); /* what is in a buffer is written by one of the two only */
    pid_t made = fork();
    if (made == 0) {
      close(PROCESS_SOCKET);
      return SIMULATOR_MAKES;
    }
    printf("done %d\n", made < 0 ? 1 : wait_for(made));
    fflush(stdout);
  }
  return SIMULATOR_ENDS;
}
