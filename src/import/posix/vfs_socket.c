#define _GNU_SOURCE /* memfd_create */
#include "import/posix/vfs_socket.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "import/cook/cook.h"
#include "import/vfs/vfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- bytes behind a descriptor without a name on any disk ---- */

static bool write_all(int file, const char *at, size_t size) {
  while (size > 0) {
    ssize_t done = write(file, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    size -= (size_t)done;
  }
  return true;
}

#ifdef __linux__
static int make(void) { return memfd_create("sinew", MFD_CLOEXEC | MFD_ALLOW_SEALING); }

static bool seal(int file) {
  return fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
}
#else
static int make(void) {
  const char *folder = getenv("TMPDIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/sinew-XXXXXX", folder ? folder : "/tmp");
  int file = mkstemp(path);
  if (file >= 0) unlink(path);
  if (file >= 0) fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}

static bool seal(int file) {
  (void)file;
  return true;
}
#endif

/* A descriptor that can be mapped; -1 without memory. On Linux nobody can change the bytes; on other systems the
 * receiver of the descriptor can. */
static int sealed_copy(const void *bytes, size_t size) {
  int file = make();
  if (file < 0) return -1;
  if (write_all(file, bytes, size) && seal(file)) return file;
  close(file);
  return -1;
}

#ifndef MAP_POPULATE
#define MAP_POPULATE 0 /* Linux: all pages at once */
#endif

/* The bytes, read-only; NULL without memory. */
static unsigned char *sealed_map(int file, size_t size) {
  void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  return bytes == MAP_FAILED ? NULL : bytes;
}

static void sealed_unmap(unsigned char *bytes, size_t size) { munmap(bytes, size); }

/* ---- the messages between a child and its parent, in the machine's byte order ---- */

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

/* Sends or receives the first bytes, along with a descriptor; -1 sends none, and *descriptor is -1 if none was
 * received. */
static bool message_send_with(int socket, const void *bytes, size_t size, int descriptor) {
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

/* ---- The child's side of the socket ---- */

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

/* The parent's side of the socket: it serves files. The child gets a descriptor of a copy that cannot be changed, never
 * that of a file. So it sees exactly the bytes that the list of sources records, and nothing about their location. */

/* Copies are kept while they are fewer bytes than this; an older one that is asked for again is made a second time, and
 * no third time. */
static const size_t most_kept = (size_t)1 << 30;

/* What the files that a model names may have together, and what may be read besides for names that mean one file. */
static const uint64_t most_named = (uint64_t)4 << 30, most_again = (uint64_t)64 << 20;

typedef struct sealed {
  uint64_t hash;
  size_t size;
  int file; /* sealed; −1: given up */
  int made; /* how often */
} sealed;

typedef struct known_name {
  uint32_t main;
  char *name; /* "" for the main file itself */
  int copy;
} known_name;

typedef struct lending {
  const vfs_server *server;
  int socket;
  sealed *copies;
  int copy_count, copy_capacity;
  known_name *names;
  int name_count, name_capacity;
  size_t kept;                 /* bytes of sealed copies */
  uint64_t read, named, whole; /* bytes read; of files that are no main ones, and of all, each counted once */
  int oldest;                  /* the copies before it are given up */
} lending;

static bool refuse(int socket, const char *sentence) {
  vfs_reply reply = {.sentence_size = (uint32_t)strlen(sentence)};
  return message_send_with(socket, &reply, sizeof reply, -1) && message_send(socket, sentence, reply.sentence_size);
}

static bool hand_over(int socket, int file, size_t size) {
  vfs_reply reply = {.found = true, .size = size};
  if (file < 0) return refuse(socket, "there is no memory for a copy of a file");
  return message_send_with(socket, &reply, sizeof reply, file);
}

/* ---- copies ---- */

static void give_up(lending *l, sealed *c) {
  if (c->file < 0) return;
  close(c->file);
  c->file = -1;
  l->kept -= c->size;
}

static bool make_copy(lending *l, sealed *c, const file_bytes *bytes) {
  if (c->made == 2) return false;
  for (; l->kept + bytes->size > most_kept && l->oldest < l->copy_count; l->oldest++) give_up(l, l->copies + l->oldest);
  c->file = sealed_copy(bytes->data, bytes->size + 1); /* with the zero behind them */
  c->made++;
  if (c->file >= 0) l->kept += bytes->size;
  return c->file >= 0;
}

static int find_copy(const lending *l, uint64_t hash, size_t size) {
  for (int i = 0; i < l->copy_count; i++)
    if (l->copies[i].hash == hash && l->copies[i].size == size) return i;
  return -1;
}

/* One copy for each content, whatever it is called. Returns −1 for what may not be lent. */
static int lend(lending *l, const file_bytes *bytes, bool is_main) {
  uint64_t hash = hash_bytes(bytes->data, bytes->size, 0);
  int i = find_copy(l, hash, bytes->size);
  if (i < 0) {
    sealed *c = array_grow((void **)&l->copies, &l->copy_count, &l->copy_capacity, sizeof *c);
    if (!c) return -1;
    *c = (sealed){.hash = hash, .size = bytes->size, .file = -1};
    i = l->copy_count - 1;
    l->whole += bytes->size;
    l->named += is_main ? 0 : bytes->size;
  }
  l->read += bytes->size;
  bool too_much = l->named > most_named || l->read > 2 * l->whole + most_again;
  return !too_much && (l->copies[i].file >= 0 || make_copy(l, l->copies + i, bytes)) ? i : -1;
}

static const known_name *find_name(const lending *l, uint32_t main, const char *name) {
  for (int i = 0; i < l->name_count; i++)
    if (l->names[i].main == main && strcmp(l->names[i].name, name) == 0) return l->names + i;
  return NULL;
}

static void keep_name(lending *l, uint32_t main, const char *name, int copy) {
  char *text = mem_copy_string(name);
  known_name *n = text ? array_grow((void **)&l->names, &l->name_count, &l->name_capacity, sizeof *n) : NULL;
  if (n) *n = (known_name){main, text, copy};
  else mem_free(text);
}

static void end_lending(lending *l) {
  for (int i = 0; i < l->copy_count; i++) give_up(l, l->copies + i);
  for (int i = 0; i < l->name_count; i++) mem_free(l->names[i].name);
  mem_free(l->copies);
  mem_free(l->names);
}

/* ---- requests ---- */

static bool answer_head(const lending *l, uint32_t main) {
  sinew_error error = {"it is not there"};
  file_bytes found = {0};
  vfs *fs = l->server->fs;
  if (!fs->read_head || !fs->read_head(fs, l->server->mains.paths[main], &found, &error))
    return refuse(l->socket, error.message);
  int file = sealed_copy(found.data, found.size + 1);
  bool sent = hand_over(l->socket, file, found.size);
  if (file >= 0) close(file);
  fs->release(&found);
  return sent;
}

static bool answer(lending *l, uint32_t main, const char *name) {
  sinew_error error = {"it is not there"};
  file_bytes found = {0};
  vfs *fs = l->server->fs;
  const known_name *known = find_name(l, main, name);
  if (known && l->copies[known->copy].file >= 0)
    return hand_over(l->socket, l->copies[known->copy].file, l->copies[known->copy].size);
  if (!fs->read(fs, l->server->mains.paths[main], name[0] ? name : NULL, &found, &error))
    return refuse(l->socket, error.message);
  int copy = lend(l, &found, !name[0]);
  if (copy >= 0 && !known) keep_name(l, main, name, copy);
  bool sent = copy >= 0 ? hand_over(l->socket, l->copies[copy].file, found.size)
                        : refuse(l->socket, "a file was asked for too often, or its copies would take too much memory");
  fs->release(&found);
  return sent;
}

/* Receives text without a zero in it, or fails. */
static bool hear_name(int socket, uint32_t size, char name[VFS_NAME]) {
  if (size >= VFS_NAME || !message_receive(socket, name, size)) return false;
  name[size] = '\0';
  return strlen(name) == size;
}

static bool serve_one(lending *l, atomic_bool *at_work) {
  vfs_request request;
  char name[VFS_NAME];
  if (!message_receive(l->socket, &request, sizeof request) || request.main >= (uint32_t)l->server->mains.count ||
      !hear_name(l->socket, request.name_size, name))
    return false;
  atomic_store(at_work, true);
  bool served = request.head ? answer_head(l, request.main) : answer(l, request.main, name);
  atomic_store(at_work, false);
  return served;
}

void vfs_serve(void *service, int socket) {
  vfs_server *s = service;
  lending l = {.server = s, .socket = socket};
  for (int i = 0; i < VFS_MOST_REQUESTS && serve_one(&l, &s->at_work); i++) {
  }
  end_lending(&l);
}
