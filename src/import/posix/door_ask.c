/* The child's side of a socket door. */
#include "base/error.h"
#include "import/door/door_socket.h"
#include "import/posix/door_parcel.h"
#include "import/posix/sealed.h"

#include <string.h>
#include <unistd.h>

static bool ask(const socket_door *d, const char *main, const char *name) {
  door_question question = {0, name ? (uint32_t)strlen(name) : 0};
  while (question.main < (uint32_t)d->mains.count && strcmp(d->mains.paths[question.main], main) != 0) question.main++;
  if (name && (question.name_size == 0 || question.name_size >= DOOR_NAME)) return false;
  return parcel_send(d->socket, &question, sizeof question) && parcel_send(d->socket, name, question.name_size);
}

static bool take(int file, const char *main, uint64_t size, file_bytes *found, sinew_error *error) {
  if (size > door_limit) return error_set(error, "%s: is larger than a file may be", main);
  found->size = (size_t)size;
  found->data = sealed_map(file, found->size + 1);
  return found->data || error_memory(error, main, found->size + 1);
}

static void release(file_bytes *bytes) {
  if (bytes->data) sealed_unmap(bytes->data, bytes->size + 1);
  *bytes = (file_bytes){0};
}

static bool hear_refusal(const socket_door *d, const char *main, uint32_t size, sinew_error *error) {
  char sentence[sizeof error->message] = "";
  if (size >= sizeof sentence || !parcel_receive(d->socket, sentence, size)) size = 0;
  return size > 0 ? error_set(error, "%s", sentence)
                  : error_set(error, "%s: the program that asked for it does not answer", main);
}

static bool read_through(file_door *base, const char *main, const char *name, file_bytes *found, sinew_error *error) {
  const socket_door *d = (const socket_door *)base;
  door_reply reply = {0};
  int file = -1;
  if (!ask(d, main, name) || !parcel_receive_with(d->socket, &reply, sizeof reply, &file))
    return error_set(error, "%s: the program that asked for it does not answer", main);
  if (!reply.found || file < 0) return hear_refusal(d, main, reply.sentence_size, error);
  bool taken = take(file, main, reply.size, found, error);
  close(file);
  return taken;
}

socket_door socket_door_open(int socket, door_mains mains) {
  return (socket_door){{read_through, release}, socket, mains};
}
