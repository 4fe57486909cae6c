#include "actor/graph/blend_space.h"

#include <sinew/graph.h>

#include <math.h>
#include <string.h>

static void clear(float *weights, int count) { memset(weights, 0, (size_t)count * sizeof *weights); }

/* ---- one dimension ---- */

void space_weights_1d(const space_point *points, int count, double x, float *weights) {
  int below = -1, above = -1;
  clear(weights, count);
  for (int i = 0; i < count; i++) {
    double at = points[i].x;
    if (at <= x && (below < 0 || at > points[below].x)) below = i;
    if (at > x && (above < 0 || at < points[above].x)) above = i;
  }
  if (below < 0 && above < 0) return;
  if (below < 0 || above < 0) {
    weights[below < 0 ? above : below] = 1;
    return;
  }
  double fraction = (x - points[below].x) / (points[above].x - points[below].x);
  weights[above] = (float)fraction;
  weights[below] = 1 - weights[above];
}

/* ---- triangulation ---- */

typedef struct edge {
  uint8_t a, b;
} edge;

/* Twice the signed area. */
static double area(space_point a, space_point b, space_point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Positive where d is inside of the circle through a, b, c, which turn to the left (Guibas and Stolfi 1985). */
static double in_circle(space_point a, space_point b, space_point c, space_point d) {
  double ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
  double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
  return ax * (by * cc - bb * cy) - ay * (bx * cc - bb * cx) + aa * (bx * cy - by * cx);
}

/* Cocircular points, up to rounding, must be outside the circle for all triangles: if they were inside for some, holes
 * would overlap. */
static const double rounding = 1e-13;

/* Removes the triangles whose circumcircle holds the point, and returns the edges of the resulting hole. */
static int open_hole(const space_point *p, space_triangulation *t, space_point at, edge *hole) {
  int edges = 0;
  for (int i = t->count - 1; i >= 0; i--) {
    uint8_t *c = t->corners[i];
    if (in_circle(p[c[0]], p[c[1]], p[c[2]], at) <= rounding) continue;
    for (int k = 0; k < 3; k++) {
      edge mine = {c[k], c[(k + 1) % 3]};
      int twin = 0;
      while (twin < edges && !(hole[twin].a == mine.b && hole[twin].b == mine.a)) twin++;
      if (twin < edges) hole[twin] = hole[--edges];
      else hole[edges++] = mine;
    }
    memcpy(c, t->corners[--t->count], sizeof t->corners[0]);
  }
  return edges;
}

static bool is_repeated(const space_point *points, int index) {
  for (int i = 0; i < index; i++)
    if (points[i].x == points[index].x && points[i].y == points[index].y) return true;
  return false;
}

/* Scales into a square of side 1, so that rounding has a known size. */
static double unit_scale(const space_point *points, int count, space_point *low) {
  space_point high = *low = points[0];
  for (int i = 1; i < count; i++) {
    *low = (space_point){fmin(low->x, points[i].x), fmin(low->y, points[i].y)};
    high = (space_point){fmax(high.x, points[i].x), fmax(high.y, points[i].y)};
  }
  double size = fmax(high.x - low->x, high.y - low->y);
  return size > 0 ? 1 / size : 0;
}

static void drop_slivers(const space_point *p, int count, space_triangulation *t) {
  for (int i = t->count - 1; i >= 0; i--) {
    const uint8_t *c = t->corners[i];
    bool outer = c[0] >= count || c[1] >= count || c[2] >= count;
    if (outer || area(p[c[0]], p[c[1]], p[c[2]]) < 1e-9) memcpy(t->corners[i], t->corners[--t->count], 3);
  }
}

/* ---- cells ---- */

/* Do two triangles share an edge, and lie on one circle? The tolerance is that of a square of side 1. */
static bool are_one_cell(const space_point *p, const uint8_t *a, const uint8_t *b) {
  static const double same_circle = 1e-9;
  int shared = 0;
  uint8_t other = b[0];
  for (int i = 0; i < 3; i++) {
    bool both = b[i] == a[0] || b[i] == a[1] || b[i] == a[2];
    shared += both;
    if (!both) other = b[i];
  }
  return shared == 2 && fabs(in_circle(p[a[0]], p[a[1]], p[a[2]], p[other])) <= same_circle;
}

/* Sorts them by their angles about their common centre. */
static void turn_left(const space_point *p, uint8_t *ring, int count) {
  space_point middle = {0, 0};
  for (int i = 0; i < count; i++) middle.x += p[ring[i]].x / count, middle.y += p[ring[i]].y / count;
  for (int i = 1; i < count; i++) {
    uint8_t item = ring[i];
    double angle = sinew_atan2(p[item].y - middle.y, p[item].x - middle.x);
    int k = i;
    for (; k > 0 && sinew_atan2(p[ring[k - 1]].y - middle.y, p[ring[k - 1]].x - middle.x) > angle; k--)
      ring[k] = ring[k - 1];
    ring[k] = item;
  }
}

static int add_corners(const uint8_t *corners, uint8_t *ring, int count) {
  for (int k = 0; k < 3; k++)
    if (!memchr(ring, corners[k], (size_t)count)) ring[count++] = corners[k];
  return count;
}

static void make_cells(const space_point *p, space_triangulation *t) {
  int group[SPACE_TRIANGLES], end = 0;
  for (int i = 0; i < t->count; i++) group[i] = i;
  for (int i = 0; i < t->count; i++)
    for (int k = 0; k < i; k++) {
      int from = group[i], to = group[k];
      if (from == to || !are_one_cell(p, t->corners[i], t->corners[k])) continue;
      for (int j = 0; j < t->count; j++)
        if (group[j] == from) group[j] = to;
    }
  for (int i = 0; i < t->count; i++) {
    uint8_t *ring = t->ring + end;
    int count = 0;
    for (int k = 0; k < t->count; k++)
      if (group[k] == i) count = add_corners(t->corners[k], ring, count);
    if (count == 0) continue;
    turn_left(p, ring, count);
    t->first[t->cells++] = (int16_t)end;
    end += count;
  }
  t->first[t->cells] = (int16_t)end;
}

/* p: points in a square of side 1, with room for the three far corners with which Bowyer and Watson begin. */
static void triangulate(space_point *p, int count, space_triangulation *t) {
  p[count] = (space_point){-1e4, -1e4};
  p[count + 1] = (space_point){2e4, -1e4};
  p[count + 2] = (space_point){-1e4, 2e4};
  for (int k = 0; k < 3; k++) t->corners[0][k] = (uint8_t)(count + k);
  t->count = 1;
  for (int i = 0; i < count; i++) {
    edge hole[3 * SPACE_TRIANGLES];
    if (is_repeated(p, i)) continue;
    int edges = open_hole(p, t, p[i], hole);
    for (int e = 0; e < edges && t->count < SPACE_TRIANGLES; e++)
      memcpy(t->corners[t->count++], (uint8_t[3]){hole[e].a, hole[e].b, (uint8_t)i}, 3);
  }
  drop_slivers(p, count, t);
}

/* ---- points beside the outermost edges ---- */

static const double flat = 0.02; /* of the square's side: a point so near to a line is on it */

static bool is_outermost(const space_triangulation *t, int triangle, uint8_t a, uint8_t b) {
  for (int i = 0; i < t->count; i++)
    if (i != triangle && memchr(t->corners[i], a, 3) && memchr(t->corners[i], b, 3)) return false;
  return true;
}

/* Moves the corner of a triangle onto the edge that it almost lies on; false if there is no such edge. */
static bool flatten(space_point *p, const space_triangulation *t, int triangle) {
  const uint8_t *c = t->corners[triangle];
  double twice = area(p[c[0]], p[c[1]], p[c[2]]);
  for (int k = 0; k < 3; k++) {
    const space_point a = p[c[k]], b = p[c[(k + 1) % 3]];
    space_point *top = p + c[(k + 2) % 3];
    double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    double along = ((top->x - a.x) * dx + (top->y - a.y) * dy) / length;
    if (twice >= flat * sqrt(length) || !(along > 0 && along < 1)) continue;
    if (!is_outermost(t, triangle, c[k], c[(k + 1) % 3])) continue;
    *top = (space_point){a.x + along * dx, a.y + along * dy};
    return true;
  }
  return false;
}

static bool flatten_any(space_point *p, const space_triangulation *t) {
  for (int i = 0; i < t->count; i++)
    if (flatten(p, t, i)) return true;
  return false;
}

/* All points that are nearly in a row come to lie on the line between the two that are farthest apart: a corner of
 * theirs would go to and fro between two edges. */
static void straighten_row(space_point *p, int count) {
  int ends[2] = {0, 0};
  double longest = 0;
  for (int a = 0; a < count; a++)
    for (int b = 0; b < a; b++) {
      double length = sinew_hypot(p[b].x - p[a].x, p[b].y - p[a].y);
      if (length > longest) longest = length, ends[0] = a, ends[1] = b;
    }
  const space_point a = p[ends[0]], b = p[ends[1]];
  for (int i = 0; i < count; i++)
    if (fabs(area(a, b, p[i])) >= flat * longest) return;
  for (int i = 0; i < count; i++) {
    double along = ((p[i].x - a.x) * (b.x - a.x) + (p[i].y - a.y) * (b.y - a.y)) / (longest * longest);
    if (i != ends[0] && i != ends[1]) p[i] = (space_point){a.x + along * (b.x - a.x), a.y + along * (b.y - a.y)};
  }
}

void space_triangulate(const space_point *points, int count, space_triangulation *out) {
  space_point p[SPACE_SAMPLES + 3], low;
  out->count = out->cells = 0;
  for (int i = 0; i < count; i++) out->points[i] = points[i];
  if (count < 3) return;
  double scale = unit_scale(points, count, &low);
  for (int i = 0; i < count; i++) p[i] = (space_point){(points[i].x - low.x) * scale, (points[i].y - low.y) * scale};
  straighten_row(p, count);
  triangulate(p, count, out);
  for (int i = 0; i < count && flatten_any(p, out); i++) triangulate(p, count, out);
  make_cells(p, out);
  for (int i = 0; i < count && scale > 0; i++)
    out->points[i] = (space_point){low.x + p[i].x / scale, low.y + p[i].y / scale};
}

/* ---- two dimensions ---- */

typedef struct nearest {
  int a, b;
  double fraction, distance; /* of b; squared */
} nearest;

static void try_edge(const space_point *points, int a, int b, double x, double y, nearest *best) {
  double dx = points[b].x - points[a].x, dy = points[b].y - points[a].y, length = dx * dx + dy * dy;
  double fraction = length > 0 ? ((x - points[a].x) * dx + (y - points[a].y) * dy) / length : 0;
  fraction = fmin(fmax(fraction, 0), 1);
  double ox = points[a].x + fraction * dx - x, oy = points[a].y + fraction * dy - y, distance = ox * ox + oy * oy;
  if (best->a < 0 || distance < best->distance) *best = (nearest){a, b, fraction, distance};
}

/* A corner's weight is the area of its own triangle times the areas of the triangles of the point with all edges that
 * do not meet there (Wachspress 1975, without the divisions): linear along edges, Σ w p = p, and independent of the
 * order of the corners. */
static bool try_cell(const space_point *points, const uint8_t *ring, int count, space_point at, float *weights) {
  double edges[SPACE_SAMPLES], own[SPACE_SAMPLES], largest = 0, sum = 0;
  for (int i = 0; i < count; i++) {
    edges[i] = area(points[ring[i]], points[ring[(i + 1) % count]], at);
    if (!(edges[i] >= 0)) return false;
    largest = fmax(largest, edges[i]);
  }
  for (int i = 0; i < count; i++) {
    int before = (i + count - 1) % count;
    own[i] = area(points[ring[before]], points[ring[i]], points[ring[(i + 1) % count]]);
    for (int k = 0; k < count; k++)
      if (k != before && k != i) own[i] *= edges[k] / largest;
    sum += own[i];
  }
  for (int i = 0; i < count && sum > 0; i++) weights[ring[i]] = (float)(own[i] / sum);
  return sum > 0;
}

static bool lies_between(const space_point *points, int count, int a, int b) {
  for (int i = 0; i < count; i++) {
    double dot = (points[i].x - points[a].x) * (points[b].x - points[i].x) +
                 (points[i].y - points[a].y) * (points[b].y - points[i].y);
    if (i != a && i != b && dot > 0) return true;
  }
  return false;
}

/* Points on one line: the segments between neighbours. */
static void try_line(const space_point *points, int count, double x, double y, nearest *best) {
  for (int a = 0; a < count; a++)
    for (int b = a; b < count; b++)
      if (a == b || !lies_between(points, count, a, b)) try_edge(points, a, b, x, y, best);
}

void space_weights_2d(const space_triangulation *t, int count, double x, double y, float *weights) {
  const space_point *points = t->points;
  nearest best = {-1, -1, 0, 0};
  clear(weights, count);
  for (int i = 0; i < t->cells; i++)
    if (try_cell(points, t->ring + t->first[i], t->first[i + 1] - t->first[i], (space_point){x, y}, weights)) return;
  for (int i = 0; i < t->count; i++)
    for (int k = 0; k < 3; k++) try_edge(points, t->corners[i][k], t->corners[i][(k + 1) % 3], x, y, &best);
  if (t->count == 0) try_line(points, count, x, y, &best);
  if (best.a < 0) return;
  weights[best.b] = (float)best.fraction;
  weights[best.a] = best.a == best.b ? 1 : 1 - weights[best.b];
}

bool sinew_space_weights(const float *positions, int count, float x, float y, float *weights) {
  space_point points[SPACE_SAMPLES];
  space_triangulation t;
  if (count < 1 || count > SPACE_SAMPLES || !isfinite(x) || !isfinite(y)) return false;
  for (int i = 0; i < count; i++) {
    points[i] = (space_point){(double)positions[2 * i], (double)positions[2 * i + 1]};
    if (!isfinite(points[i].x) || !isfinite(points[i].y)) return false;
  }
  space_triangulate(points, count, &t);
  space_weights_2d(&t, count, (double)x, (double)y, weights);
  return true;
}
