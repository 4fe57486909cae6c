/* sinew_pictures: packed pictures are sent to a separate process, as files are, in rounds of bounded size; without that
 * program they are unpacked here. */
#include "base/error.h"
#include "base/jobs.h"
#include "base/memory/memory.h"
#include "base/sanitizers.h"
#include "import/source/image.h"
#include "import/vfs/vfs.h"
#include "import/worker/picture_process.h"
#include "import/worker/worker.h"
#include "model/model.h"
#include "model/texels.h"

#include <stdio.h>
#include <string.h>

struct sinew_pictures {
  vfs fs; /* first member: the process requests packed pictures here */
  sinew_model *model;
  int *wanted; /* images, each with other bytes */
  int count;
  int *twins;         /* for each image, the next one with the same bytes; −1: none */
  uint8_t *halvings;  /* for each image */
  sinew_picture next; /* the twin of a returned picture, with the same texels; `image` −1: none */
  int first, round;   /* the part of `wanted` that the process has */
  int left;           /* pictures not returned yet */
  bool here;          /* without a process */
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

/* ---- how large they become ---- */

static uint64_t texels_of(const sinew_pictures *p, int image) {
  const sinew_image_view *view = p->model->images + image;
  return (uint64_t)texels_edge(view->width, p->halvings[image]) *
         (uint64_t)texels_edge(view->height, p->halvings[image]);
}

uint64_t sinew_pictures_texels(const sinew_pictures *p) {
  uint64_t sum = 0;
  for (int i = 0; i < p->count; i++) sum += texels_of(p, p->wanted[i]);
  return sum;
}

static int largest(const sinew_pictures *p) {
  int found = p->wanted[0];
  for (int i = 1; i < p->count; i++)
    if (texels_of(p, p->wanted[i]) > texels_of(p, found)) found = p->wanted[i];
  return found;
}

static void halve_to_fit(sinew_pictures *p, uint64_t most) {
  enum { SMALL = 64 };
  uint64_t sum = sinew_pictures_texels(p);
  while (most > 0 && sum > most) {
    int image = largest(p);
    uint64_t before = texels_of(p, image);
    if (before <= SMALL) return;
    p->halvings[image]++;
    sum -= before - texels_of(p, image);
  }
  for (int i = 0; i < p->count; i++)
    for (int twin = p->twins[p->wanted[i]]; twin >= 0; twin = p->twins[twin])
      p->halvings[twin] = p->halvings[p->wanted[i]];
}

int sinew_pictures_halved(const sinew_pictures *p, int *image) {
  int count = 0;
  for (int i = 0; i < p->model->image_count; i++) {
    if (p->halvings[i] == 0) continue;
    const sinew_image_view *most = p->model->images + *image, *view = p->model->images + i;
    if (count++ == 0 || texel_bytes(view) > texel_bytes(most)) *image = i;
  }
  return count;
}

/* Packed images, those with the same bytes as an earlier one in its list of twins. */
static void choose(sinew_pictures *p) {
  const sinew_image_view *images = p->model->images;
  for (int i = 0; i < p->model->image_count; i++) {
    int like = 0, last;
    p->twins[i] = -1;
    if (!images[i].packed) continue;
    p->left++;
    while (like < p->count && (images[p->wanted[like]].packed_size != images[i].packed_size ||
                               memcmp(images[p->wanted[like]].packed, images[i].packed, images[i].packed_size) != 0))
      like++;
    if (like == p->count) {
      p->wanted[p->count++] = i;
      continue;
    }
    for (last = p->wanted[like]; p->twins[last] >= 0;) last = p->twins[last];
    p->twins[last] = i;
  }
}

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
  char program[4096], threads[16], halvings[PICTURES_ROUND + 1] = "";
  if (worker_is_off() || !process_can_serve() || !worker_find(program, sizeof program)) return false;
  snprintf(threads, sizeof threads, "%d", jobs_default_threads());
  for (int i = 0; i < p->round; i++) halvings[i] = (char)('0' + p->halvings[p->wanted[p->first + i]]);
  const char *arguments[] = {program, "--pictures", threads, halvings, NULL};
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

static void set_next(sinew_pictures *p, const sinew_picture *out) {
  p->next = *out;
  p->next.image = p->twins[out->image];
}

static bool hand_out(sinew_pictures *p, int number, const uint8_t *rgba, sinew_picture *out) {
  int image = p->wanted[p->first + number];
  const sinew_image_view *view = p->model->images + image;
  *out = (sinew_picture){image, rgba, texels_edge(view->width, p->halvings[image]),
                         texels_edge(view->height, p->halvings[image])};
  p->done[number] = true;
  p->left--;
  set_next(p, out);
  return true;
}

static bool hand_out_twin(sinew_pictures *p, sinew_picture *out, sinew_error *error) {
  if (p->next.image < 0) return false;
  *out = p->next;
  p->left--;
  set_next(p, out);
  if (!out->rgba)
    error_set(error, "%s: image '%.200s' is broken: materials do without it", p->model->path,
              p->model->images[out->image].name);
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
  int halvings = p->halvings[p->wanted[p->first + (int)head.index]];
  const sinew_image_view *image = image_at(p, (int)head.index);
  int width = texels_edge(image->width, halvings), height = texels_edge(image->height, halvings);
  if (head.width == 0) return refuse(p, (int)head.index, (const char *)at, (size_t)head.size, out, error);
  if (head.width == (uint32_t)width && head.height == (uint32_t)height &&
      head.size == 4 * (uint64_t)width * (uint64_t)height)
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
  for (int i = 0; fits && i < p->halvings[p->wanted[p->first]]; i++)
    texels_halve(p->own.rgba, &p->own.width, &p->own.height);
  if (fits) hand_out(p, 0, p->own.rgba, out);
  else refuse(p, 0, p->own.rgba ? "has another size" : p->own.why, 100, out, error);
  p->first++;
  return true;
}

bool sinew_pictures_next(sinew_pictures *p, double seconds, sinew_picture *out, sinew_error *error) {
  if (hand_out_twin(p, out, error)) return true;
  image_unpacked_free(&p->own);
  while (p->left > 0) {
    if (p->here || (!p->process && !begin_round(p))) return next_here(p, out, error);
    if (next_of_process(p, seconds, out, error)) return true;
    if (p->process) return false;
  }
  return false;
}

/* ---- all of them ---- */

sinew_pictures *sinew_pictures_begin(sinew_model *model, uint64_t most_texels, sinew_error *error) {
  sinew_pictures *p = mem_alloc_zeroed(sizeof *p);
  size_t images = (size_t)model->image_count + 1;
  if (p) p->wanted = mem_alloc_array(images, sizeof *p->wanted);
  if (p) p->twins = mem_alloc_array(images, sizeof *p->twins);
  if (p) p->halvings = mem_alloc_zeroed(images);
  if (p && p->wanted && p->twins && p->halvings) p->names = picture_names(PICTURES_ROUND);
  if (!p || !p->names) {
    error_memory(error, model->path, sizeof *p);
    sinew_pictures_end(p);
    return NULL;
  }
  p->fs = (vfs){.read = read_packed, .release = file_bytes_free};
  p->model = sinew_model_retain(model);
  p->next.image = -1;
  choose(p);
  if (p->count > 0) halve_to_fit(p, most_texels);
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
  mem_free(p->twins);
  mem_free(p->halvings);
  mem_free(p->names);
  mem_free(p);
}
