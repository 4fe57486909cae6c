#include "import/raw/tangents.h"

#include "import/raw/streams.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

static const sinew_texture *normal_map(const raw_model *raw, const raw_mesh *mesh) {
  bool has_material = mesh->material >= 0 && mesh->material < raw->material_count;
  return has_material ? raw->materials[mesh->material].textures + SINEW_TEXTURE_NORMAL : NULL;
}

static const float *map_uvs(const raw_mesh *mesh, const sinew_texture *map) {
  return map->uv_set == 1 ? mesh->uvs2 : mesh->uvs;
}

bool wants_tangents(const raw_model *raw, const raw_mesh *mesh) {
  const sinew_texture *map = normal_map(raw, mesh);
  return map && map->image >= 0 && mesh->normals && !mesh->tangents && map_uvs(mesh, map);
}

/* ---- vectors ---- */

static void subtract(const float *a, const float *b, float *out) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static float dot(const float *a, const float *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Projects a vector onto the plane of a unit normal, and normalises it; false if nothing is left. */
static bool flatten(float *v, const float *normal) {
  float along = dot(v, normal);
  for (int k = 0; k < 3; k++) v[k] -= along * normal[k];
  float length = sqrtf(dot(v, v));
  if (!(length > 1e-20f)) return false;
  for (int k = 0; k < 3; k++) v[k] /= length;
  return true;
}

/* ---- triangles ---- */

/* The position of a vertex in the normal map. */
static void look_up(const raw_mesh *mesh, const sinew_texture *map, uint32_t vertex, double *out) {
  static const float none[6];
  const float *uv = map_uvs(mesh, map) + 2 * (size_t)vertex, *t = map->transform;
  double u = (double)uv[0], v = (double)uv[1];
  bool moved = memcmp(t, none, sizeof none) != 0;
  out[0] = moved ? (double)t[0] * u + (double)t[1] * v + (double)t[2] : u;
  out[1] = moved ? (double)t[3] * u + (double)t[4] * v + (double)t[5] : v;
}

/* The direction in which u grows. Returns a negative number if the picture is mirrored, 0 if its coordinates have no
 * area. */
static int find_direction(const raw_mesh *mesh, const sinew_texture *map, const uint32_t *t, float *direction) {
  float a[3], b[3];
  double uv0[2], uv1[2], uv2[2];
  look_up(mesh, map, t[0], uv0);
  look_up(mesh, map, t[1], uv1);
  look_up(mesh, map, t[2], uv2);
  subtract(mesh->positions + 3 * (size_t)t[1], mesh->positions + 3 * (size_t)t[0], a);
  subtract(mesh->positions + 3 * (size_t)t[2], mesh->positions + 3 * (size_t)t[0], b);
  double u1 = uv1[0] - uv0[0], u2 = uv2[0] - uv0[0];
  double v1 = uv0[1] - uv1[1], v2 = uv0[1] - uv2[1]; /* up in the picture */
  double area = u1 * v2 - u2 * v1;
  if (area == 0 || !isfinite(area)) return 0;
  double sign = area < 0 ? -1 : 1;
  double full[3], length = 0;
  for (int k = 0; k < 3; k++) {
    full[k] = sign * ((double)a[k] * v2 - (double)b[k] * v1);
    length += full[k] * full[k];
  }
  if (!(length > 0) || !isfinite(length)) return 0;
  for (int k = 0; k < 3; k++) direction[k] = (float)(full[k] / sqrt(length));
  return area < 0 ? -1 : 1;
}

/* The angle at a corner, between its edges projected across the normal. */
static float corner_angle(const raw_mesh *mesh, uint32_t at, uint32_t next, uint32_t last, const float *normal) {
  float a[3], b[3];
  subtract(mesh->positions + 3 * (size_t)next, mesh->positions + 3 * (size_t)at, a);
  subtract(mesh->positions + 3 * (size_t)last, mesh->positions + 3 * (size_t)at, b);
  if (!flatten(a, normal) || !flatten(b, normal)) return 0;
  return float_acos(fminf(fmaxf(dot(a, b), -1), 1));
}

/* ---- vertices between mirrored and unmirrored triangles ---- */

enum { PLAIN = 1, MIRRORED = 2 };

/* Gives the corners of mirrored triangles separate vertices if unmirrored ones use them, too. */
static bool split_seams(raw_model *raw, raw_mesh *mesh, const int8_t *sides) {
  int before = mesh->vertex_count, count = 0;
  uint8_t *uses = raw_alloc(raw, (size_t)before, 1);
  uint32_t *copies = raw_alloc(raw, (size_t)before, sizeof *copies);
  uint32_t *sources = raw_alloc(raw, (size_t)before, sizeof *sources);
  if (!uses || !copies || !sources) return false;
  for (int i = 0; i < mesh->index_count; i++)
    uses[mesh->indices[i]] |= (uint8_t)(sides[i / 3] > 0 ? PLAIN : sides[i / 3] < 0 ? MIRRORED : 0);
  for (int v = 0; v < before; v++) {
    if (uses[v] != (PLAIN | MIRRORED)) continue;
    copies[v] = (uint32_t)(before + count);
    sources[count++] = (uint32_t)v;
  }
  if (count == 0) return true;
  for (int i = 0; i < mesh->index_count; i++)
    if (sides[i / 3] < 0 && copies[mesh->indices[i]]) mesh->indices[i] = copies[mesh->indices[i]];
  return append_vertices(raw, mesh, sources, count);
}

/* ---- all ---- */

static void add_corners(raw_mesh *mesh, const uint32_t *t, int side, const float *direction) {
  for (int k = 0; k < 3; k++) {
    const float *normal = mesh->normals + 3 * (size_t)t[k];
    float *sum = mesh->tangents + 4 * (size_t)t[k], flat[3];
    memcpy(flat, direction, sizeof flat);
    if (!flatten(flat, normal)) continue;
    float angle = corner_angle(mesh, t[k], t[(k + 1) % 3], t[(k + 2) % 3], normal);
    for (int c = 0; c < 3; c++) sum[c] += angle * flat[c];
    sum[3] = (float)side;
  }
}

/* Where no direction is known, any one across the normal will do. */
static void finish(raw_mesh *mesh) {
  for (size_t v = 0; v < (size_t)mesh->vertex_count; v++) {
    float *t = mesh->tangents + 4 * v;
    const float *n = mesh->normals + 3 * v;
    if (t[3] == 0) t[3] = 1;
    if (flatten(t, n)) continue;
    int least = fabsf(n[0]) <= fabsf(n[1]) && fabsf(n[0]) <= fabsf(n[2]) ? 0 : fabsf(n[1]) <= fabsf(n[2]) ? 1 : 2;
    for (int k = 0; k < 3; k++) t[k] = k == least ? 1.0f : 0.0f;
    flatten(t, n);
  }
}

bool make_tangents(raw_model *raw, raw_mesh *mesh) {
  int triangles = mesh->index_count / 3;
  const sinew_texture *map = normal_map(raw, mesh);
  int8_t *sides = raw_alloc(raw, (size_t)triangles, sizeof *sides);
  float *directions = raw_alloc(raw, (size_t)triangles * 3, sizeof *directions);
  if (!sides || !directions) return false;
  for (int i = 0; i < triangles; i++)
    sides[i] = (int8_t)find_direction(mesh, map, mesh->indices + 3 * (size_t)i, directions + 3 * (size_t)i);
  if (!split_seams(raw, mesh, sides)) return false;
  mesh->tangents = raw_alloc(raw, (size_t)mesh->vertex_count * 4, sizeof *mesh->tangents);
  for (int i = 0; mesh->tangents && i < triangles; i++)
    if (sides[i]) add_corners(mesh, mesh->indices + 3 * (size_t)i, sides[i], directions + 3 * (size_t)i);
  if (mesh->tangents) finish(mesh);
  return mesh->tangents != NULL;
}
