#include "worker/answer.h"

#include "base/process/process.h"

#include <errno.h>
#include <unistd.h>

bool answer_send(const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  while (size > 0) {
    ssize_t sent = write(PROCESS_ANSWER, at, size);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    at += sent;
    size -= (size_t)sent;
  }
  return true;
}
