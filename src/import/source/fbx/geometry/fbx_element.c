#include "import/source/fbx/geometry/fbx_element.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

/* ---- polygons ---- */

static bool count_polygons(const int32_t *indices, size_t count, size_t *polygons) {
  *polygons = 0;
  for (size_t i = 0; i < count; i++) *polygons += indices[i] < 0;
  if (count && indices[count - 1] >= 0) ++*polygons; /* the last polygon is not closed */
  return count < UINT32_MAX / 4;
}

bool fbx_polygons_read(fbx_scene *scene, const fbx_record *geometry, size_t point_count, fbx_polygons *p) {
  *p = (fbx_polygons){.point_count = point_count};
  if (!fbx_int32s(scene->file, fbx_child(geometry, "PolygonVertexIndex"), &p->points, &p->corner_count)) return false;
  if (!count_polygons(p->points, p->corner_count, &p->count))
    return error_set(scene->raw->error, "%s: a mesh has too many polygons", scene->raw->path);
  p->first = mem_alloc_array(p->count + 1, sizeof *p->first);
  if (!p->first) return error_memory(scene->raw->error, scene->raw->path, p->count * sizeof *p->first);
  size_t polygon = 0;
  for (size_t i = 0; i < p->corner_count; i++) {
    bool last = p->points[i] < 0;
    if (last) p->points[i] = ~p->points[i];
    if (last) p->first[++polygon] = (uint32_t)(i + 1);
  }
  p->first[p->count] = (uint32_t)p->corner_count;
  return true;
}

void fbx_polygons_free(fbx_polygons *p) {
  mem_free(p->points);
  mem_free(p->first);
}

bool fbx_polygon_is_good(const fbx_polygons *p, size_t polygon) {
  for (uint32_t c = p->first[polygon]; c < p->first[polygon + 1]; c++)
    if ((size_t)p->points[c] >= p->point_count) return false;
  return p->first[polygon + 1] - p->first[polygon] >= 3;
}

/* ---- elements ---- */

/* Old writers say "by polygon" but mean by corner. */
static fbx_mapping find_mapping(const fbx_record *element, size_t count, const fbx_polygons *p) {
  const fbx_record *mapping = fbx_child(element, "MappingInformationType");
  if (fbx_says(mapping, 0, "ByVertice") || fbx_says(mapping, 0, "ByVertex")) return FBX_BY_POINT;
  if (fbx_says(mapping, 0, "ByPolygon"))
    return count == p->corner_count && count != p->count ? FBX_BY_CORNER : FBX_BY_POLYGON;
  if (fbx_says(mapping, 0, "ByEdge")) return FBX_BY_EDGE;
  return fbx_says(mapping, 0, "AllSame") ? FBX_ALL_SAME : FBX_BY_CORNER;
}

bool fbx_element_read(fbx_scene *scene, const fbx_record *geometry, const char *name, const char *data,
                      const char *index, int width, const fbx_polygons *polygons, fbx_element *e) {
  const fbx_record *record = fbx_child(geometry, name);
  *e = (fbx_element){.width = width};
  if (!record || fbx_says(fbx_child(record, "MappingInformationType"), 0, "NoMappingInformation")) return true;
  size_t numbers;
  if (!fbx_floats(scene->file, fbx_child(record, data), &e->values, &numbers) ||
      !fbx_int32s(scene->file, fbx_child(record, index), &e->indices, &e->index_count))
    return false;
  e->value_count = numbers / (size_t)width;
  e->mapping = find_mapping(record, e->indices ? e->index_count : e->value_count, polygons);
  return true;
}

void fbx_element_free(fbx_element *e) {
  mem_free(e->values);
  mem_free(e->indices);
}

/* The index of a corner's value; `value_count` if there is none. */
static size_t fbx_element_index(const fbx_element *e, const fbx_polygons *p, size_t polygon, size_t corner) {
  size_t at = corner;
  if (e->mapping == FBX_BY_EDGE) return e->value_count;
  if (e->mapping == FBX_BY_POINT) at = (size_t)p->points[corner];
  if (e->mapping == FBX_BY_POLYGON) at = polygon;
  if (e->mapping == FBX_ALL_SAME) at = 0;
  if (e->indices) {
    if (at >= e->index_count || e->indices[at] < 0) return e->value_count;
    at = (size_t)e->indices[at];
  }
  return at < e->value_count ? at : e->value_count;
}

const float *fbx_element_at(const fbx_element *e, const fbx_polygons *p, size_t polygon, size_t corner) {
  size_t index = fbx_element_index(e, p, polygon, corner);
  return index < e->value_count ? e->values + index * (size_t)e->width : NULL;
}

/* ---- fbx triangulate ---- */

/* Cutting ears takes quadratic time: larger polygons are cut as a fan. */
enum { MOST_CORNERS = 256 };

typedef struct flat_polygon {
  size_t count;
  uint32_t corners[MOST_CORNERS];
  double x[MOST_CORNERS], y[MOST_CORNERS]; /* in the polygon's plane, counter-clockwise */
} flat_polygon;

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
static void flatten(const fbx_polygons *p, const double *positions, uint32_t first, uint32_t end, flat_polygon *flat) {
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

static double side(const flat_polygon *f, size_t a, size_t b, size_t c) {
  return (f->x[b] - f->x[a]) * (f->y[c] - f->y[a]) - (f->y[b] - f->y[a]) * (f->x[c] - f->x[a]);
}

static bool is_ear(const flat_polygon *f, size_t before, size_t at, size_t after) {
  if (side(f, before, at, after) <= 0) return false;
  for (size_t i = 0; i < f->count; i++) {
    if (i == before || i == at || i == after) continue;
    if (side(f, before, at, i) >= 0 && side(f, at, after, i) >= 0 && side(f, after, before, i) >= 0) return false;
  }
  return true;
}

static void drop(flat_polygon *f, size_t at) {
  size_t behind = f->count - at - 1;
  memmove(f->corners + at, f->corners + at + 1, behind * sizeof *f->corners);
  memmove(f->x + at, f->x + at + 1, behind * sizeof *f->x);
  memmove(f->y + at, f->y + at + 1, behind * sizeof *f->y);
  f->count--;
}

/* If no corner is an ear, as in a self-intersecting polygon, any will do. */
static size_t find_ear(const flat_polygon *f) {
  for (size_t i = 0; i < f->count; i++)
    if (is_ear(f, (i + f->count - 1) % f->count, i, (i + 1) % f->count)) return i;
  return 0;
}

static size_t put(uint32_t *out, uint32_t a, uint32_t b, uint32_t c) {
  memcpy(out, (uint32_t[]){a, b, c}, 3 * sizeof *out);
  return 3;
}

static size_t cut_ears(flat_polygon *f, uint32_t *out) {
  size_t n = 0;
  while (f->count > 3) {
    size_t i = find_ear(f), before = (i + f->count - 1) % f->count, after = (i + 1) % f->count;
    n += put(out + n, f->corners[before], f->corners[i], f->corners[after]);
    drop(f, i);
  }
  return n + put(out + n, f->corners[0], f->corners[1], f->corners[2]);
}

static bool is_convex(const flat_polygon *f) {
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
  flat_polygon flat;
  if (end - first <= 3 || end - first > MOST_CORNERS) return fan(first, end, out);
  flatten(p, positions, first, end, &flat);
  return is_convex(&flat) ? fan(first, end, out) : cut_ears(&flat, out);
}

/* ---- fbx normals ---- */

/* Corners that share a normal are a set: a forest in which each corner points to another of its set. */
typedef struct sets {
  uint32_t *parent;
} sets;

static uint32_t find_set(const sets *s, uint32_t corner) {
  while (s->parent[corner] != corner) corner = s->parent[corner] = s->parent[s->parent[corner]];
  return corner;
}

static void join(const sets *s, uint32_t a, uint32_t b) {
  a = find_set(s, a), b = find_set(s, b);
  if (a < b) s->parent[b] = a;
  else s->parent[a] = b;
}

/* The corners around each point, as lists. */
typedef struct around {
  uint32_t *first, *next; /* 1 + corner, or 0 */
} around;

static bool list_corners(const fbx_polygons *p, around *a) {
  a->first = mem_alloc_array(p->point_count + 1, sizeof *a->first);
  a->next = mem_alloc_array(p->corner_count + 1, sizeof *a->next);
  for (size_t c = p->corner_count; a->first && a->next && c-- > 0;) {
    if ((size_t)p->points[c] >= p->point_count) continue;
    a->next[c] = a->first[p->points[c]];
    a->first[p->points[c]] = (uint32_t)c + 1;
  }
  return a->first && a->next;
}

static uint32_t next_corner(const fbx_polygons *p, const uint32_t *polygon_of, uint32_t corner) {
  uint32_t polygon = polygon_of[corner];
  return corner + 1 < p->first[polygon + 1] ? corner + 1 : p->first[polygon];
}

/* Joins the corners at both ends of each smooth edge that two polygons share. */
static void join_over_edges(const fbx_polygons *p, const around *a, const uint32_t *polygon_of, const uint8_t *hard,
                            const sets *s) {
  for (uint32_t c = 0; c < p->corner_count; c++) {
    uint32_t d = next_corner(p, polygon_of, c);
    if (hard[c] || (size_t)p->points[d] >= p->point_count || (size_t)p->points[c] >= p->point_count) continue;
    int limit = 64; /* of polygons around a point that are examined */
    for (uint32_t e = a->first[p->points[d]]; e && limit--; e = a->next[e - 1]) {
      uint32_t other = e - 1, behind = next_corner(p, polygon_of, other);
      if (other == d || p->points[behind] != p->points[c] || hard[other]) continue;
      join(s, d, other);
      join(s, c, behind);
    }
  }
}

/* An edge is identified by the corner at its beginning. */
static bool mark_hard(fbx_scene *scene, const fbx_record *geometry, const fbx_element *smoothing, uint8_t *hard,
                      size_t corner_count) {
  int32_t *edges;
  size_t count;
  if (!fbx_int32s(scene->file, fbx_child(geometry, "Edges"), &edges, &count)) return false;
  for (size_t i = 0; i < count && i < smoothing->value_count; i++)
    if (edges[i] >= 0 && (size_t)edges[i] < corner_count && smoothing->values[i] == 0) hard[edges[i]] = 1;
  mem_free(edges);
  return true;
}

/* Floats cannot hold the bits of all 32 groups; integers can. */
typedef struct groups {
  const fbx_element *smoothing;
  int64_t *bits;
  size_t count;
} groups;

static uint32_t groups_at(const groups *g, const fbx_polygons *p, uint32_t polygon, uint32_t corner) {
  size_t index = fbx_element_index(g->smoothing, p, polygon, corner);
  return index < g->count ? (uint32_t)g->bits[index] : 0;
}

/* Faces with a common group are smooth where they meet; a face without a group is flat. */
static void join_groups(const fbx_polygons *p, const around *a, const uint32_t *polygon_of, const groups *g,
                        const sets *s) {
  for (size_t point = 0; point < p->point_count; point++)
    for (uint32_t c = a->first[point]; c; c = a->next[c - 1]) {
      uint32_t own = groups_at(g, p, polygon_of[c - 1], c - 1);
      int limit = 64;
      for (uint32_t d = a->next[c - 1]; own && d && limit--; d = a->next[d - 1]) {
        if (own & groups_at(g, p, polygon_of[d - 1], d - 1)) join(s, c - 1, d - 1);
      }
    }
}

static void join_all(const fbx_polygons *p, const around *a, const sets *s) {
  for (size_t point = 0; point < p->point_count; point++)
    for (uint32_t c = a->first[point]; c; c = a->next[c - 1]) join(s, a->first[point] - 1, c - 1);
}

/* Twice the polygon's area, along its normal. */
static void face_normal(const fbx_polygons *p, size_t polygon, const double *positions, double n[3]) {
  const double *o = positions + 3 * (size_t)p->points[p->first[polygon]];
  n[0] = n[1] = n[2] = 0;
  for (uint32_t c = p->first[polygon] + 1; c + 1 < p->first[polygon + 1]; c++) {
    const double *a = positions + 3 * (size_t)p->points[c], *b = positions + 3 * (size_t)p->points[c + 1];
    for (int k = 0; k < 3; k++) {
      int i = (k + 1) % 3, j = (k + 2) % 3;
      n[k] += (a[i] - o[i]) * (b[j] - o[j]) - (a[j] - o[j]) * (b[i] - o[i]);
    }
  }
}

static void sum_normals(const fbx_polygons *p, const double *positions, const sets *s, double *normals) {
  for (size_t polygon = 0; polygon < p->count; polygon++) {
    double n[3];
    if (!fbx_polygon_is_good(p, polygon)) continue;
    face_normal(p, polygon, positions, n);
    for (uint32_t c = p->first[polygon]; c < p->first[polygon + 1]; c++)
      for (int k = 0; k < 3; k++) normals[3 * (size_t)find_set(s, c) + (size_t)k] += n[k];
  }
  for (uint32_t c = (uint32_t)p->corner_count; c-- > 0;) /* the first corner of a set holds its sum, so it comes last */
    memmove(normals + 3 * (size_t)c, normals + 3 * (size_t)find_set(s, c), 3 * sizeof *normals);
}

static bool join_corners(fbx_scene *scene, const fbx_record *geometry, const fbx_polygons *p, const around *a,
                         const uint32_t *polygon_of, const sets *s) {
  fbx_element smoothing = {0};
  uint8_t *hard = mem_alloc_array(p->corner_count + 1, 1);
  bool joined = hard && fbx_element_read(scene, geometry, "LayerElementSmoothing", "Smoothing", "SmoothingIndex", 1, p,
                                         &smoothing);
  if (joined && smoothing.value_count && smoothing.mapping == FBX_BY_EDGE) {
    joined = mark_hard(scene, geometry, &smoothing, hard, p->corner_count);
    join_over_edges(p, a, polygon_of, hard, s);
  } else if (joined && smoothing.value_count) {
    groups g = {.smoothing = &smoothing};
    joined = fbx_int64s(scene->file, fbx_child(fbx_child(geometry, "LayerElementSmoothing"), "Smoothing"), &g.bits,
                        &g.count);
    if (joined) join_groups(p, a, polygon_of, &g, s);
    mem_free(g.bits);
  } else if (joined) {
    join_all(p, a, s);
  }
  fbx_element_free(&smoothing);
  if (!hard) error_memory(scene->raw->error, scene->raw->path, p->corner_count);
  mem_free(hard);
  return joined;
}

double *fbx_make_normals(fbx_scene *scene, const fbx_record *geometry, const fbx_polygons *p, const double *positions) {
  sets s = {mem_alloc_array(p->corner_count + 1, sizeof *s.parent)};
  uint32_t *polygon_of = mem_alloc_array(p->corner_count + 1, sizeof *polygon_of);
  double *normals = mem_alloc_array(3 * p->corner_count + 1, sizeof *normals);
  around a = {0};
  bool ready = list_corners(p, &a) && s.parent && polygon_of && normals;
  for (size_t polygon = 0; ready && polygon < p->count; polygon++)
    for (uint32_t c = p->first[polygon]; c < p->first[polygon + 1]; c++) {
      s.parent[c] = c;
      polygon_of[c] = (uint32_t)polygon;
    }
  if (!ready) error_memory(scene->raw->error, scene->raw->path, p->corner_count * sizeof *normals);
  bool made = ready && join_corners(scene, geometry, p, &a, polygon_of, &s);
  if (made) sum_normals(p, positions, &s, normals);
  mem_free(s.parent);
  mem_free(polygon_of);
  mem_free(a.first);
  mem_free(a.next);
  if (made) return normals;
  mem_free(normals);
  return NULL;
}
