#include "host/system/child.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

struct child {
  intptr_t process;
  int feed;
};

bool child_exists(const char *program) {
  char path[4096];
  return SearchPathA(NULL, program, ".exe", sizeof path, path, NULL) > 0 ||
         SearchPathA(NULL, program, ".cmd", sizeof path, path, NULL) > 0;
}

/* ---- words ---- */

enum { WORDS = 64 };

/* _spawn joins words as they are, so they must be quoted. */
typedef struct line {
  char room[8192], *words[WORDS];
} line;

static bool quote(line *l, const char *const *words) {
  size_t used = 0;
  int count = 0;
  for (; words[count] && count < WORDS - 1; count++) {
    size_t left = sizeof l->room - used;
    int length = strchr(words[count], '"') ? -1 : snprintf(l->room + used, left, "\"%s\"", words[count]);
    if (length < 0 || (size_t)length >= left) return false;
    l->words[count] = l->room + used;
    used += (size_t)length + 1;
  }
  l->words[count] = NULL;
  return !words[count];
}

static intptr_t spawn(int mode, const char *const *words) {
  line l;
  if (!quote(&l, words)) return errno = EINVAL, -1;
  return _spawnvp(mode, words[0], (const char *const *)l.words);
}

bool child_start(const char *const *words, sinew_error *error) {
  intptr_t process = spawn(_P_NOWAIT, words);
  if (process == -1) return error_set(error, "%s cannot be started: %s", words[0], strerror(errno));
  CloseHandle((HANDLE)process);
  return true;
}

/* ---- fed ---- */

/* The child takes over the standard input during its start; nothing else here reads that. */
static bool start(child *c, const char *const *words) {
  int ends[2], before = _dup(0);
  if (_pipe(ends, 1 << 20, _O_BINARY | _O_NOINHERIT) != 0) return false;
  bool turned = _dup2(ends[0], 0) == 0;
  c->process = turned ? spawn(_P_NOWAIT, words) : -1;
  int why = errno;
  if (before >= 0) _dup2(before, 0), _close(before);
  else _close(0);
  _close(ends[0]);
  c->feed = ends[1];
  if (c->process == -1) _close(c->feed);
  errno = why;
  return c->process != -1;
}

child *child_feed(const char *const *words, sinew_error *error) {
  child *c = mem_alloc_zeroed(sizeof *c);
  if (c && start(c, words)) return c;
  error_set(error, "%s could not be started: %s", words[0], strerror(errno));
  mem_free(c);
  return NULL;
}

bool child_write(child *c, const void *data, size_t size) {
  const char *at = data;
  while (size > 0) {
    int sent = _write(c->feed, at, size < 1 << 20 ? (unsigned)size : 1 << 20);
    if (sent <= 0) return false;
    at += sent;
    size -= (size_t)sent;
  }
  return true;
}

bool child_finish(child *c) {
  int status = -1;
  _close(c->feed);
  bool fine = _cwait(&status, c->process, 0) != -1 && status == 0;
  mem_free(c);
  return fine;
}
