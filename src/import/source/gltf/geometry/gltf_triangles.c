/* Triangles from lists, strips and fans, with and without indices (glTF 2.0, 3.7.2.1). */
#include "import/source/gltf/geometry/gltf_mesh.h"

#include <limits.h>
#include <string.h>

enum { LIST = 4, STRIP = 5, FAN = 6 };

/* Finds the corners of triangle `i` in the sequence of vertices. */
static void corners_of(int mode, size_t i, size_t corner[3]) {
  size_t odd = mode == STRIP ? i & 1 : 0;
  corner[0] = mode == LIST ? 3 * i : mode == FAN ? 0 : i;
  corner[1] = mode == LIST ? 3 * i + 1 : i + 1 + odd;
  corner[2] = mode == LIST ? 3 * i + 2 : i + 2 - odd;
}

/* Always a list. */
static bool read_draco_indices(gltf_primitive *p, uint32_t **sequence, size_t *count) {
  *count = (size_t)draco_index_count(p->draco);
  *sequence = gltf_spend(p->g, *count, 1) ? raw_alloc(p->g->raw, *count, sizeof **sequence) : NULL;
  if (*sequence) draco_indices(p->draco, *sequence);
  return *sequence != NULL;
}

/* The order in which vertices are drawn; NULL for the order in which they are stored. False when memory runs out or the
 * indices are broken. */
static bool read_sequence(gltf_primitive *p, uint32_t **sequence, size_t *count) {
  gltf *g = p->g;
  gltf_elements indices;
  *sequence = NULL;
  *count = (size_t)p->file_count;
  if (p->draco) return read_draco_indices(p, sequence, count);
  if (!gltf_member(p->json, "indices")) return true;
  if (!gltf_accessor(g, gltf_index(p->json, "indices", g->accessors.count), &indices)) return false;
  *count = indices.width == 1 ? (size_t)indices.count : 0;
  if (*count == 0) return raw_note(g->raw, "mesh '%s': its indices are broken: not shown", p->mesh->name);
  *sequence = gltf_integers(g, &indices, NULL, *count);
  return *sequence != NULL;
}

static size_t triangle_count(int mode, size_t vertices) {
  return mode == LIST ? vertices / 3 : vertices < 3 ? 0 : vertices - 2;
}

bool gltf_read_corners(gltf_primitive *p, uint32_t **corners, int *count) {
  const cJSON *mode_json = gltf_member(p->json, "mode");
  int mode = mode_json && !p->draco ? gltf_index(p->json, "mode", FAN + 1) : LIST, missing = 0;
  uint32_t *sequence;
  size_t length;
  *corners = NULL;
  *count = 0;
  if (!read_sequence(p, &sequence, &length)) return false;
  size_t triangles = triangle_count(mode, length);
  if (triangles == 0 || triangles > INT_MAX / 4) return true;
  *corners = raw_alloc(p->g->raw, triangles * 3, sizeof **corners);
  for (size_t i = 0; *corners && i < triangles; i++) {
    size_t corner[3];
    uint32_t *to = *corners + *count;
    bool inside = true;
    corners_of(mode, i, corner);
    for (int k = 0; k < 3; k++) {
      to[k] = sequence ? sequence[corner[k]] : (uint32_t)corner[k];
      inside = inside && to[k] < (uint32_t)p->file_count;
    }
    if (inside) *count += 3;
    missing += !inside;
  }
  return *corners &&
         (!missing ||
          raw_note_count(
              p->g->raw, missing,
              "mesh '%s': %d {triangle dropped that names|triangles dropped that name} vertices that do not exist",
              p->mesh->name, missing));
}

/* ---- which vertices ---- */

/* Numbers the used vertices in the file's order. */
static int number_used(uint32_t *numbers, int file_count, const uint32_t *corners, int count) {
  int used = 0;
  for (int i = 0; i < count; i++) numbers[corners[i]] = 1;
  for (int v = 0; v < file_count; v++)
    if (numbers[v]) numbers[v] = (uint32_t)++used;
  return used;
}

/* Primitives often share one array of vertices, of which each uses a part. */
static bool keep_used(gltf_primitive *p, uint32_t *corners, int count) {
  raw_model *raw = p->g->raw;
  uint32_t *numbers = raw_alloc(raw, (size_t)p->file_count, sizeof *numbers);
  if (!numbers) return false;
  int used = number_used(numbers, p->file_count, corners, count);
  p->mesh->vertex_count = used;
  if (used == p->file_count) return true;
  uint32_t *which = raw_alloc(raw, (size_t)used, sizeof *which);
  if (!which) return false;
  for (int v = 0; v < p->file_count; v++)
    if (numbers[v]) which[numbers[v] - 1] = (uint32_t)v;
  for (int i = 0; i < count; i++) corners[i] = numbers[corners[i]] - 1;
  p->which = which;
  return true;
}

bool gltf_choose_vertices(gltf_primitive *p, uint32_t *corners, int count) {
  raw_mesh *mesh = p->mesh;
  mesh->index_count = count;
  mesh->indices = corners;
  mesh->welded = p->has_normals && (p->draco || gltf_member(p->json, "indices"));
  if (p->has_normals) return keep_used(p, corners, count);
  p->which = corners;
  mesh->vertex_count = count;
  mesh->indices = raw_alloc(p->g->raw, (size_t)count, sizeof *mesh->indices);
  for (int i = 0; mesh->indices && i < count; i++) mesh->indices[i] = (uint32_t)i;
  return mesh->indices != NULL;
}
