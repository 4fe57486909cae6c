#include "import/source/fbx/curves/fbx_curve.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

typedef struct fbx_attributes {
  uint32_t flags;
  float data[3]; /* slopes, biases, or tension, continuity and bias */
  float weight_right, weight_next_left;
} fbx_attributes;

enum {
  FBX_KEY_CONSTANT = 0x2,
  FBX_KEY_LINEAR = 0x4,
  FBX_KEY_CUBIC = 0x8,
  FBX_KEY_AUTO = 0x100, /* for a constant key: the value is the next key's */
  FBX_KEY_TCB = 0x200,
  FBX_KEY_USER = 0x400,
  FBX_KEY_CLAMP = 0x1000,
  FBX_KEY_TIME_INDEPENDENT = 0x2000,
  FBX_KEY_CLAMP_PROGRESSIVE = 0x4000,
  FBX_KEY_WEIGHTED_RIGHT = 0x1000000,
  FBX_KEY_WEIGHTED_NEXT_LEFT = 0x2000000
};

/* Tangents of keys: given by the user, by tension, continuity and bias (Kochanek and Bartels 1984), or found from the
 * neighbours ("auto", with clamping and bias). The slope of the left side is written with the key before. */

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

/* Finds the kinds, slopes and weights of keys that have times and values. */
static void fbx_find_slopes(fbx_curve *curve, const fbx_attributes *attributes) {
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

/* ---- reading ---- */

/* Reads a record's child "Pre-Extrapolation" or "Post-Extrapolation". */
static fbx_extrapolation fbx_extrapolation_of(const fbx_record *record, const char *name) {
  const fbx_record *found = fbx_child(record, name);
  char type = fbx_letter(fbx_child(found, "Type"), 0);
  fbx_extrapolation e = {'C', fbx_integer(fbx_child(found, "Repetition"), 0, -1)};
  if (type && strchr("KRMA", type) && (type == 'K' || e.count != 0)) e.type = type;
  return e;
}

typedef struct arrays {
  int64_t *times;
  double *values, *data;
  int32_t *flags, *runs;
  size_t time_count, value_count, data_count, flag_count, run_count;
  bool bits; /* data are the bits of floats, stored as integers */
} arrays;

/* From 7.2 on, text files print the floats of attributes as integers with the same bits. */
static bool are_bits(const fbx_scene *scene, const fbx_record *data) {
  return scene->file->text && scene->file->version >= 7200 && data && data->value_count &&
         data->values[0].kind == FBX_LIST && !memchr(data->values[0].bytes, '.', data->values[0].size);
}

static bool read_arrays(fbx_scene *scene, const fbx_record *r, arrays *a) {
  fbx_file *f = scene->file;
  a->bits = are_bits(scene, fbx_child(r, "KeyAttrDataFloat"));
  return fbx_int64s(f, fbx_child(r, "KeyTime"), &a->times, &a->time_count) &&
         fbx_doubles(f, fbx_child(r, "KeyValueFloat"), &a->values, &a->value_count) &&
         fbx_int32s(f, fbx_child(r, "KeyAttrFlags"), &a->flags, &a->flag_count) &&
         fbx_doubles(f, fbx_child(r, "KeyAttrDataFloat"), &a->data, &a->data_count) &&
         fbx_int32s(f, fbx_child(r, "KeyAttrRefCount"), &a->runs, &a->run_count);
}

static void free_arrays(arrays *a) {
  mem_free(a->times);
  mem_free(a->values);
  mem_free(a->flags);
  mem_free(a->data);
  mem_free(a->runs);
}

/* Fixed-point numbers with four decimals in the bits of a float: the right weight in the low half, the next key's left
 * one in the high half. */
static void read_weights(fbx_attributes *attributes) {
  uint32_t bits;
  memcpy(&bits, attributes->data + 2, sizeof bits);
  if (attributes->flags & FBX_KEY_WEIGHTED_RIGHT) attributes->weight_right = (float)(bits & 0xffff) * 1e-4f;
  if (attributes->flags & FBX_KEY_WEIGHTED_NEXT_LEFT) attributes->weight_next_left = (float)(bits >> 16) * 1e-4f;
}

static fbx_attributes attributes_at(const arrays *a, size_t run) {
  fbx_attributes result = {.flags = FBX_KEY_LINEAR, .weight_right = 1.0f / 3, .weight_next_left = 1.0f / 3};
  if (run < a->flag_count) result.flags = (uint32_t)a->flags[run];
  for (size_t k = 0; k < 3 && 4 * run + k < a->data_count; k++) {
    double value = a->data[4 * run + k];
    if (a->bits && value >= INT32_MIN && value <= INT32_MAX)
      memcpy(result.data + k, &(int32_t){(int32_t)value}, sizeof(int32_t));
    else result.data[k] = (float)value;
  }
  read_weights(&result);
  return result;
}

/* Keeps keys whose times ascend, of several at one time the last, each with the attributes of its run. */
static void fill_keys(const arrays *a, size_t count, fbx_curve *curve, fbx_attributes *attributes) {
  size_t run = 0;
  int64_t left = a->run_count ? a->runs[0] : INT64_MAX;
  for (size_t i = 0; i < count; i++, left--) {
    while (left <= 0 && run + 1 < a->run_count) left = a->runs[++run];
    int kept = curve->key_count;
    static const int64_t longest = INT64_C(1) << 61; /* so that no difference overflows */
    if (!isfinite((float)a->values[i]) || a->times[i] > longest || a->times[i] < -longest) continue;
    if (kept && a->times[i] < curve->keys[kept - 1].time) continue;
    if (kept && a->times[i] == curve->keys[kept - 1].time) kept--;
    curve->keys[kept] = (fbx_key){.time = a->times[i], .value = (float)a->values[i]};
    attributes[kept] = attributes_at(a, run);
    curve->key_count = kept + 1;
  }
}

/* fbx_curve.c: completes a curve whose keys have times and values. attributes[i] belongs to key i; the keys are moved
 * to file->memory. False when memory runs out. */
static bool fbx_curve_finish(fbx_scene *scene, fbx_curve *curve, const fbx_attributes *attributes) {
  bool bends = false;
  int last = curve->key_count - 1;
  fbx_find_slopes(curve, attributes);
  curve->still = last >= 0 && fbx_curve_is_still(curve, 0);
  for (int i = 0; i < last && !curve->still; i++) bends = bends || curve->keys[i].segment == FBX_CUBIC;
  if (curve->still && last > 1) {
    curve->keys[1] = curve->keys[last];
    curve->key_count = 2;
  }
  const fbx_key *all = curve->keys;
  curve->keys = fbx_take(scene->file, (size_t)curve->key_count, sizeof *all);
  if (!curve->keys) return false;
  memcpy(curve->keys, all, (size_t)curve->key_count * sizeof *all);
  if (bends) curve->piece = fbx_take(scene->file, 1, sizeof *curve->piece);
  return !bends || curve->piece;
}

bool fbx_curve_read(fbx_scene *scene, const fbx_record *record, fbx_curve *curve) {
  arrays a = {0};
  *curve = (fbx_curve){.before = fbx_extrapolation_of(record, "Pre-Extrapolation"),
                       .after = fbx_extrapolation_of(record, "Post-Extrapolation"),
                       .ticks = scene->ticks};
  bool read = read_arrays(scene, record, &a);
  size_t count = a.time_count < a.value_count ? a.time_count : a.value_count;
  if (count > INT32_MAX / 64) count = INT32_MAX / 64;
  fbx_attributes *attributes = read ? mem_alloc_array(count + 1, sizeof *attributes) : NULL;
  fbx_key *keys = attributes ? mem_alloc_array(count + 1, sizeof *keys) : NULL;
  curve->keys = keys;
  if (keys) fill_keys(&a, count, curve, attributes);
  else if (read) error_memory(scene->raw->error, scene->raw->path, count * sizeof *attributes);
  bool finished = keys && fbx_curve_finish(scene, curve, attributes);
  mem_free(keys);
  mem_free(attributes);
  free_arrays(&a);
  return finished;
}

/* ---- between keys ---- */

/* The parameter at which the segment's Bezier in time is x: Newton steps from an extrapolated start, held within a
 * shrinking interval. */
static double solve_piece(fbx_piece *p, double x) {
  double low = 0, high = 1, a = 3 * p->x1, b = 3 * (p->x2 - 2 * p->x1), c = 1 + 3 * (p->x1 - p->x2), slope = 0;
  double t = p->t + (x - p->x) * p->t_for_x;
  if (!(t > 0)) t = 0;
  if (t > 1) t = 1;
  for (int i = 0; i < 64; i++) {
    double off = ((c * t + b) * t + a) * t - x;
    slope = (3 * c * t + 2 * b) * t + a;
    if (fabs(off) < (slope < 1 ? 1e-14 * slope : 1e-14)) break; /* a vertical curve barely separates moments */
    if (off > 0) high = t;
    else low = t;
    double next = slope > 1e-9 ? t - off / slope : low - 1;
    double before = t;
    t = next > low && next < high ? next : 0.5 * (low + high);
    if (fabs(t - before) < 1e-13) break;
  }
  p->x = x;
  p->t = t;
  p->t_for_x = slope > 1e-3 ? 1 / slope : 0;
  return t;
}

static void open_piece(fbx_piece *p, const fbx_key *a, const fbx_key *b, double duration) {
  double right = (double)a->weight_right, left = (double)b->weight_left;
  double v1 = (double)a->value, v2 = (double)b->value;
  double p1 = v1 + (double)a->slope_right * right * duration, p2 = v2 - (double)b->slope_left * left * duration;
  *p = (fbx_piece){.from = a->time,
                   .to = b->time,
                   .inverse = 1 / ((double)b->time - (double)a->time),
                   .c = {v1, 3 * (p1 - v1), 3 * (v1 - 2 * p1 + p2), v2 - v1 + 3 * (p1 - p2)},
                   .x1 = fmin(right, 1),
                   .x2 = fmax(1 - left, 0),
                   .t_for_x = 1,
                   .even = fabs(right - 1.0 / 3) < 1e-5 && fabs(left - 1.0 / 3) < 1e-5};
}

static inline bool is_in_piece(const fbx_piece *p, int64_t time) { return p && time > p->from && time < p->to; }

static double piece_value(fbx_piece *p, int64_t time) {
  double t = (double)(p->backwards ? p->to - time : time - p->from) * p->inverse;
  if (!p->even) t = solve_piece(p, t);
  return ((p->c[3] * t + p->c[2]) * t + p->c[1]) * t + p->c[0];
}

/* Moves the segment from its keys to a cycle, in which `at` appears at `time`. */
static void move_piece(fbx_piece *p, int64_t at, int64_t time, bool backwards, double offset) {
  int64_t before = at - p->from, behind = p->to - at;
  p->from = time - (backwards ? behind : before);
  p->to = time + (backwards ? before : behind);
  p->backwards = backwards;
  p->c[0] += offset;
}

/* The last key before the moment, or with FBX_AT also at it; 0 before the first. */
static int find_key(fbx_curve *curve, int64_t time, fbx_side side) {
  int low = 0, high = curve->key_count - 1, near = curve->found;
  int64_t limit = side == FBX_AT ? time : time - 1;
  if (curve->keys[near].time <= limit && (near == high || limit < curve->keys[near + 1].time)) return near;
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (curve->keys[middle].time <= limit) low = middle;
    else high = middle - 1;
  }
  curve->found = low;
  return low;
}

static double inside_value(fbx_curve *curve, int64_t time, fbx_side side) {
  int i = find_key(curve, time, side);
  const fbx_key *a = curve->keys + i, *b = a + 1;
  if (i + 1 == curve->key_count || time <= a->time) {
    bool jumps = side == FBX_AT && a->segment == FBX_CONSTANT_NEXT && i + 1 < curve->key_count;
    return (double)(jumps && time == a->time ? b->value : a->value);
  }
  double length = (double)(b->time - a->time), v1 = (double)a->value, v2 = (double)b->value;
  switch ((fbx_segment)a->segment) {
  case FBX_CONSTANT: return v1;
  case FBX_CONSTANT_NEXT: return v2;
  case FBX_LINEAR: return v1 + (double)(time - a->time) / length * (v2 - v1);
  case FBX_CUBIC: break;
  }
  if (time == b->time) return v2;
  open_piece(curve->piece, a, b, length / curve->ticks);
  return piece_value(curve->piece, time);
}

/* ---- outside the keys ---- */

static double outside_value(fbx_curve *curve, int64_t time, fbx_side side, bool after) {
  const fbx_key *first = curve->keys, *last = first + curve->key_count - 1, *end = after ? last : first;
  const fbx_extrapolation *e = after ? &curve->after : &curve->before;
  int64_t length = last->time - first->time, away = after ? time - last->time : first->time - time;
  if (e->type == 'K') {
    double slope = (double)(after ? last->slope_left : first->slope_right);
    if (curve->key_count == 1) slope = 0;
    return (double)end->value + slope * ((double)time - (double)end->time) / curve->ticks;
  }
  if (e->type == 'C' || length <= 0) return (double)end->value;
  bool at_start = after == (side == FBX_AT); /* at the boundary of a cycle: it belongs to the one being entered */
  int64_t cycle = away / length, rest = away % length;
  if (rest == 0 && cycle > 0 && !at_start) cycle--, rest = length;
  bool over = e->count > 0 && cycle >= e->count; /* after the last cycle, its end holds */
  if (over) cycle = e->count - 1, rest = length;
  bool backwards = e->type == 'M' && cycle % 2 == 0;
  if (backwards) rest = length - rest;
  int64_t at = after ? first->time + rest : last->time - rest;
  fbx_side seen = backwards ? (side == FBX_AT ? FBX_BEFORE : FBX_AT) : side;
  double offset = e->type == 'A' ? (double)(cycle + 1) * ((double)last->value - (double)first->value) : 0;
  if (!after) offset = -offset;
  if (over) return (double)(at == first->time ? first : last)->value + offset;
  double value = inside_value(curve, at, seen);
  if (is_in_piece(curve->piece, at)) move_piece(curve->piece, at, time, backwards, offset);
  return value + offset;
}

double fbx_curve_value(fbx_curve *curve, int64_t time, fbx_side side) {
  double value = 0;
  if (curve->still) return (double)curve->keys[0].value;
  if (is_in_piece(curve->piece, time)) {
    value = piece_value(curve->piece, time);
    return isfinite(value) ? value : 0;
  }
  if (curve->key_count == 0) return 0;
  const fbx_key *first = curve->keys, *last = first + curve->key_count - 1;
  if (time < first->time || (time == first->time && side == FBX_BEFORE))
    value = outside_value(curve, time, side, false);
  else if (time > last->time || (time == last->time && side == FBX_AT)) value = outside_value(curve, time, side, true);
  else value = inside_value(curve, time, side);
  return isfinite(value) ? value : 0;
}

/* ---- standing still ---- */

static bool goes_on(const fbx_extrapolation *e) { return e->type == 'K' || e->type == 'A'; }

/* The range of the keys and of the curve between them: a cubic segment stays within the box of its four points. */
static void find_range(const fbx_curve *curve, double *low, double *high) {
  *low = HUGE_VAL, *high = -HUGE_VAL;
  for (int i = 0; i < curve->key_count; i++) {
    const fbx_key *a = curve->keys + i, *b = a + 1;
    double value = (double)a->value;
    *low = fmin(*low, value), *high = fmax(*high, value);
    if (i + 1 == curve->key_count || a->segment != FBX_CUBIC) continue;
    double duration = ((double)b->time - (double)a->time) / curve->ticks;
    double p1 = value + (double)a->slope_right * (double)a->weight_right * duration;
    double p2 = (double)b->value - (double)b->slope_left * (double)b->weight_left * duration;
    *low = fmin(*low, fmin(p1, p2)), *high = fmax(*high, fmax(p1, p2));
  }
}

bool fbx_curve_is_still(const fbx_curve *curve, double noise) {
  double low, high;
  if (curve->still) return true;
  find_range(curve, &low, &high);
  if (high > low && (goes_on(&curve->before) || goes_on(&curve->after))) return false;
  return !(high - low > noise);
}

/* A slope is largest at an end; cycles with an offset continue from their values there. */
double fbx_curve_largest(fbx_curve *curve, int64_t from, int64_t to) {
  double low, high;
  find_range(curve, &low, &high);
  double largest = fmax(0, fmax(-low, high));
  if (!goes_on(&curve->before) && !goes_on(&curve->after)) return largest;
  double ends = fmax(fabs(fbx_curve_value(curve, from, FBX_AT)), fabs(fbx_curve_value(curve, to, FBX_AT)));
  return curve->before.type == 'A' || curve->after.type == 'A' ? largest + ends : fmax(largest, ends);
}

/* Curves of files before 7.0: a single list of times, values and letters.   L                                 linear C
 * s | n                           constant, or the next key's value (the letter from KeyVer 4004 on)   U MODE … WEIGHTS
 * cubic; s, b: two slopes; a: auto; t: three, p, q: two, d: one number that nobody has explained: auto, too   WEIGHTS:
 * n | c | a right left | l left | r right */

typedef struct list {
  const fbx_record *record;
  uint32_t at;
  int version; /* KeyVer */
  bool broken;
} list;

static double take_number(list *l) {
  double number = fbx_number(l->record, l->at, (double)NAN);
  l->at++;
  if (isnan(number)) l->broken = true;
  return number;
}

static char take_letter(list *l) {
  char letter = fbx_letter(l->record, l->at);
  l->at++;
  if (!letter) l->broken = true;
  return letter;
}

static void take_weights(list *l, fbx_attributes *key) {
  char mode = take_letter(l);
  if (mode == 'a' || mode == 'r') key->weight_right = (float)take_number(l);
  if (mode == 'a' || mode == 'l') key->weight_next_left = (float)take_number(l);
  if (mode && !strchr("nacrl", mode)) l->broken = true;
}

static void take_cubic(list *l, fbx_attributes *key) {
  char mode = take_letter(l);
  bool slopes = mode == 's' || mode == 'b', odd = mode == 'p' || mode == 'q';
  int numbers = slopes || odd ? 2 : mode == 't' ? 3 : mode == 'd' ? 1 : 0, weights = 1;
  if (!slopes && !odd && !strchr("atd", mode)) l->broken = true;
  key->flags =
      FBX_KEY_CUBIC | (slopes ? FBX_KEY_USER : FBX_KEY_AUTO | FBX_KEY_TIME_INDEPENDENT | FBX_KEY_CLAMP_PROGRESSIVE);
  for (int i = 0; i < numbers; i++) {
    double number = take_number(l);
    if (slopes) key->data[i] = (float)number;
  }
  if (mode == 't' || (mode == 'a' && l->version <= 4004) || (slopes && l->version == 4003)) weights = 0;
  if (odd && l->version > 4004) weights = 2;
  for (int i = 0; i < weights && !l->broken; i++) take_weights(l, key);
}

static void take_key(list *l, fbx_key *key, fbx_attributes *attributes) {
  key->time = fbx_integer(l->record, l->at++, 0);
  key->value = (float)take_number(l);
  *attributes = (fbx_attributes){.flags = FBX_KEY_LINEAR, .weight_right = 1.0f / 3, .weight_next_left = 1.0f / 3};
  char mode = take_letter(l);
  if (mode == 'U') take_cubic(l, attributes);
  else if (mode == 'C') {
    char next = l->version >= 4004 ? take_letter(l) : 's';
    attributes->flags = FBX_KEY_CONSTANT | (next == 'n' ? FBX_KEY_AUTO : 0u);
  } else if (mode != 'L') l->broken = true;
}

static int key_version(const fbx_scene *scene, const fbx_record *channel) {
  int64_t version = fbx_integer(fbx_child(channel, "KeyVer"), 0, 0);
  if (version > 0 && version < 10000) return (int)version;
  return scene->file->version < 5000 ? 4003 : scene->file->version < 6000 ? 4004 : 4005;
}

static const int64_t longest = INT64_C(1) << 61;

bool fbx_curve_read_list(fbx_scene *scene, const fbx_record *channel, fbx_curve *curve) {
  list l = {.record = fbx_child(channel, "Key"), .version = key_version(scene, channel)};
  *curve = (fbx_curve){.before = fbx_extrapolation_of(channel, "Pre-Extrapolation"),
                       .after = fbx_extrapolation_of(channel, "Post-Extrapolation"),
                       .ticks = scene->ticks};
  size_t most = l.record ? l.record->value_count / 3 : 0;
  fbx_attributes *attributes = mem_alloc_array(most + 1, sizeof *attributes);
  fbx_key *keys = mem_alloc_array(most + 1, sizeof *keys);
  curve->keys = keys;
  while (attributes && keys && l.at + 3 <= (l.record ? l.record->value_count : 0)) {
    fbx_key key;
    int last = curve->key_count - 1;
    take_key(&l, &key, attributes + curve->key_count);
    if (l.broken) break;
    if (key.time > longest || key.time < -longest || (last >= 0 && key.time <= curve->keys[last].time)) continue;
    curve->keys[curve->key_count++] = key;
  }
  bool read = attributes && keys && fbx_curve_finish(scene, curve, attributes);
  mem_free(keys);
  mem_free(attributes);
  if (!read) return error_memory(scene->raw->error, scene->raw->path, most * sizeof *attributes);
  return !l.broken ||
         raw_note_count(scene->raw, curve->key_count,
                        "a curve has keys of an unknown kind: it ends after %d {key|keys}", curve->key_count);
}
