#include "worker/pictures.h"

#include "base/jobs.h"
#include "base/process/process.h"
#include "import/source/image.h"
#include "import/vfs/vfs.h"
#include "import/worker/picture_process.h"
#include "model/texels.h"
#include "worker/answer.h"

#include <string.h>

enum { BATCH = JOBS_MOST_THREADS };

typedef struct picture {
  file_bytes packed;
  unpacked texels;
  int halvings;
} picture;

static void unpack_some(void *user, int worker, int begin, int end) {
  picture *pictures = user;
  (void)worker;
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

bool run_pictures(const char *halvings) {
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
