#include "host/system/child.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__ /* macOS libraries have no `environ` */
#include <crt_externs.h>
#define environ (*_NSGetEnviron())
#else
extern char **environ;
#endif

struct child {
  pid_t id;
  int feed;
};

bool child_exists(const char *program) {
  char path[4096];
  const char *folders = getenv("PATH");
  if (strchr(program, '/')) return access(program, X_OK) == 0;
  for (size_t size; folders && *folders; folders += size + (folders[size] == ':')) {
    size = strcspn(folders, ":");
    int length = snprintf(path, sizeof path, "%.*s/%s", (int)size, folders, program);
    if (size > 0 && length < (int)sizeof path && file_exists(path) && access(path, X_OK) == 0) return true;
  }
  return false;
}

/* ---- running on its own: a grandchild, so that nobody needs to wait for it ---- */

static void become(const char *const *words) {
  setsid();
  if (fork() == 0) {
    execvp(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
  }
  _exit(0);
}

bool child_start(const char *const *words, sinew_error *error) {
  pid_t id = fork();
  if (id == 0) become(words);
  if (id < 0) return error_set(error, "%s cannot be started", words[0]);
  waitpid(id, NULL, 0);
  return true;
}

/* ---- fed ---- */

/* posix_spawn wants words without const; it does not change them. */
static int spawn(child *c, const char *const *words, int input) {
  posix_spawn_file_actions_t actions;
  int status = posix_spawn_file_actions_init(&actions);
  if (status != 0) return status;
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  status = posix_spawnp(&c->id, words[0], &actions, NULL, (char *const *)(uintptr_t)words, environ);
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

/* A socket, not a pipe: writing to a child that has ended is then an error and never a signal. */
static int start(child *c, const char *const *words) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE /* macOS sets it for the whole socket */
  setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
  int status = spawn(c, words, ends[1]);
  close(ends[1]);
  c->feed = ends[0];
  if (status != 0) close(c->feed);
  return status;
}

child *child_feed(const char *const *words, sinew_error *error) {
  child *c = mem_alloc_zeroed(sizeof *c);
  int status = c ? start(c, words) : ENOMEM;
  if (status == 0) return c;
  error_set(error, "%s could not be started: %s", words[0], strerror(status));
  mem_free(c);
  return NULL;
}

bool child_write(child *c, const void *data, size_t size) {
#ifdef MSG_NOSIGNAL
  const int flags = MSG_NOSIGNAL;
#else
  const int flags = 0;
#endif
  const uint8_t *at = data;
  while (size > 0) {
    ssize_t sent = send(c->feed, at, size, flags);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= (size_t)sent;
  }
  return true;
}

bool child_finish(child *c) {
  int status = 0;
  pid_t ended;
  close(c->feed);
  do ended = waitpid(c->id, &status, 0);
  while (ended < 0 && errno == EINTR);
  bool fine = ended == c->id && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  mem_free(c);
  return fine;
}
