#include "host/host.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

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
