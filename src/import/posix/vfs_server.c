/* The parent's side of the socket: it serves files. The child gets a descriptor of a copy that cannot be changed, never
 * that of a file. So it sees exactly the bytes that the list of sources records, and nothing about their location. */
#include "import/posix/sealed.h"
#include "import/posix/vfs_message.h"
#include "import/vfs/vfs_socket.h"

#include <string.h>
#include <unistd.h>

static bool refuse(int socket, const char *sentence) {
  vfs_reply reply = {.sentence_size = (uint32_t)strlen(sentence)};
  return message_send_with(socket, &reply, sizeof reply, -1) && message_send(socket, sentence, reply.sentence_size);
}

static bool hand_over(int socket, const file_bytes *found) {
  vfs_reply reply = {.found = true, .size = found->size};
  int file = sealed_copy(found->data, found->size + 1); /* with the zero behind them */
  if (file < 0) return refuse(socket, "there is no memory for a copy of a file");
  bool sent = message_send_with(socket, &reply, sizeof reply, file);
  close(file);
  return sent;
}

static bool answer(const vfs_server *s, int socket, const char *main, const char *name) {
  sinew_error error = {"it is not there"};
  file_bytes found = {0};
  if (!s->fs->read(s->fs, main, name, &found, &error)) return refuse(socket, error.message);
  bool sent = hand_over(socket, &found);
  s->fs->release(&found);
  return sent;
}

/* Receives text without a zero in it, or fails. */
static bool hear_name(int socket, uint32_t size, char name[VFS_NAME]) {
  if (size >= VFS_NAME || !message_receive(socket, name, size)) return false;
  name[size] = '\0';
  return strlen(name) == size;
}

void vfs_serve(void *service, int socket) {
  const vfs_server *s = service;
  for (int i = 0; i < VFS_MOST_REQUESTS; i++) {
    vfs_request request;
    char name[VFS_NAME];
    if (!message_receive(socket, &request, sizeof request) || request.main >= (uint32_t)s->mains.count ||
        !hear_name(socket, request.name_size, name) ||
        !answer(s, socket, s->mains.paths[request.main], request.name_size ? name : NULL))
      return;
  }
}
