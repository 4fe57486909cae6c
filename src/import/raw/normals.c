#include "import/raw/normals.h"

#include <math.h>
#include <string.h>

/* Of unit length; up where the triangle has no area. `more` is added to the positions, or NULL. */
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
  /* + 0 makes 0 of −0, so that corners of one plane can be joined. */
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
