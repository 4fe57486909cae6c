#include "import/source/fbx/geometry/fbx_element.h"

#include <math.h>
#include <string.h>

/* Cutting ears takes quadratic time: larger polygons are cut as a fan. */
enum { MOST_CORNERS = 256 };

typedef struct polygon {
  size_t count;
  uint32_t corners[MOST_CORNERS];
  double x[MOST_CORNERS], y[MOST_CORNERS]; /* in the polygon's plane, counter-clockwise */
} polygon;

static const double *position(const fbx_polygons *p, const double *positions, uint32_t corner) {
  return positions + 3 * (size_t)p->points[corner];
}

/* Newell's normal: of any polygon, flat or not. */
static void find_normal(const fbx_polygons *p, const double *positions, uint32_t first, uint32_t end, double n[3]) {
  n[0] = n[1] = n[2] = 0;
  for (uint32_t c = first; c < end; c++) {
    const double *a = position(p, positions, c), *b = position(p, positions, c + 1 < end ? c + 1 : first);
    for (int k = 0; k < 3; k++) {
      int i = (k + 1) % 3, j = (k + 2) % 3;
      n[k] += (a[i] - b[i]) * (a[j] + b[j]);
    }
  }
}

/* Drops the axis along which the polygon is thinnest. */
static void flatten(const fbx_polygons *p, const double *positions, uint32_t first, uint32_t end, polygon *flat) {
  double n[3];
  find_normal(p, positions, first, end, n);
  int axis = fabs(n[0]) > fabs(n[1]) ? (fabs(n[0]) > fabs(n[2]) ? 0 : 2) : (fabs(n[1]) > fabs(n[2]) ? 1 : 2);
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  double sign = n[axis] < 0 ? -1 : 1;
  flat->count = end - first;
  for (uint32_t c = first; c < end; c++) {
    const double *at = position(p, positions, c);
    flat->corners[c - first] = c;
    flat->x[c - first] = at[i] * sign;
    flat->y[c - first] = at[j];
  }
}

static double side(const polygon *f, size_t a, size_t b, size_t c) {
  return (f->x[b] - f->x[a]) * (f->y[c] - f->y[a]) - (f->y[b] - f->y[a]) * (f->x[c] - f->x[a]);
}

static bool is_ear(const polygon *f, size_t before, size_t at, size_t after) {
  if (side(f, before, at, after) <= 0) return false;
  for (size_t i = 0; i < f->count; i++) {
    if (i == before || i == at || i == after) continue;
    if (side(f, before, at, i) >= 0 && side(f, at, after, i) >= 0 && side(f, after, before, i) >= 0) return false;
  }
  return true;
}

static void drop(polygon *f, size_t at) {
  size_t behind = f->count - at - 1;
  memmove(f->corners + at, f->corners + at + 1, behind * sizeof *f->corners);
  memmove(f->x + at, f->x + at + 1, behind * sizeof *f->x);
  memmove(f->y + at, f->y + at + 1, behind * sizeof *f->y);
  f->count--;
}

/* If no corner is an ear, as in a self-intersecting polygon, any will do. */
static size_t find_ear(const polygon *f) {
  for (size_t i = 0; i < f->count; i++)
    if (is_ear(f, (i + f->count - 1) % f->count, i, (i + 1) % f->count)) return i;
  return 0;
}

static size_t put(uint32_t *out, uint32_t a, uint32_t b, uint32_t c) {
  memcpy(out, (uint32_t[]){a, b, c}, 3 * sizeof *out);
  return 3;
}

static size_t cut_ears(polygon *f, uint32_t *out) {
  size_t n = 0;
  while (f->count > 3) {
    size_t i = find_ear(f), before = (i + f->count - 1) % f->count, after = (i + 1) % f->count;
    n += put(out + n, f->corners[before], f->corners[i], f->corners[after]);
    drop(f, i);
  }
  return n + put(out + n, f->corners[0], f->corners[1], f->corners[2]);
}

static bool is_convex(const polygon *f) {
  for (size_t i = 0; i < f->count; i++)
    if (side(f, i, (i + 1) % f->count, (i + 2) % f->count) < 0) return false;
  return true;
}

static size_t fan(uint32_t first, uint32_t end, uint32_t *out) {
  size_t n = 0;
  for (uint32_t c = first + 1; c + 1 < end; c++) n += put(out + n, first, c, c + 1);
  return n;
}

size_t fbx_triangulate(const fbx_polygons *p, size_t index, const double *positions, uint32_t *out) {
  uint32_t first = p->first[index], end = p->first[index + 1];
  polygon flat;
  if (end - first <= 3 || end - first > MOST_CORNERS) return fan(first, end, out);
  flatten(p, positions, first, end, &flat);
  return is_convex(&flat) ? fan(first, end, out) : cut_ears(&flat, out);
}
