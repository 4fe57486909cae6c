/* sinew-import – reads one untrusted model file, and answers with a cooked model or an error message. It is a separate
 * program, so that the effects of a malicious file end here: under limits, in a jail, with only the files that its
 * parent passes. src/import/worker/worker.h is the other side. */
#include "base/memory/memory.h"
#include "import/worker/picture_process.h"
#include "worker/heap.h"
#include "worker/import.h"
#include "worker/jail.h"
#include "worker/pictures.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
