#include "math/float_env.h"
#include "math/quat.h"
#include "model/model.h"

#include <math.h>

const char *sinew_cpu_skin_check(const sinew_cpu_skin_job *job) {
  if (!job->model) return "cpu skin: the model is missing";
  if (job->mesh < 0 || job->mesh >= job->model->mesh_count) return "cpu skin: there is no such mesh";
  if (!job->palette == !job->dual_quats)
    return "cpu skin: one of the palette and the dual quaternions has to be given, and not both";
  if (job->tangents && !job->model->meshes[job->mesh].tangents) return "cpu skin: the mesh has no tangents";
  return NULL;
}

typedef struct vertex {
  sinew_vec3 position, normal;
} vertex;

static sinew_vec3 read3(const float *values, int i) {
  return (sinew_vec3){values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}

static sinew_vec3 add_scaled(sinew_vec3 a, float s, sinew_vec3 b) {
  return (sinew_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static vertex morph(const sinew_mesh_view *mesh, const float *weights, int v) {
  vertex result = {read3(mesh->positions, v), read3(mesh->normals, v)};
  for (int i = 0; weights && i < mesh->morph_count; i++) {
    if (weights[i] == 0) continue;
    result.position = add_scaled(result.position, weights[i], read3(mesh->morphs[i].positions, v));
    if (mesh->morphs[i].normals)
      result.normal = add_scaled(result.normal, weights[i], read3(mesh->morphs[i].normals, v));
  }
  return result;
}

static sinew_mat3x4 blend_matrices(const sinew_mesh_view *mesh, const sinew_mat3x4 *palette, int v) {
  sinew_mat3x4 sum = {{0}};
  for (int k = 0; k < mesh->influences; k++) {
    float weight = mesh->weights[v * mesh->influences + k];
    if (weight == 0) continue;
    const float *m = palette[mesh->joints[v * mesh->influences + k]].m;
    for (int e = 0; e < 12; e++) sum.m[e] += weight * m[e];
  }
  return sum;
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

static void write_unit(float *out, sinew_vec3 v) {
  float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
  float s = length > 0 ? 1 / length : 0;
  out[0] = v.x * s;
  out[1] = v.y * s;
  out[2] = v.z * s;
}

/* The cofactor matrix is det · (M⁻¹)ᵀ: the transform of normals up to a length, also where M has no inverse. Its sign
 * follows the determinant, so a mirrored matrix needs it turned back. */
static sinew_vec3 transform_normal(const sinew_mat3x4 *matrix, sinew_vec3 n) {
  const float *m = matrix->m;
  sinew_vec3 x = {m[0], m[4], m[8]}, y = {m[1], m[5], m[9]}, z = {m[2], m[6], m[10]};
  sinew_vec3 yz = {y.y * z.z - y.z * z.y, y.z * z.x - y.x * z.z, y.x * z.y - y.y * z.x};
  sinew_vec3 zx = {z.y * x.z - z.z * x.y, z.z * x.x - z.x * x.z, z.x * x.y - z.y * x.x};
  sinew_vec3 xy = {x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x};
  float determinant = x.x * yz.x + x.y * yz.y + x.z * yz.z;
  sinew_vec3 sum = add_scaled(add_scaled(add_scaled((sinew_vec3){0, 0, 0}, n.x, yz), n.y, zx), n.z, xy);
  return determinant < 0 ? (sinew_vec3){-sum.x, -sum.y, -sum.z} : sum;
}

static sinew_vec3 transform_vector(const sinew_mat3x4 *matrix, const float *v) {
  const float *m = matrix->m;
  return (sinew_vec3){m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[4] * v[0] + m[5] * v[1] + m[6] * v[2],
                      m[8] * v[0] + m[9] * v[1] + m[10] * v[2]};
}

bool sinew_cpu_skin(const sinew_cpu_skin_job *job) {
  if (sinew_cpu_skin_check(job)) return false;
  const sinew_mesh_view *mesh = job->model->meshes + job->mesh;
  int first = job->model->skins[mesh->skin].first;
  uint64_t before = float_env_enter();
  for (int v = 0; v < mesh->vertex_count; v++) {
    vertex source = morph(mesh, job->morph_weights, v);
    sinew_mat3x4 matrix = job->palette ? blend_matrices(mesh, job->palette + first, v)
                                       : blend_dual_quats(mesh, job->dual_quats + first, v);
    if (job->positions) {
      sinew_vec3 p = sinew_mat3x4_transform_point(&matrix, source.position);
      job->positions[3 * v] = p.x;
      job->positions[3 * v + 1] = p.y;
      job->positions[3 * v + 2] = p.z;
    }
    if (job->normals) write_unit(job->normals + 3 * v, transform_normal(&matrix, source.normal));
    if (!job->tangents) continue;
    write_unit(job->tangents + 4 * v, transform_vector(&matrix, mesh->tangents + 4 * v));
    job->tangents[4 * v + 3] = mesh->tangents[4 * v + 3];
  }
  float_env_leave(before);
  return true;
}
