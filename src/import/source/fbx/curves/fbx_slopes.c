/* Tangents of keys: given by the user, by tension, continuity and bias (Kochanek and Bartels 1984), or found from the
 * neighbours ("auto", with clamping and bias). The slope of the left side is written with the key before. */
#include "import/source/fbx/curves/fbx_curve.h"

#include <math.h>

static const float third = 1.0f / 3;

/* A key with its neighbours. `a` and `b` are the slopes of the chords on the left and on the right. */
typedef struct around {
  bool has_left, has_right;
  double a, b;        /* change per second */
  double left, right; /* seconds to the neighbours */
  double down, up;    /* value − the left one's; the right one's − value */
} around;

static double seconds_between(const fbx_curve *curve, int from, int to) {
  return ((double)curve->keys[to].time - (double)curve->keys[from].time) / curve->ticks;
}

static double value_of(const fbx_curve *curve, int i) { return (double)curve->keys[i].value; }

static around look_around(const fbx_curve *curve, int i) {
  around n = {.has_left = i > 0, .has_right = i + 1 < curve->key_count};
  if (n.has_left) {
    n.left = seconds_between(curve, i - 1, i);
    n.down = value_of(curve, i) - value_of(curve, i - 1);
    n.a = n.down / n.left;
  }
  if (n.has_right) {
    n.right = seconds_between(curve, i, i + 1);
    n.up = value_of(curve, i + 1) - value_of(curve, i);
    n.b = n.up / n.right;
  }
  return n;
}

/* ---- tension, continuity, bias ---- */

static void solve_tcb(const around *n, const float *tcb, fbx_key *key) {
  double t = (double)tcb[0], c = (double)tcb[1], b = (double)tcb[2], k = n->has_left && n->has_right ? 0.5 : 1;
  key->slope_left = (float)(k * ((1 - t) * (1 + b) * (1 - c) * n->a + (1 - t) * (1 - b) * (1 + c) * n->b));
  key->slope_right = (float)(k * ((1 - t) * (1 + b) * (1 + c) * n->a + (1 - t) * (1 - b) * (1 - c) * n->b));
}

/* ---- auto ---- */

/* More than 5 % of bias overshoots the chord. */
static double overpull(double q, double towards) {
  return q > 5 ? 40 * (q - 5) * (q - 5) * (towards > 0 ? 1 : towards < 0 ? -1 : 0) : 0;
}

static double clamp_progressively(double slope, const around *n, double weight_left, double weight_right) {
  double sign = slope < 0 ? -1 : 1;
  double most_left = fmax(0, sign * n->a) / fmax(weight_left, 1e-6);
  double most_right = fmax(0, sign * n->b) / fmax(weight_right, 1e-6);
  return sign * fmin(fabs(slope), fmin(most_left, most_right));
}

static double auto_inner(const around *n, const fbx_key *key, double bias, uint32_t flags) {
  if (flags & FBX_KEY_CLAMP && fmin(fabs(n->down), fabs(n->up)) <= 0) return 0;
  double slope = (n->down + n->up) / (n->left + n->right);
  if (!(flags & FBX_KEY_TIME_INDEPENDENT)) {
    double part = n->left / (n->left + n->right), q = fabs(bias) / 100;
    slope = 0.5 * slope + 0.5 * (n->a * (1 - part) + n->b * part);
    double difference = (bias > 0 ? n->b : n->a) - slope;
    slope += difference * q + overpull(q, fabs(difference) < 1e-5 ? bias : difference);
  }
  if (flags & FBX_KEY_CLAMP_PROGRESSIVE)
    slope = clamp_progressively(slope, n, (double)key->weight_left, (double)key->weight_right);
  return slope;
}

/* At a first or last key: along the chord. */
static double auto_end(const around *n, double bias, uint32_t flags) {
  double slope = n->has_left ? n->a : n->b, difference = n->has_left ? n->down : n->up;
  if (flags & FBX_KEY_CLAMP_PROGRESSIVE || (flags & FBX_KEY_CLAMP && difference == 0)) return 0;
  return flags & FBX_KEY_TIME_INDEPENDENT ? slope : slope + overpull(fabs(bias) / 100, bias);
}

/* In the file, biases are stored where user tangents have slopes; key->slope_left comes from the key before. */
static void solve_auto(const around *n, const fbx_attributes *own, fbx_key *key) {
  double right = (double)own->data[0], left = (double)key->slope_left;
  if (!n->has_left || !n->has_right) {
    bool alone = !n->has_left && !n->has_right;
    key->slope_left = key->slope_right = alone ? 0 : (float)auto_end(n, n->has_left ? -left : right, own->flags);
    return;
  }
  key->slope_right = (float)auto_inner(n, key, right, own->flags);
  key->slope_left = fabs(left + right) <= 1e-4 ? key->slope_right : (float)auto_inner(n, key, -left, own->flags);
}

/* ---- all keys ---- */

static fbx_segment segment_of(uint32_t flags) {
  if (flags & FBX_KEY_CONSTANT) return flags & FBX_KEY_AUTO ? FBX_CONSTANT_NEXT : FBX_CONSTANT;
  return flags & FBX_KEY_CUBIC ? FBX_CUBIC : FBX_LINEAR;
}

static void solve_cubic(const around *n, const fbx_attributes *own, fbx_key *key, float *next_slope,
                        float *next_weight) {
  key->weight_right = own->weight_right;
  *next_weight = own->weight_next_left;
  key->slope_right = own->data[0];
  *next_slope = own->data[1];
  if (own->flags & FBX_KEY_TCB) {
    solve_tcb(n, own->data, key);
    *next_slope = 0;
    *next_weight = third;
  } else if (own->flags & FBX_KEY_AUTO && !(own->flags & FBX_KEY_USER)) {
    solve_auto(n, own, key);
  }
}

void fbx_find_slopes(fbx_curve *curve, const fbx_attributes *attributes) {
  float next_slope = 0, next_weight = third;
  for (int i = 0; i < curve->key_count; i++) {
    fbx_key *key = curve->keys + i;
    around n = look_around(curve, i);
    key->segment = (uint8_t)segment_of(attributes[i].flags);
    key->slope_left = next_slope;
    key->weight_left = next_weight;
    key->weight_right = next_weight = third;
    key->slope_right = next_slope = key->segment == FBX_LINEAR && n.has_right ? (float)n.b : 0;
    if (key->segment == FBX_CUBIC) solve_cubic(&n, attributes + i, key, &next_slope, &next_weight);
    if (!isfinite(key->slope_left)) key->slope_left = 0;
    if (!isfinite(key->slope_right)) key->slope_right = 0;
  }
}
