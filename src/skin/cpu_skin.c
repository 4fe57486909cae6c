#include "math/float_env.h"
#include "model/model.h"
#include "skin/kernels.h"

#include <string.h>

const char *sinew_cpu_skin_check(const sinew_cpu_skin_job *job) {
  if (!job->model) return "cpu skin: the model is missing";
  if (job->mesh < 0 || job->mesh >= job->model->mesh_count) return "cpu skin: there is no such mesh";
  if (!job->palette == !job->dual_quats)
    return "cpu skin: one of the palette and the dual quaternions has to be given, and not both";
  if (job->tangents && !job->model->meshes[job->mesh].tangents) return "cpu skin: the mesh has no tangents";
  return NULL;
}

static void add_scaled(float *sum, float s, const float *values) {
  for (int c = 0; c < 3; c++) sum[c] += s * values[c];
}

static void add_morphs(const sinew_cpu_skin_job *job, const sinew_mesh_view *mesh, int v, float *position,
                       float *normal) {
  for (int i = 0; i < mesh->morph_count; i++) {
    const sinew_morph_view *morph = mesh->morphs + i;
    if (job->morph_weights[i] == 0) continue;
    add_scaled(position, job->morph_weights[i], morph->positions + 3 * v);
    if (morph->normals) add_scaled(normal, job->morph_weights[i], morph->normals + 3 * v);
  }
}

/* The arrays of a mesh from one vertex on. */
static skin_vertices vertices_from(const sinew_cpu_skin_job *job, const sinew_mesh_view *mesh, int first, int count) {
  int base = job->model->skins[mesh->skin].first;
  return (skin_vertices){.count = count,
                         .influences = mesh->influences,
                         .joints = mesh->joints + first * mesh->influences,
                         .weights = mesh->weights + first * mesh->influences,
                         .palette = job->palette ? job->palette + base : NULL,
                         .dual_quats = job->dual_quats ? job->dual_quats + base : NULL,
                         .in = {mesh->positions + 3 * first, mesh->normals + 3 * first,
                                mesh->tangents ? mesh->tangents + 4 * first : NULL},
                         .out = {job->positions ? job->positions + 3 * first : NULL,
                                 job->normals ? job->normals + 3 * first : NULL,
                                 job->tangents ? job->tangents + 4 * first : NULL}};
}

/* Copies up to eight vertices that are at the end of the arrays, or that morph. */
static void skin_copies(const sinew_cpu_skin_job *job, const sinew_mesh_view *mesh, int first, int count) {
  float read[SKIN_PARTS][4 * SINEW_LANES] = {{0}}, written[SKIN_PARTS][4 * SINEW_LANES];
  skin_vertices vertices = vertices_from(job, mesh, first, count), copied = vertices;
  for (int i = 0; i < SKIN_PARTS; i++) {
    if (!vertices.out[i]) continue;
    memcpy(read[i], vertices.in[i], (size_t)(count * skin_part_size[i]) * sizeof(float));
    copied.in[i] = read[i];
    copied.out[i] = written[i];
  }
  for (int v = 0; job->morph_weights && v < count; v++)
    add_morphs(job, mesh, first + v, read[0] + 3 * v, read[1] + 3 * v);
  skin_kernels_current()->skin(copied);
  for (int i = 0; i < SKIN_PARTS; i++)
    if (vertices.out[i]) memcpy(vertices.out[i], written[i], (size_t)(count * skin_part_size[i]) * sizeof(float));
}

bool sinew_cpu_skin(const sinew_cpu_skin_job *job) {
  if (sinew_cpu_skin_check(job)) return false;
  const sinew_mesh_view *mesh = job->model->meshes + job->mesh;
  int count = mesh->vertex_count, first = job->morph_weights ? 0 : count / SINEW_LANES * SINEW_LANES;
  uint64_t before = float_env_enter();
  if (first > 0) skin_kernels_current()->skin(vertices_from(job, mesh, 0, first));
  for (; first < count; first += SINEW_LANES)
    skin_copies(job, mesh, first, count - first < SINEW_LANES ? count - first : SINEW_LANES);
  float_env_leave(before);
  return true;
}
