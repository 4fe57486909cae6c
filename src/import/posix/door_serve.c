/* The parent's side of a socket door. The child gets a descriptor of a copy that cannot be changed, and never one of a
 * file: it sees the bytes that the list of sources has, and nothing about where they lie. */
#include "import/door/door_socket.h"
#include "import/posix/door_parcel.h"
#include "import/posix/sealed.h"

#include <string.h>
#include <unistd.h>

static bool refuse(int socket, const char *sentence) {
  door_reply reply = {.sentence_size = (uint32_t)strlen(sentence)};
  return parcel_send_with(socket, &reply, sizeof reply, -1) && parcel_send(socket, sentence, reply.sentence_size);
}

static bool hand_over(int socket, const file_bytes *found) {
  door_reply reply = {.found = true, .size = found->size};
  int file = sealed_copy(found->data, found->size + 1); /* with the zero behind them */
  if (file < 0) return refuse(socket, "there is no memory for a copy of a file");
  bool sent = parcel_send_with(socket, &reply, sizeof reply, file);
  close(file);
  return sent;
}

static bool answer(const door_service *s, int socket, const char *main, const char *name) {
  sinew_error error = {"it is not there"};
  file_bytes found = {0};
  if (!s->door->read(s->door, main, name, &found, &error)) return refuse(socket, error.message);
  bool sent = hand_over(socket, &found);
  s->door->release(&found);
  return sent;
}

/* Text without a zero inside, or nothing. */
static bool hear_name(int socket, uint32_t size, char name[DOOR_NAME]) {
  if (size >= DOOR_NAME || !parcel_receive(socket, name, size)) return false;
  name[size] = '\0';
  return strlen(name) == size;
}

void door_serve(void *service, int socket) {
  const door_service *s = service;
  for (int i = 0; i < DOOR_MOST_QUESTIONS; i++) {
    door_question question;
    char name[DOOR_NAME];
    if (!parcel_receive(socket, &question, sizeof question) || question.main >= (uint32_t)s->mains.count ||
        !hear_name(socket, question.name_size, name) ||
        !answer(s, socket, s->mains.paths[question.main], question.name_size ? name : NULL))
      return;
  }
}
