#include "worker/main.h"

#include "base/memory/memory.h"
#include "base/text.h"
#include "import/cook/cook.h"
#include "import/import_model.h"
#include "import/load.h"
#include "import/source/assimp/assimp_import.h"
#include "import/vfs/vfs.h"

#include <string.h>

static bool send_answer(const worker_head *answer, const source_list *sources, const void *bytes, size_t size) {
  unsigned char head[WORKER_HEAD];
  worker_head full = *answer;
  size_t files_size = 0;
  void *files = sources->broken ? NULL : source_list_bytes(sources, &files_size);
  full.files_size = files ? files_size : 0;
  worker_write_head(head, &full);
  return answer_send(head, sizeof head) && (!files || answer_send(files, files_size)) && answer_send(bytes, size);
}

/* If this process requests its files, the parent keeps the list of sources, and the one here stays empty. */
bool run_import(const char *path, const sinew_load_options *options, unsigned walls) {
  sinew_error error = {""};
  source_list sources = {0};
  size_t size = 0;
  const char **mains = worker_mains(path, options);
  disk_vfs disk = disk_vfs_open(&sources);
  socket_vfs asked = socket_vfs_open(PROCESS_SOCKET, (vfs_mains){mains, 1 + options->clip_file_count});
  vfs *fs = process_can_serve() ? &asked.fs : &disk.fs;
  assimp_never_release();
  bool sound = mains && load_check_options(path, options, &error);
  sinew_model *model = sound ? import_model(path, options, fs, &error) : NULL;
  void *cooked = model ? cook_bytes(model, &size, &error) : NULL;
  worker_head answer = {.kind = cooked ? WORKER_MODEL : WORKER_SENTENCE, .walls = walls};
  return cooked ? send_answer(&answer, &sources, cooked, size)
                : send_answer(&answer, &sources, error.message, strlen(error.message));
}
