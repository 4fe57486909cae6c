/* The child's side of the socket: it asks for files. */
#include "base/error.h"
#include "import/posix/sealed.h"
#include "import/posix/vfs_message.h"
#include "import/vfs/vfs_socket.h"

#include <string.h>
#include <unistd.h>

static bool ask(const socket_vfs *d, const char *main, const char *name, bool head) {
  size_t size = name ? strlen(name) : 0;
  vfs_request request = {.name_size = (uint16_t)size, .head = head};
  while (request.main < (uint32_t)d->mains.count && strcmp(d->mains.paths[request.main], main) != 0) request.main++;
  if (name && (size == 0 || size >= VFS_NAME)) return false;
  return message_send(d->socket, &request, sizeof request) && message_send(d->socket, name, request.name_size);
}

static bool take(int file, const char *main, uint64_t size, file_bytes *found, sinew_error *error) {
  if (size > vfs_file_limit) return error_set(error, "%s: is larger than a file may be", main);
  found->size = (size_t)size;
  found->data = sealed_map(file, found->size + 1);
  return found->data || error_memory(error, main, found->size + 1);
}

static void release(file_bytes *bytes) {
  if (bytes->data) sealed_unmap(bytes->data, bytes->size + 1);
  *bytes = (file_bytes){0};
}

static bool hear_refusal(const socket_vfs *d, const char *main, uint32_t size, sinew_error *error) {
  char sentence[sizeof error->message] = "";
  if (size >= sizeof sentence || !message_receive(d->socket, sentence, size)) size = 0;
  return size > 0 ? error_set(error, "%s", sentence)
                  : error_set(error, "%s: the program that asked for it does not answer", main);
}

static bool hear(const socket_vfs *d, const char *main, const char *name, bool head, file_bytes *found,
                 sinew_error *error) {
  vfs_reply reply = {0};
  int file = -1;
  if (!ask(d, main, name, head) || !message_receive_with(d->socket, &reply, sizeof reply, &file))
    return error_set(error, "%s: the program that asked for it does not answer", main);
  if (!reply.found || file < 0) return hear_refusal(d, main, reply.sentence_size, error);
  bool taken = take(file, main, reply.size, found, error);
  close(file);
  return taken;
}

static bool read_through(vfs *fs, const char *main, const char *name, file_bytes *found, sinew_error *error) {
  return hear((const socket_vfs *)fs, main, name, false, found, error);
}

static bool read_head_through(vfs *fs, const char *main, file_bytes *found, sinew_error *error) {
  return hear((const socket_vfs *)fs, main, NULL, true, found, error);
}

socket_vfs socket_vfs_open(int socket, vfs_mains mains) {
  return (socket_vfs){{read_through, read_head_through, release}, socket, mains};
}
