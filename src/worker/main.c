/* sinew-import – reads one model file that nobody vouches for, and answers with a cooked model or with a sentence. It
 * is a program of its own so that whatever a file does to Assimp ends here: under limits, reading nothing but the
 * model's folders, writing nothing but its answer. src/import/worker/worker.h is the other side. */
#include "base/memory.h"
#include "import/cook/cook.h"
#include "import/import_model.h"
#include "import/load.h"
#include "import/source/assimp/assimp_import.h"
#include "import/worker/worker.h"
#include "worker/confine.h"
#include "worker/heap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void send_log(void *user, sinew_log_level level, const char *line) {
  (void)user;
  fprintf(stderr, "%c%d%s\n", WORKER_LOG_MARK, (int)level, line);
}

static bool send_bytes(const void *bytes, size_t size) {
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

static bool send_answer(uint32_t kind, const source_list *sources, const void *bytes, size_t size) {
  unsigned char head[WORKER_HEAD];
  size_t files_size = 0;
  void *files = sources->broken ? NULL : source_list_bytes(sources, &files_size);
  worker_write_head(head, kind, files ? files_size : 0);
  return send_bytes(head, sizeof head) && (!files || send_bytes(files, files_size)) && send_bytes(bytes, size);
}

static bool import(const char *path, const sinew_load_options *options) {
  sinew_error error = {""};
  source_list sources = {0};
  size_t size = 0;
  bool sound = load_check_options(path, options, &error);
  disk_door disk = disk_door_open(&sources);
  sinew_model *model = sound ? import_model(path, options, &disk.door, &error) : NULL;
  void *cooked = model ? cook_bytes(model, &size, &error) : NULL;
  return cooked ? send_answer(WORKER_MODEL, &sources, cooked, size)
                : send_answer(WORKER_SENTENCE, &sources, error.message, strlen(error.message));
}

int main(int argc, char **argv) {
  sinew_load_options options;
  size_t words = (size_t)argc + 1;
  worker_room room = {mem_alloc_array(words, sizeof *room.clip_files), mem_alloc_array(words, sizeof *room.map),
                      mem_alloc_array(words, sizeof *room.edits)};
  bool has_room = room.clip_files && room.map && room.edits;
  const char *path = has_room ? worker_read_arguments(argc, argv, &options, &room) : NULL;
  if (!path || fcntl(PROCESS_ANSWER, F_GETFD) < 0) {
    fputs("sinew-import: is started by sinew, and writes its answer to descriptor 3\n", stderr);
    return 2;
  }
  process_limits limits = worker_limits(path, &options);
  process_limits_apply(&limits);
  heap_prepare();
  sinew_set_log(send_log, NULL);
  assimp_never_release();
  confine_reading(path, options.clip_files, options.clip_file_count);
  /* Not by exit or return: what Assimp left behind stays as it is. */
  _exit(import(path, &options) ? 0 : 1);
}
