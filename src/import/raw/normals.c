#include "import/raw/normals.h"

#include <math.h>
#include <string.h>

/* The unit normal of a triangle; up if it has no area. `more`, or NULL, is added to the positions. */
static void triangle_normal(const float *positions, const float *more, float normal[3]) {
  double corner[9], a[3], b[3];
  for (int i = 0; i < 9; i++) corner[i] = (double)positions[i] + (more ? (double)more[i] : 0);
  for (int k = 0; k < 3; k++) {
    a[k] = corner[3 + k] - corner[k];
    b[k] = corner[6 + k] - corner[k];
  }
  double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  bool has_area = length > 0 && isfinite(length);
  /* + 0 turns −0 into 0, so that corners of one plane can be joined */
  for (int k = 0; k < 3; k++) normal[k] = has_area ? (float)(n[k] / length) + 0.0f : k == 1 ? 1.0f : 0.0f;
}

static float *make(raw_model *raw, const raw_mesh *mesh, const float *more) {
  float *normals = raw_alloc(raw, (size_t)mesh->vertex_count * 3, sizeof *normals);
  for (size_t i = 0; normals && i + 2 < (size_t)mesh->vertex_count; i += 3) {
    float *to = normals + 3 * i;
    triangle_normal(mesh->positions + 3 * i, more ? more + 3 * i : NULL, to);
    memcpy(to + 3, to, 3 * sizeof *to);
    memcpy(to + 6, to, 3 * sizeof *to);
  }
  return normals;
}

bool flat_normals(raw_model *raw, raw_mesh *mesh) {
  mesh->normals = make(raw, mesh, NULL);
  return mesh->normals != NULL;
}

bool flat_morph_normals(raw_model *raw, const raw_mesh *mesh, raw_morph *morph) {
  morph->normals = make(raw, mesh, morph->positions);
  for (size_t i = 0; morph->normals && i < (size_t)mesh->vertex_count * 3; i++) morph->normals[i] -= mesh->normals[i];
  return morph->normals != NULL;
}

/* ---- inside out ---- */

/* A fraction of all triangles; the others are seams and slivers. */
static const double nearly_all = 0.95;

static void find_center(const raw_mesh *mesh, double center[3]) {
  const float *at = mesh->positions;
  for (int i = 0; i < mesh->vertex_count; i++, at += 3)
    for (int k = 0; k < 3; k++) center[k] += (double)at[k] / mesh->vertex_count;
}

/* Twice the triangle's area along its normal; `at` gets a corner, from the center. */
static void area_vector(const raw_mesh *mesh, const uint32_t *corners, const double *center, double *at, double *area) {
  const float *p = mesh->positions + 3 * (size_t)corners[0], *q = mesh->positions + 3 * (size_t)corners[1];
  const float *r = mesh->positions + 3 * (size_t)corners[2];
  double a[3], b[3];
  for (int k = 0; k < 3; k++) {
    at[k] = (double)p[k] - center[k];
    a[k] = (double)q[k] - (double)p[k];
    b[k] = (double)r[k] - (double)p[k];
  }
  for (int k = 0; k < 3; k++) area[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Whether triangles face outwards but nearly all normals point inwards. */
static bool are_inside_out(const raw_mesh *mesh) {
  double center[3] = {0}, volume = 0;
  int against = 0, with = 0;
  find_center(mesh, center);
  for (int i = 0; i + 2 < mesh->index_count; i += 3) {
    const uint32_t *corners = mesh->indices + i;
    const float *normal = mesh->normals + 3 * (size_t)corners[0];
    double at[3], area[3], along = 0;
    area_vector(mesh, corners, center, at, area);
    for (int k = 0; k < 3; k++) {
      volume += at[k] * area[k];
      along += (double)normal[k] * area[k];
    }
    against += along < 0;
    with += along > 0;
  }
  return volume > 0 && against > nearly_all * (against + with);
}

static void negate(float *values, int vertex_count) {
  for (size_t i = 0; values && i < 3 * (size_t)vertex_count; i++) values[i] = -values[i];
}

bool normals_point_out(raw_mesh *mesh) {
  if (!are_inside_out(mesh)) return false;
  negate(mesh->normals, mesh->vertex_count);
  for (int i = 0; i < mesh->morph_count; i++) negate(mesh->morphs[i].normals, mesh->vertex_count);
  /* the bitangent, normal × tangent · w, must not change */
  for (int i = 0; mesh->tangents && i < mesh->vertex_count; i++) mesh->tangents[4 * (size_t)i + 3] *= -1;
  return true;
}
