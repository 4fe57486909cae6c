#include "host/drawing/gpu_models.h"

#include "base/error.h"
#include "base/memory/memory.h"

/* A scene has a handful of models, so a search is short enough. */
static gpu_entry *find(gpu_models *g, const sinew_model *model) {
  for (int i = 0; i < g->count; i++)
    if (g->entries[i].model == model) return &g->entries[i];
  return NULL;
}

/* Uploads one picture per frame, so that a window does not stall; without a window, all of them. */
static void take_pictures(const gpu_models *g, gpu_entry *entry, sinew_renderer *renderer) {
  sinew_picture picture;
  sinew_error error;
  bool more = entry->pictures && entry->made && sinew_gpu_model_left(entry->made) == 0;
  while (more && sinew_pictures_left(entry->pictures) > 0) {
    bool came = sinew_pictures_next(entry->pictures, g->waits ? 1 : 0, &picture, &error);
    if (came && (!picture.rgba || !sinew_gpu_model_set_picture(renderer, entry->made, &picture, &error)))
      sinew_log(SINEW_LOG_WARNING, "%s", error.message);
    more = g->waits;
  }
  if (!entry->pictures || sinew_pictures_left(entry->pictures) > 0) return;
  sinew_pictures_end(entry->pictures);
  entry->pictures = NULL;
}

/* Once for each upload of a model. */
static void tell_halved(const gpu_models *g, const gpu_entry *entry) {
  int largest = 0, count = sinew_pictures_halved(entry->pictures, &largest);
  if (count == 0) return;
  sinew_image_view image = sinew_model_image(entry->model, largest);
  sinew_log(SINEW_LOG_WARNING,
            "%s: %d of its pictures, '%.100s' (%d x %d) among them, are shown smaller, because all together may have "
            "%d million texels (--texels allows more)",
            sinew_model_path(entry->model), count, image.name, image.width, image.height, (int)(g->most_texels >> 20));
}

static void begin_pictures(const gpu_models *g, gpu_entry *entry) {
  uint64_t used = 0;
  for (int i = 0; i < g->count; i++) used += g->entries[i].texels;
  entry->pictures = sinew_pictures_begin(entry->model, used < g->most_texels ? g->most_texels - used : 1, NULL);
  if (!entry->pictures) return;
  entry->texels = sinew_pictures_texels(entry->pictures);
  tell_halved(g, entry);
}

static sinew_joint_extent *measure(const sinew_model *model) {
  sinew_joint_extent *extents = mem_alloc((size_t)sinew_model_palette_count(model) * sizeof *extents);
  if (extents) sinew_joint_extents(&(sinew_joint_extents_job){.model = model, .output = extents});
  return extents;
}

/* In a window, a part for each frame. A model that fails is not drawn. */
static void send_part(const gpu_models *g, gpu_entry *entry, sinew_renderer *renderer, sinew_error *error) {
  enum { PART = 16 << 20 };
  if (!entry->made || sinew_gpu_model_left(entry->made) == 0 ||
      sinew_gpu_model_continue(renderer, entry->made, entry->model, g->waits ? SIZE_MAX : PART, error))
    return;
  sinew_gpu_model_destroy(renderer, entry->made);
  entry->made = NULL;
}

const gpu_entry *gpu_models_use(gpu_models *g, sinew_renderer *renderer, sinew_model *model, int64_t frame,
                                sinew_error *error) {
  if (error) error->message[0] = '\0';
  gpu_entry *entry = find(g, model);
  if (!entry) {
    entry = array_grow((void **)&g->entries, &g->count, &g->capacity, sizeof *entry);
    if (!entry) {
      error_memory(error, sinew_model_path(model), sizeof *entry);
      return NULL;
    }
    entry->model = sinew_model_retain(model);
    entry->extents = measure(model);
    entry->used_in = frame - 1;
  }
  if (!entry->is_tried && !g->stays_off) {
    entry->is_tried = true;
    entry->made = sinew_gpu_model_begin(renderer, model, error);
    if (entry->made) begin_pictures(g, entry);
  }
  if (entry->used_in != frame) send_part(g, entry, renderer, error);
  if (entry->used_in != frame || g->waits) take_pictures(g, entry, renderer);
  entry->used_in = frame;
  return entry->made || g->stays_off ? entry : NULL;
}

static void drop(gpu_models *g, sinew_renderer *renderer, int index) {
  if (g->entries[index].made) sinew_gpu_model_destroy(renderer, g->entries[index].made);
  mem_free(g->entries[index].extents);
  sinew_pictures_end(g->entries[index].pictures);
  sinew_model_release(g->entries[index].model);
  g->entries[index] = g->entries[--g->count];
}

void gpu_models_sweep(gpu_models *g, sinew_renderer *renderer, int64_t frame) {
  for (int i = g->count - 1; i >= 0; i--)
    if (g->entries[i].used_in != frame) drop(g, renderer, i);
}

static void show_joint(const gpu_entry *entry, const char *name) {
  int joint = sinew_model_find_joint(entry->model, name), count = sinew_model_joint_count(entry->model);
  float *weights = joint >= 0 ? mem_alloc_zeroed((size_t)count * sizeof *weights) : NULL;
  if (weights) weights[joint] = 1;
  sinew_gpu_model_show_weights(entry->made, weights);
  mem_free(weights);
}

void gpu_models_show_joint(gpu_models *g, const char *joint) {
  for (int i = 0; i < g->count; i++)
    if (g->entries[i].made) show_joint(&g->entries[i], joint);
}

void gpu_models_show_mask(gpu_models *g, const sinew_model *model, const float *joint_weights) {
  for (int i = 0; i < g->count; i++)
    if (g->entries[i].made)
      sinew_gpu_model_show_weights(g->entries[i].made, g->entries[i].model == model ? joint_weights : NULL);
}

void gpu_models_release(gpu_models *g, sinew_renderer *renderer) {
  while (g->count > 0) drop(g, renderer, g->count - 1);
  mem_free(g->entries);
  *g = (gpu_models){0};
}
