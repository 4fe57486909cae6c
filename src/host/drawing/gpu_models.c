#include "host/drawing/gpu_models.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "host/host.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* A scene has a handful of models, so a search is short enough. */
static gpu_entry *find(gpu_models *g, const sinew_model *model) {
  for (int i = 0; i < g->count; i++)
    if (g->entries[i].model == model) return &g->entries[i];
  return NULL;
}

/* Uploads one image per frame, so that a window does not stall; without a window, all of them. */
static void take_pictures(const gpu_models *g, gpu_entry *entry, sinew_renderer *renderer) {
  sinew_picture image;
  sinew_error error;
  bool more = entry->pictures && entry->made && sinew_gpu_model_left(entry->made) == 0;
  while (more && sinew_pictures_left(entry->pictures) > 0) {
    bool came = sinew_pictures_next(entry->pictures, g->waits ? 1 : 0, &image, &error);
    if (came && (!image.rgba || !sinew_gpu_model_set_picture(renderer, entry->made, &image, &error)))
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

/* ---- the vertices of a frame's actors, skinned on the CPU ---- */

static size_t numbers_of(const sinew_mesh_view *mesh) {
  return (size_t)mesh->vertex_count * (mesh->tangents ? 3 + 3 + 4 : 3 + 3);
}

bool skinned_reserve(skinned *s, const sinew_stage *stage) {
  size_t numbers = 0;
  int meshes = 0;
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) {
    const sinew_model *model = sinew_actor_model(stage, sinew_stage_actor(stage, i));
    meshes += sinew_model_mesh_count(model);
    for (int m = 0; m < sinew_model_mesh_count(model); m++) {
      sinew_mesh_view mesh = sinew_model_mesh(model, m);
      numbers += numbers_of(&mesh);
    }
  }
  s->mesh_count = s->number_count = 0;
  return numbers <= INT_MAX && array_reserve((void **)&s->meshes, &s->mesh_capacity, meshes, sizeof *s->meshes) &&
         array_reserve((void **)&s->numbers, &s->number_capacity, (int)numbers, sizeof *s->numbers);
}

static bool add_mesh(skinned *s, sinew_cpu_skin_job *job) {
  sinew_mesh_view mesh = sinew_model_mesh(job->model, job->mesh);
  size_t vertices = (size_t)mesh.vertex_count, numbers = numbers_of(&mesh);
  if (s->mesh_count == s->mesh_capacity || numbers > (size_t)(s->number_capacity - s->number_count)) return false;
  job->positions = s->numbers + s->number_count;
  job->normals = job->positions + vertices * 3;
  job->tangents = mesh.tangents ? job->normals + vertices * 3 : NULL;
  s->number_count += (int)numbers;
  s->meshes[s->mesh_count++] = (sinew_skinned_mesh){job->positions, job->normals, job->tangents};
  return sinew_cpu_skin(job);
}

const sinew_skinned_mesh *skinned_add(skinned *s, const sinew_model *model, const sinew_mat3x4 *palette,
                                      const sinew_dual_quat *dual_quats, const float *const *morph_weights) {
  int first = s->mesh_count;
  for (int mesh = 0; mesh < sinew_model_mesh_count(model); mesh++) {
    sinew_cpu_skin_job job = {.model = model, .mesh = mesh, .morph_weights = morph_weights[mesh]};
    if (dual_quats) job.dual_quats = dual_quats;
    else job.palette = palette;
    if (!add_mesh(s, &job)) return NULL;
  }
  return s->meshes + first;
}

void skinned_release(skinned *s) {
  mem_free(s->meshes);
  mem_free(s->numbers);
  *s = (skinned){0};
}

/* ---- which ---- */

static const char *const names[] = {"vertex", "feedback", "compute", "cpu"}; /* as sinew_skin_stage, and one more */
enum { NAMES = SINEW_SKIN_STAGE_COUNT + 1 };

static sinew_skin_stage stage_of(const sinew_host *host) {
  return host->renderer ? sinew_renderer_skin_stage(host->renderer) : host->skin_stage;
}

static bool has(const sinew_host *host, int which) {
  if (which != SINEW_SKIN_COMPUTE) return true;
  sinew_skin_stage now = stage_of(host);
  return host->renderer && sinew_renderer_set_skin_stage(host->renderer, SINEW_SKIN_COMPUTE, NULL) &&
         sinew_renderer_set_skin_stage(host->renderer, now, NULL);
}

const char *sinew_host_skinner_name(const sinew_host *host, int index) {
  for (int i = 0; i < NAMES; i++)
    if (has(host, i) && index-- == 0) return names[i];
  return NULL;
}

const char *sinew_host_skinner(const sinew_host *host) {
  return host->skins_on_cpu ? names[NAMES - 1] : names[stage_of(host)];
}

static bool refuse(const sinew_host *host, const char *name, sinew_error *error) {
  char all[64] = "";
  for (int i = 0; i < NAMES; i++)
    if (has(host, i)) snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", all[0] ? ", " : "", names[i]);
  return error_set(error, "no skinner '%s' on this machine; there are %s", name, all);
}

bool sinew_host_set_skinner(sinew_host *host, const char *name, sinew_error *error) {
  int which = 0;
  while (which < NAMES && strcmp(names[which], name) != 0) which++;
  if (which == NAMES || !has(host, which)) return refuse(host, name, error);
  host->skins_on_cpu = which == NAMES - 1;
  if (host->skins_on_cpu) return true;
  host->skin_stage = (sinew_skin_stage)which;
  return !host->renderer || sinew_renderer_set_skin_stage(host->renderer, host->skin_stage, error);
}
