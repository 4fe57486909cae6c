/* sinew_pictures: packed pictures are sent to a separate process, as files are, in rounds of bounded size; without that
 * program they are unpacked here. */
#include "base/error.h"
#include "base/jobs.h"
#include "base/memory/memory.h"
#include "base/sanitizers.h"
#include "import/source/image.h"
#include "import/vfs/vfs_socket.h"
#include "import/worker/picture_process.h"
#include "import/worker/worker.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

struct sinew_pictures {
  vfs fs; /* first member: the process requests packed pictures here */
  sinew_model *model;
  int *wanted; /* images */
  int count;
  int first, round; /* the part of `wanted` that the process has */
  int left;         /* pictures not returned yet */
  bool here;        /* without a process */
  bool done[PICTURES_ROUND];
  const char **names;
  vfs_server service;
  process *process;
  size_t taken; /* bytes of its answer */
  unpacked own;
};

static const sinew_image_view *image_at(const sinew_pictures *p, int number) {
  return p->model->images + p->wanted[p->first + number];
}

static size_t texel_bytes(const sinew_image_view *image) { return (size_t)image->width * (size_t)image->height * 4; }

/* ---- the process ---- */

/* Runs in the thread that serves the process. */
static bool read_packed(vfs *fs, const char *main, const char *name, file_bytes *found, sinew_error *error) {
  const sinew_pictures *p = (const sinew_pictures *)fs;
  int number = 0;
  while (number < p->round && strcmp(p->names[number], main) != 0) number++;
  if (name || number == p->round) return error_set(error, "there is no such picture");
  const sinew_image_view *image = image_at(p, number);
  found->size = (size_t)image->packed_size;
  found->data = mem_alloc(found->size + 1);
  if (!found->data) return error_memory(error, image->name, found->size);
  memcpy(found->data, image->packed, found->size);
  found->data[found->size] = 0;
  return true;
}

/* Returns the number of bytes of the round's texels. */
static size_t choose_round(sinew_pictures *p) {
  static const size_t most = (size_t)128 << 20;
  size_t bytes = 0;
  for (p->round = 0; p->first + p->round < p->count && p->round < PICTURES_ROUND; p->round++) {
    size_t more = texel_bytes(image_at(p, p->round));
    if (p->round > 0 && bytes + more > most) break;
    bytes += more;
  }
  memset(p->done, 0, sizeof p->done);
  return bytes;
}

static bool start_process(sinew_pictures *p, size_t bytes) {
  char program[4096], threads[16], count[16];
  if (worker_is_off() || !process_can_serve() || !worker_find(program, sizeof program)) return false;
  snprintf(threads, sizeof threads, "%d", jobs_default_threads());
  snprintf(count, sizeof count, "%d", p->round);
  const char *arguments[] = {program, "--pictures", threads, count, NULL};
  process_def def = process_def_default();
  def.arguments = arguments;
  def.limits = worker_limits_of(bytes); /* by the size of the result, which is larger than the input */
  def.idle_seconds = WORKER_IDLE;
  def.answer_limit = bytes + (size_t)p->round * 1024;
  p->service = (vfs_server){.fs = &p->fs, .mains = {p->names, p->round}};
  def.serve = vfs_serve;
  def.serve_user = &p->service;
  def.is_served = &p->service.at_work;
  p->process = process_start(&def, NULL);
  p->taken = 0;
  return p->process != NULL;
}

static bool begin_round(sinew_pictures *p) {
  size_t bytes = choose_round(p);
  p->here = p->here || !start_process(p, bytes);
  return !p->here;
}

static void end_round(sinew_pictures *p) {
  process_destroy(p->process);
  p->process = NULL;
  p->first += p->round;
  p->round = 0;
}

/* ---- one picture ---- */

static bool hand_out(sinew_pictures *p, int number, const uint8_t *rgba, sinew_picture *out) {
  *out = (sinew_picture){p->wanted[p->first + number], rgba};
  p->done[number] = true;
  p->left--;
  return true;
}

static bool refuse(sinew_pictures *p, int number, const char *why, size_t length, sinew_picture *out,
                   sinew_error *error) {
  char line[160];
  size_t n = 0;
  for (; n < length && n + 1 < sizeof line && why[n]; n++) line[n] = why[n] < ' ' ? ' ' : why[n];
  line[n] = '\0';
  error_set(error, "%s: image '%.200s' %s: materials do without it", p->model->path, image_at(p, number)->name, line);
  return hand_out(p, number, NULL, out);
}

/* Reads what the process has written, without trusting it. */
static bool take(sinew_pictures *p, sinew_picture *out, sinew_error *error) {
  process_bytes all = process_answer(p->process);
  const unsigned char *at;
  picture_head head;
  if (!picture_take(all.data, all.size, &p->taken, p->round, p->done, &head, &at)) return false;
  const sinew_image_view *image = image_at(p, (int)head.index);
  if (head.width == 0) return refuse(p, (int)head.index, (const char *)at, (size_t)head.size, out, error);
  if (head.width == (uint32_t)image->width && head.height == (uint32_t)image->height && head.size == texel_bytes(image))
    return hand_out(p, (int)head.index, at, out);
  static const char other[] = "has another size than its header states";
  return refuse(p, (int)head.index, other, sizeof other, out, error);
}

/* Reports the next picture for which an ended process has no answer. */
static bool give_up_one(sinew_pictures *p, sinew_picture *out, sinew_error *error) {
  char why[200];
  int number = 0;
  while (number < p->round && p->done[number]) number++;
  if (number == p->round) {
    end_round(p);
    return false;
  }
  snprintf(why, sizeof why, "could not be unpacked: the process %s", process_ending(p->process));
  return refuse(p, number, why, strlen(why), out, error);
}

static bool next_of_process(sinew_pictures *p, double seconds, sinew_picture *out, sinew_error *error) {
  static const double step = 0.002;
  for (double waited = 0;; waited += step) {
    bool ended = process_wait(p->process, 0);
    if (take(p, out, error)) return true;
    if (ended) return give_up_one(p, out, error);
    if (waited >= seconds) return false;
    process_wait(p->process, step);
  }
}

static bool next_here(sinew_pictures *p, sinew_picture *out, sinew_error *error) {
  p->round = 1;
  const sinew_image_view *image = image_at(p, 0);
  p->own = image_unpack(image->packed, (size_t)image->packed_size);
  bool fits = p->own.rgba && p->own.width == image->width && p->own.height == image->height;
  if (fits) hand_out(p, 0, p->own.rgba, out);
  else refuse(p, 0, p->own.rgba ? "has another size" : p->own.why, 100, out, error);
  p->first++;
  return true;
}

bool sinew_pictures_next(sinew_pictures *p, double seconds, sinew_picture *out, sinew_error *error) {
  image_unpacked_free(&p->own);
  while (p->left > 0) {
    if (p->here || (!p->process && !begin_round(p))) return next_here(p, out, error);
    if (next_of_process(p, seconds, out, error)) return true;
    if (p->process) return false;
  }
  return false;
}

/* ---- all of them ---- */

sinew_pictures *sinew_pictures_begin(sinew_model *model, sinew_error *error) {
  sinew_pictures *p = mem_alloc_zeroed(sizeof *p);
  if (p) p->wanted = mem_alloc_array((size_t)model->image_count + 1, sizeof *p->wanted);
  if (p && p->wanted) p->names = picture_names(PICTURES_ROUND);
  if (!p || !p->names) {
    error_memory(error, model->path, sizeof *p);
    sinew_pictures_end(p);
    return NULL;
  }
  p->fs = (vfs){.read = read_packed, .release = file_bytes_free};
  p->model = sinew_model_retain(model);
  for (int i = 0; i < model->image_count; i++)
    if (model->images[i].packed) p->wanted[p->count++] = i;
  p->left = p->count;
  if (p->left > 0) begin_round(p);
  return p;
}

int sinew_pictures_left(const sinew_pictures *p) { return p->left; }

void sinew_pictures_end(sinew_pictures *p) {
  if (!p) return;
  process_destroy(p->process);
  image_unpacked_free(&p->own);
  sinew_model_release(p->model);
  mem_free(p->wanted);
  mem_free(p->names);
  mem_free(p);
}
