/* The parent's side of the socket: it serves files. The child gets a descriptor of a copy that cannot be changed, never
 * that of a file. So it sees exactly the bytes that the list of sources records, and nothing about their location. */
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/memory.h"
#include "import/cook/cook_hash.h"
#include "import/posix/sealed.h"
#include "import/posix/vfs_message.h"
#include "import/vfs/vfs_socket.h"

#include <string.h>
#include <unistd.h>

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
