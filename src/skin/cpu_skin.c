#include "math/float_env.h"
#include "math/quat.h"
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

static sinew_quat rotation_of(const sinew_dual_quat *d) {
  return (sinew_quat){d->rotation[0], d->rotation[1], d->rotation[2], d->rotation[3]};
}

static sinew_quat add_quat(sinew_quat a, float s, sinew_quat b) {
  return (sinew_quat){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w};
}

/* 2 × the dual part */
static sinew_quat dual_of(const sinew_dual_quat *d) {
  return sinew_quat_multiply((sinew_quat){d->translation[0], d->translation[1], d->translation[2], 0}, rotation_of(d));
}

/* The matrix that sinew_dual_quat's formulas for a vertex come to. */
static sinew_mat3x4 blend_dual_quats(const sinew_mesh_view *mesh, const sinew_dual_quat *palette, int v) {
  sinew_quat real = {0, 0, 0, 0}, dual = {0, 0, 0, 0};
  sinew_mat3x4 stretch = {{0}};
  const uint16_t *joints = mesh->joints + v * mesh->influences;
  const float *weights = mesh->weights + v * mesh->influences;
  int heaviest = 0;
  for (int k = 1; k < mesh->influences; k++)
    if (weights[k] > weights[heaviest]) heaviest = k;
  sinew_quat reference = rotation_of(palette + joints[heaviest]);
  for (int k = 0; k < mesh->influences; k++) {
    const sinew_dual_quat *d = palette + joints[k];
    float s = quat_dot(rotation_of(d), reference) < 0 ? -weights[k] : weights[k];
    real = add_quat(real, s, rotation_of(d));
    dual = add_quat(dual, s, dual_of(d));
    const float rows[12] = {d->xx, d->xy,        d->xz, d->offset[0], d->xy, d->yy,
                            d->yz, d->offset[1], d->xz, d->yz,        d->zz, d->offset[2]};
    for (int e = 0; e < 12; e++) stretch.m[e] += weights[k] * rows[e];
  }
  sinew_quat t = sinew_quat_multiply(dual, quat_conjugate(real));
  float inverse = 1 / quat_dot(real, real);
  sinew_transform rigid = {{t.x * inverse, t.y * inverse, t.z * inverse}, real, {1, 1, 1}};
  sinew_mat3x4 matrix = sinew_mat3x4_from_transform(&rigid);
  return sinew_mat3x4_multiply(&matrix, &stretch);
}

/* ---- blocks of vertices ---- */

static void add_morphs(const sinew_cpu_skin_job *job, const sinew_mesh_view *mesh, int v, float *position,
                       float *normal) {
  for (int i = 0; i < mesh->morph_count; i++) {
    const sinew_morph_view *morph = mesh->morphs + i;
    if (job->morph_weights[i] == 0) continue;
    add_scaled(position, job->morph_weights[i], morph->positions + 3 * v);
    if (morph->normals) add_scaled(normal, job->morph_weights[i], morph->normals + 3 * v);
  }
}

/* A block is read where it lies, except that a row is read as four floats: the last one of a mesh is copied, and so is
 * one that morphs. */
static void point_at(const sinew_cpu_skin_job *job, const sinew_mesh_view *mesh, int first, int count,
                     skin_block *block) {
  bool copies = job->morph_weights || first + SINEW_LANES >= mesh->vertex_count;
  block->stride = copies ? 4 : 3;
  block->position = copies ? block->copies[0][0] : mesh->positions + 3 * first;
  block->normal = copies ? block->copies[1][0] : mesh->normals + 3 * first;
  block->tangent = job->tangents ? copies ? block->copies[2][0] : mesh->tangents + 4 * first : NULL;
  for (int lane = 0; copies && lane < count; lane++) {
    int v = first + lane;
    memcpy(block->copies[0][lane], mesh->positions + 3 * v, 3 * sizeof(float));
    memcpy(block->copies[1][lane], mesh->normals + 3 * v, 3 * sizeof(float));
    if (job->morph_weights) add_morphs(job, mesh, v, block->copies[0][lane], block->copies[1][lane]);
    if (job->tangents) memcpy(block->copies[2][lane], mesh->tangents + 4 * v, 4 * sizeof(float));
  }
}

static void blend_block(const sinew_cpu_skin_job *job, const sinew_mesh_view *mesh, int first, int count,
                        skin_block *block) {
  int base = job->model->skins[mesh->skin].first, n = mesh->influences;
  if (job->palette)
    skin_kernels_current()->blend(job->palette + base, mesh->joints + first * n, mesh->weights + first * n, n, count,
                                  block);
  for (int lane = 0; !job->palette && lane < count; lane++) {
    sinew_mat3x4 m = blend_dual_quats(mesh, job->dual_quats + base, first + lane);
    memcpy(block->matrix[lane], m.m, sizeof m.m);
  }
}

static void write_block(const sinew_cpu_skin_job *job, const sinew_mesh_view *mesh, int first, int count,
                        const skin_block *block) {
  for (int lane = 0; job->positions && lane < count; lane++)
    memcpy(job->positions + 3 * (first + lane), block->out[0][lane], 3 * sizeof(float));
  for (int lane = 0; job->normals && lane < count; lane++)
    memcpy(job->normals + 3 * (first + lane), block->out[1][lane], 3 * sizeof(float));
  for (int lane = 0; job->tangents && lane < count; lane++) {
    float *tangent = job->tangents + 4 * (first + lane);
    memcpy(tangent, block->out[2][lane], 3 * sizeof(float));
    tangent[3] = mesh->tangents[4 * (first + lane) + 3];
  }
}

bool sinew_cpu_skin(const sinew_cpu_skin_job *job) {
  if (sinew_cpu_skin_check(job)) return false;
  const sinew_mesh_view *mesh = job->model->meshes + job->mesh;
  uint64_t before = float_env_enter();
  skin_block block = {.normals = job->normals != NULL};
  for (int first = 0; first < mesh->vertex_count; first += SINEW_LANES) {
    int left = mesh->vertex_count - first, count = left < SINEW_LANES ? left : SINEW_LANES;
    point_at(job, mesh, first, count, &block);
    blend_block(job, mesh, first, count, &block);
    skin_kernels_current()->skin(&block);
    write_block(job, mesh, first, count, &block);
  }
  float_env_leave(before);
  return true;
}
