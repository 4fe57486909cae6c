/* sinew-import – reads one untrusted model file, and answers with a cooked model or an error message. It is a separate
 * program, so that the effects of a malicious file end here: under limits, in a jail, with only the files that its
 * parent passes. src/import/worker/worker.h is the other side. */
#include "worker/main.h"

#include "base/jobs.h"
#include "base/memory/memory.h"
#include "base/process/process.h"
#include "import/source/image.h"
#include "import/vfs/vfs.h"
#include "import/worker/picture_process.h"
#include "model/texels.h"
#include "worker/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A heap for a program that lives for one import: it asks the system for memory rarely and in large pages, and returns
 * nothing. Getting a small page takes longer than most of the work done with it. */

/* Call it once, before anything large is allocated and after the limits are set. Does nothing if the system or its C
 * library does not support it. */
#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

/* The third is the largest value that the C library accepts. */
enum { LARGE_PAGE = 1 << 21, HEAP_STEP = 48 << 20, MOST_IN_HEAP = 32 << 20 };

static void *volatile before; /* the small pages at the beginning, which are never used */

/* Uses one heap for all threads, because only the main one is in large pages; starts it at the first of them. */
static void heap_prepare(void) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, MOST_IN_HEAP);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, HEAP_STEP);
  uintptr_t begin = (uintptr_t)sbrk(0), large = (begin + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  before = malloc(large - begin + LARGE_PAGE / 2); /* more than the heap has, so it grows by a step */
  uintptr_t end = (uintptr_t)sbrk(0);
  if (large < end) madvise((void *)large, end - large, MADV_HUGEPAGE);
}
#else
static void heap_prepare(void) {}
#endif

/* ---- sinew-import --pictures ---- */

enum { BATCH = JOBS_MOST_THREADS };

typedef struct picture {
  file_bytes packed;
  unpacked texels;
  int halvings;
} picture;

static void unpack_some(void *user, int thread, int begin, int end) {
  picture *pictures = user;
  (void)thread;
  for (int i = begin; i < end; i++) {
    unpacked *texels = &pictures[i].texels;
    *texels = image_unpack(pictures[i].packed.data, pictures[i].packed.size);
    for (int k = 0; texels->rgba && k < pictures[i].halvings; k++)
      texels_halve(texels->rgba, &texels->width, &texels->height);
  }
}

static bool send_picture(int index, const unpacked *p) {
  unsigned char head[PICTURE_HEAD];
  size_t size = p->rgba ? (size_t)p->width * (size_t)p->height * 4 : strlen(p->why);
  picture_write_head(head, &(picture_head){(uint32_t)index, p->rgba ? (uint32_t)p->width : 0,
                                           p->rgba ? (uint32_t)p->height : 0, size});
  return answer_send(head, sizeof head) && answer_send(p->rgba ? (const void *)p->rgba : p->why, size);
}

/* As many pictures at a time as there are threads, which limits the texels in memory. */
static bool run_batch(jobs *j, vfs *fs, const char *const *names, const char *halvings, int first, int count) {
  picture pictures[BATCH] = {{{0}, {0}, 0}};
  bool sent = true;
  for (int i = 0; i < count; i++) pictures[i].halvings = halvings[first + i] - '0';
  for (int i = 0; i < count; i++)
    if (!fs->read(fs, names[first + i], NULL, &pictures[i].packed, NULL)) pictures[i].packed = (file_bytes){0};
  jobs_run(j, count, 1, unpack_some, pictures);
  for (int i = 0; i < count; i++) {
    sent = sent && send_picture(first + i, &pictures[i].texels);
    fs->release(&pictures[i].packed);
    image_unpacked_free(&pictures[i].texels);
  }
  return sent;
}

/* Requests a picture by number for each digit, and writes each as an answer, halved as often as its digit says; false
 * if one could not be written. */
static bool run_pictures(const char *halvings) {
  int count = (int)strlen(halvings);
  const char **names = picture_names(count);
  jobs *j = jobs_create(jobs_default_threads(), NULL);
  bool done = names && j;
  socket_vfs asked = socket_vfs_open(PROCESS_SOCKET, (vfs_mains){names, count});
  for (int first = 0; done && first < count;) {
    int some = count - first < jobs_threads(j) ? count - first : jobs_threads(j);
    done = run_batch(j, &asked.fs, names, halvings, first, some);
    first += some;
  }
  return done;
}

/* ---- main ---- */

static void send_log(void *user, sinew_log_level level, const char *line) {
  (void)user;
  fprintf(stderr, "%c%d%s\n", WORKER_LOG_MARK, (int)level, line);
}

/* The environment is not inherited; these two settings come as arguments. */
static void set(const char *name, const char *value) {
#ifdef _WIN32
  (void)name, (void)value; /* hands its environment on */
#else
  if (value) setenv(name, value, 1);
#endif
}

/* Writes an answer that contains only the restrictions. */
static int show_walls(void) {
  unsigned char head[WORKER_HEAD];
  worker_write_head(head, &(worker_head){.kind = WORKER_SENTENCE, .walls = jail_enter()});
  return write(PROCESS_ANSWER, head, sizeof head) == (ssize_t)sizeof head ? 0 : 1;
}

/* --pictures THREADS HALVINGS, a digit for each picture */
static int unpack_pictures(char **words) {
  size_t count = strlen(words[1]);
  if (count < 1 || count > PICTURES_ROUND || strspn(words[1], "0123456789") != count ||
      fcntl(PROCESS_ANSWER, F_GETFD) < 0)
    return 2;
  set("SINEW_THREADS", words[0]);
  heap_prepare();
  jail_enter();
  return run_pictures(words[1]) ? 0 : 1;
}

int main(int argc, char **argv) {
  sinew_load_options options;
  size_t words = (size_t)argc + 1;
  worker_room room = {mem_alloc_array(words, sizeof *room.clip_files),
                      mem_alloc_array(words, sizeof *room.map),
                      mem_alloc_array(words, sizeof *room.roles),
                      mem_alloc_array(words, sizeof *room.edits),
                      {NULL, NULL}};
  bool has_room = room.clip_files && room.map && room.roles && room.edits;
  if (argc == 2 && strcmp(argv[1], "--walls") == 0) _exit(show_walls()); /* exit handlers would be blocked */
  if (argc == 4 && strcmp(argv[1], "--pictures") == 0) _exit(unpack_pictures(argv + 2));
  const char *path = has_room ? worker_read_arguments(argc, argv, &options, &room) : NULL;
  if (!path || fcntl(PROCESS_ANSWER, F_GETFD) < 0 || (process_can_serve() && fcntl(PROCESS_SOCKET, F_GETFD) < 0)) {
    fputs("sinew-import: is started by sinew, and writes its answer to descriptor 3\n", stderr);
    return 2;
  }
  set("SINEW_THREADS", room.settings.threads);
  set("SINEW_SIMD", room.settings.simd);
  heap_prepare();
  sinew_set_log(send_log, NULL);
  /* not by exit or return, so that nothing that Assimp left behind is touched */
  _exit(run_import(path, &options, jail_enter()) ? 0 : 1);
}

/* ---- writes to the pipe of the program that started this one ---- */

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
