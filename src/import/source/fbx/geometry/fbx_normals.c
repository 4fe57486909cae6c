#include "import/source/fbx/geometry/fbx_element.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

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
