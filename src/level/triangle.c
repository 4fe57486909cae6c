#include "level/triangle.h"

/* The point of a triangle nearest to p (Ericson 2005, Real-Time Collision Detection, 5.1.5). */
static sinew_vec3 nearest_to_point(const triangle *t, sinew_vec3 p) {
  sinew_vec3 ab = vec3_sub(t->b, t->a), ac = vec3_sub(t->c, t->a), ap = vec3_sub(p, t->a);
  float d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return t->a;
  sinew_vec3 bp = vec3_sub(p, t->b);
  float d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return t->b;
  float vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return vec3_add_scaled(t->a, d1 / (d1 - d3), ab);
  sinew_vec3 cp = vec3_sub(p, t->c);
  float d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return t->c;
  float vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return vec3_add_scaled(t->a, d2 / (d2 - d6), ac);
  float va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return vec3_add_scaled(t->b, (d4 - d3) / (d4 - d3 + d5 - d6), vec3_sub(t->c, t->b));
  float scale = 1 / (va + vb + vc);
  return vec3_add_scaled(vec3_add_scaled(t->a, vb * scale, ab), vc * scale, ac);
}

static float within(float x, float least, float most) { return x < least ? least : x > most ? most : x; }

/* The nearest points of two segments (Ericson 2005, 5.1.9); `apart` leads from the first to the second. */
static nearest between_segments(sinew_vec3 p, sinew_vec3 p_to, sinew_vec3 q, sinew_vec3 q_to) {
  sinew_vec3 d = vec3_sub(p_to, p), e = vec3_sub(q_to, q), r = vec3_sub(p, q);
  float dd = vec3_dot(d, d), ee = vec3_dot(e, e), de = vec3_dot(d, e), dr = vec3_dot(d, r), er = vec3_dot(e, r);
  float s = 0, t = 0, cross = dd * ee - de * de;
  if (dd > 0) {
    s = cross > 1e-7f * dd * ee ? within((de * er - dr * ee) / cross, 0, 1) : 0;
    t = ee > 0 ? within((de * s + er) / ee, 0, 1) : 0;
    s = within((de * t - dr) / dd, 0, 1);
  } else if (ee > 0) t = within(er / ee, 0, 1);
  sinew_vec3 on_p = vec3_add_scaled(p, s, d);
  return (nearest){on_p, vec3_sub(vec3_add_scaled(q, t, e), on_p)};
}

/* Whether the segment passes through the inside of the triangle. */
static bool passes(const triangle *t, sinew_vec3 from, sinew_vec3 to, sinew_vec3 *at) {
  sinew_vec3 ab = vec3_sub(t->b, t->a), ac = vec3_sub(t->c, t->a), normal = vec3_cross(ab, ac);
  float before = vec3_dot(vec3_sub(from, t->a), normal), after = vec3_dot(vec3_sub(to, t->a), normal);
  if (before * after >= 0) return false;
  *at = vec3_lerp(from, to, before / (before - after));
  sinew_vec3 p = vec3_sub(*at, t->a);
  float area = vec3_dot(normal, normal), v = vec3_dot(vec3_cross(p, ac), normal),
        w = vec3_dot(vec3_cross(ab, p), normal);
  return v >= 0 && w >= 0 && v + w <= area;
}

static void take_nearer(nearest *best, float *least, nearest other) {
  float square = vec3_dot(other.apart, other.apart);
  if (square < *least) *least = square, *best = other;
}

nearest triangle_nearest(const triangle *t, sinew_vec3 from, sinew_vec3 to) {
  sinew_vec3 on = nearest_to_point(t, from);
  nearest best = {on, vec3_sub(from, on)};
  float least = vec3_dot(best.apart, best.apart);
  if (from.x == to.x && from.y == to.y && from.z == to.z) return best;
  if (passes(t, from, to, &on)) return (nearest){on, {0, 0, 0}};
  on = nearest_to_point(t, to);
  take_nearer(&best, &least, (nearest){on, vec3_sub(to, on)});
  take_nearer(&best, &least, between_segments(t->a, t->b, from, to));
  take_nearer(&best, &least, between_segments(t->b, t->c, from, to));
  take_nearer(&best, &least, between_segments(t->c, t->a, from, to));
  return best;
}

sinew_vec3 triangle_normal(const triangle *t) {
  return vec3_unit(vec3_cross(vec3_sub(t->b, t->a), vec3_sub(t->c, t->a)), (sinew_vec3){0, 0, 0});
}
