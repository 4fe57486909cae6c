/* The child's side of a socket door. */
#include "base/error.h"
#include "base/memory.h"
#include "import/door/door_socket.h"
#include "import/posix/door_parcel.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool ask(const socket_door *d, const char *main, const char *name) {
  door_question question = {0, name ? (uint32_t)strlen(name) : 0};
  while (question.main < (uint32_t)d->mains.count && strcmp(d->mains.paths[question.main], main) != 0) question.main++;
  if (name && (question.name_size == 0 || question.name_size >= DOOR_NAME)) return false;
  return parcel_send(d->socket, &question, sizeof question) && parcel_send(d->socket, name, question.name_size);
}

static bool read_all(int file, unsigned char *at, size_t size) {
  while (size > 0) {
    ssize_t got = read(file, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= (size_t)got;
  }
  return true;
}

static bool take(int file, const char *main, uint64_t size, file_bytes *found, sinew_error *error) {
  if (size > door_limit) return error_set(error, "%s: is larger than a file may be", main);
  found->size = (size_t)size;
  found->data = mem_alloc(found->size + 1);
  if (!found->data) return error_memory(error, main, found->size + 1);
  found->data[size] = 0;
  if (read_all(file, found->data, found->size)) return true;
  mem_free(found->data);
  return error_set(error, "%s: cannot be read", main);
}

static bool hear_refusal(const socket_door *d, const char *main, uint32_t size, sinew_error *error) {
  char sentence[sizeof error->message] = "";
  if (size >= sizeof sentence || !parcel_receive(d->socket, sentence, size)) size = 0;
  return size > 0 ? error_set(error, "%s", sentence) : error_set(error, "%s: nobody answers for it", main);
}

static bool read_through(file_door *base, const char *main, const char *name, file_bytes *found, sinew_error *error) {
  const socket_door *d = (const socket_door *)base;
  door_reply reply = {0};
  int file = -1;
  if (!ask(d, main, name) || !parcel_receive_with(d->socket, &reply, sizeof reply, &file))
    return error_set(error, "%s: nobody answers for it", main);
  if (!reply.found || file < 0) return hear_refusal(d, main, reply.sentence_size, error);
  bool taken = take(file, main, reply.size, found, error);
  close(file);
  return taken;
}

socket_door socket_door_open(int socket, door_mains mains) { return (socket_door){{read_through}, socket, mains}; }
