#include "import/posix/vfs_message.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL /* macOS sets this option on the socket */
#define MSG_NOSIGNAL 0
#endif

typedef union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
} control;

/* One sendmsg or recvmsg: the only calls on this socket that a confined child may make. */
static ssize_t transfer(ssize_t (*once)(int, struct msghdr *), int socket, struct msghdr *message) {
  ssize_t done;
  do done = once(socket, message);
  while (done < 0 && errno == EINTR);
  return done;
}

static ssize_t send_once(int socket, struct msghdr *message) { return sendmsg(socket, message, MSG_NOSIGNAL); }
static ssize_t receive_once(int socket, struct msghdr *message) { return recvmsg(socket, message, 0); }

static bool transfer_all(ssize_t (*once)(int, struct msghdr *), int socket, const char *at, size_t size) {
  while (size > 0) {
    struct iovec piece = {(void *)(uintptr_t)at, size};
    ssize_t done = transfer(once, socket, &(struct msghdr){.msg_iov = &piece, .msg_iovlen = 1});
    if (done <= 0) return false;
    at += done;
    size -= (size_t)done;
  }
  return true;
}

bool message_send(int socket, const void *bytes, size_t size) { return transfer_all(send_once, socket, bytes, size); }

bool message_receive(int socket, void *bytes, size_t size) { return transfer_all(receive_once, socket, bytes, size); }

bool message_send_with(int socket, const void *bytes, size_t size, int descriptor) {
  control room = {.bytes = {0}};
  struct iovec piece = {(void *)(uintptr_t)bytes, size};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  if (descriptor >= 0) {
    message.msg_control = &room;
    message.msg_controllen = sizeof room;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  ssize_t sent = transfer(send_once, socket, &message);
  return sent > 0 && message_send(socket, (const char *)bytes + sent, size - (size_t)sent);
}

bool message_receive_with(int socket, void *bytes, size_t size, int *descriptor) {
  control room = {.bytes = {0}};
  struct iovec piece = {bytes, size};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = &room, .msg_controllen = sizeof room};
  *descriptor = -1;
  ssize_t got = transfer(receive_once, socket, &message);
  if (got <= 0) return false;
  const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof *descriptor))
    memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  if (message_receive(socket, (char *)bytes + got, size - (size_t)got)) return true;
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
  return false;
}
