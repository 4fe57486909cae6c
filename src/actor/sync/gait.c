#include "actor/sync/gait.h"

#include "base/memory/array.h"
#include "base/memory/memory.h"
#include "math/elementary.h"
#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/body/body.h"
#include "model/model.h"
#include "model/model_space.h"
#include "model/retarget/retarget_map.h"
#include "pose/modifiers/joint_position.h"
#include "pose/motion/feet.h"

#include <sinew/graph.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Metres above its own lowest position: a foot touches the ground below the first height, until it is above the second.
 */
static const double touch_height = 0.02, leave_height = 0.035;
/* Metres per second: a slower clip stands. */
static const double least_speed = 0.05;
/* Seconds. */
static const double longest_gap = 0.12;
enum { RATE = 120, MOST_MOMENTS = 2401, PASSES = 4 };

/* ---- the legs ---- */

/* About the axis from right to left, whichever way the body faces, and in the shin's own space, so that it turns with
 * the body. */
static leg leg_of(const model_body *b, const body_foot *f, const sinew_transform *placed) {
  sinew_vec3 across = {b->front.z, 0, -b->front.x};
  return (leg){.thigh = f->thigh,
               .shin = f->shin,
               .foot = f->foot,
               .toes = f->toes >= 0 ? f->toes : f->foot,
               .hinge = quat_rotate(quat_conjugate(placed[f->shin].rotation), across)};
}

static void find_height(model_gait *g, const sinew_transform *placed, int i, int top, int foot) {
  g->stands[i] = placed[foot].translation.y;
  g->hangs[i] = fmaxf(placed[top].translation.y - g->stands[i], 0.1f * (float)g->size);
}

static void find_heights(model_gait *g, const sinew_transform *placed) {
  static const float even = 0.06f;
  float low = HUGE_VALF, high = -HUGE_VALF;
  for (int i = 0; i < g->leg_count; i++) find_height(g, placed, i, g->legs[i].thigh, g->legs[i].toes);
  for (int i = 0; i < g->limb_count; i++) find_height(g, placed, i, g->limbs[i].top, g->limbs[i].foot);
  g->standing = g->leg_count + g->limb_count;
  for (int i = 0; i < g->standing; i++) low = fminf(low, g->stands[i]), high = fmaxf(high, g->stands[i]);
  if (g->standing < 2 || high - low > even * (float)g->size) g->standing = 0;
}

/* Limbs that end at other heights than the hind ones, as hands do whose fingers stand, are left to the blend. */
static void drop_uneven(model_gait *g, const sinew_transform *placed) {
  static const float even = 0.06f;
  for (int i = GAIT_LEGS; i < g->limb_count; i++) {
    float apart = placed[g->limbs[i].foot].translation.y - placed[g->limbs[0].foot].translation.y;
    if (fabsf(apart) > even * (float)g->size) g->limb_count = GAIT_LEGS;
  }
}

static void read_body(model_gait *g, const skeleton_view *skeleton, const sinew_transform *placed) {
  const model_body *b = g->model->body;
  int feet[GAIT_FEET];
  g->hips = b->person.hips;
  g->size = (double)b->size;
  for (int i = 0; i < b->foot_count; i++) {
    g->feet[g->foot_count++] = b->feet[i].contact;
    feet[i] = b->feet[i].foot;
  }
  g->stepping = b->foot_count >= GAIT_LEGS ? GAIT_LEGS : 0;
  for (int i = 0; body_has_legs(b, skeleton) && i < GAIT_LEGS; i++)
    g->legs[g->leg_count++] = leg_of(b, b->feet + i, placed);
  for (int i = 0; g->leg_count == 0 && i < g->foot_count; i++)
    if (limb_find(g->model, feet, g->foot_count, feet[i], g->limbs + g->limb_count)) g->limb_count++;
  drop_uneven(g, placed);
  find_heights(g, placed);
}

static bool find_legs(model_gait *g) {
  size_t count = (size_t)g->model->joint_count;
  sinew_transform *rest = mem_alloc_array(2 * count, sizeof *rest);
  if (!rest) return false;
  skeleton_view skeleton = model_skeleton(g->model, rest);
  skeleton_to_model(&skeleton, rest, rest + count);
  read_body(g, &skeleton, rest + count);
  mem_free(rest);
  return true;
}

/* ---- the table ---- */

static void free_gait(model_gait *g) {
  for (int i = 0; g && g->courses && i < g->model->clip_count; i++) course_free(g->courses + i);
  if (g) mem_free(g->clips), mem_free(g->courses);
  mem_free(g);
}

static model_gait *make(const sinew_model *model) {
  model_gait *g = mem_alloc_zeroed(sizeof *g);
  if (!g) return NULL;
  g->model = model;
  g->root = -2;
  g->clips = mem_alloc_zeroed((size_t)model->clip_count * sizeof *g->clips);
  g->courses = mem_alloc_zeroed((size_t)model->clip_count * sizeof *g->courses);
  if (((g->clips && g->courses) || !model->clip_count) && find_legs(g)) return g;
  free_gait(g);
  return NULL;
}

model_gait *gait_take(gait_table *t, const sinew_model *model) {
  int i = 0;
  while (i < t->count && t->items[i]->model != model) i++;
  if (i == t->count) {
    model_gait *fresh = NULL;
    if (array_reserve((void **)&t->items, &t->capacity, t->count + 1, sizeof *t->items)) fresh = make(model);
    if (!fresh) return NULL;
    t->items[t->count++] = fresh;
  }
  t->items[i]->users++;
  return t->items[i];
}

void gait_leave(gait_table *t, model_gait *g) {
  if (!g || --g->users > 0) return;
  int i = 0;
  while (t->items[i] != g) i++;
  t->items[i] = t->items[--t->count];
  free_gait(g);
}

/* ---- one clip ---- */

typedef struct search {
  const model_gait *gait;
  const sinew_clip *clip;
  int moments;
  int smooth; /* speeds are means over so many moments more on either side */
  sinew_vec3 *positions[GAIT_FEET];
  float lowest[GAIT_FEET];
  bool *down[GAIT_FEET]; /* from this moment to the next */
  bool goes[GAIT_FEET];  /* it moves at all */
  float *sorted;
  double x, z; /* what the hips travel with */
  bool carries_hips;
} search;

static double time_of(const search *s, int moment) { return s->clip->duration * moment / (s->moments - 1); }

static double interval(const search *s) { return s->clip->duration / (s->moments - 1); }

static sinew_vec3 position_of(const search *s, int joint, double time) {
  sinew_mat3x4 m = joint_position(s->gait->model, s->clip, joint, time);
  return (sinew_vec3){m.m[3], m.m[7], m.m[11]};
}

/* False for a joint that was taken for a foot, but never moves. */
static bool goes(const search *s, int foot) {
  static const float least = 0.01f;
  const sinew_vec3 *p = s->positions[foot];
  bool moves = s->gait->leg_count > 0;
  for (int i = 1; i < s->moments && !moves; i++)
    moves = float_hypot(p[i].x - p[0].x, p[i].z - p[0].z) > least * (float)s->gait->size;
  return moves;
}

static bool watch_feet(search *s) {
  const model_gait *g = s->gait;
  foot_paths f = {0};
  bool measured = g->foot_count == 0 || feet_measure(&f, g->model, s->clip, g->feet, g->foot_count, s->moments);
  for (int foot = 0; measured && foot < g->foot_count; foot++) {
    for (int i = 0; i < s->moments; i++) s->positions[foot][i] = feet_position(&f, foot, i);
    s->lowest[foot] = f.lowest[foot];
    s->goes[foot] = goes(s, foot);
  }
  feet_release(&f);
  return measured;
}

static void watch_hips(search *s) {
  if (s->gait->hips < 0) return;
  sinew_vec3 from = position_of(s, s->gait->hips, 0), to = position_of(s, s->gait->hips, s->clip->duration);
  s->x = (double)(to.x - from.x) / s->clip->duration;
  s->z = (double)(to.z - from.z) / s->clip->duration;
  s->carries_hips = sinew_hypot(s->x, s->z) >= least_speed * s->gait->size;
  if (!s->carries_hips) s->x = s->z = 0;
}

/* The speed of a foot over the ground while the root moves at (x, z). */
static double ground_speed(const search *s, int foot, int moment, double x, double z) {
  int from = moment - s->smooth > 0 ? moment - s->smooth : 0;
  int to = moment + 1 + s->smooth < s->moments ? moment + 1 + s->smooth : s->moments - 1;
  sinew_vec3 a = s->positions[foot][from], b = s->positions[foot][to];
  double dt = (to - from) * interval(s);
  if (s->carries_hips) x = z = 0;
  return sinew_hypot((double)(b.x - a.x) / dt + x, (double)(b.z - a.z) / dt + z);
}

/* Of a recorded foot that stands the lowest moment, as it lands, is often below the ground: it stands higher than that.
 */
static const double sinks = 1.6;

static double height_of(const search *s, int foot, int moment) {
  const sinew_vec3 *p = s->positions[foot] + moment;
  return (double)(fmaxf(p[0].y, p[1].y) - s->lowest[foot]) / s->gait->size / (s->smooth ? sinks : 1);
}

/* A slower foot is on the ground. In a gallop none is still for long. */
static double touch_speed(const search *s, double x, double z) {
  static const double fast = 4;
  double speed = sinew_hypot(x, z) / s->gait->size, most = 0.3 + 0.1 * fmax(speed - fast, 0);
  return fmin(fmax(0.15 * speed, 0.15), most) * s->gait->size;
}

/* Goes round twice, so that the state at the end carries over to the beginning; `faster` may be infinite for no limit.
 */
static void find_contacts(search *s, double x, double z, double faster) {
  double touch = faster * touch_speed(s, x, z), leave = 2 * touch;
  for (int foot = 0; foot < s->gait->foot_count; foot++) {
    bool down = false;
    for (int i = 0; i < 2 * (s->moments - 1); i++) {
      int moment = i % (s->moments - 1);
      double height = height_of(s, foot, moment), over = ground_speed(s, foot, moment, x, z);
      down = s->goes[foot] && height < (down ? leave_height : touch_height) && over < (down ? leave : touch);
      s->down[foot][moment] = down;
    }
  }
}

/* Fills the gap between `from` and the next moment at which the foot is down, if that comes soon and the foot stays
 * low: in recorded motion a planted foot rolls and drifts. */
static void close_gap(search *s, int foot, int from) {
  int count = s->moments - 1, gap = 1;
  while (gap * interval(s) <= longest_gap && !s->down[foot][(from + gap) % count]) {
    if (height_of(s, foot, (from + gap) % count) > leave_height) return;
    gap++;
  }
  if (!s->down[foot][(from + gap) % count]) return;
  while (--gap > 0) s->down[foot][(from + gap) % count] = true;
}

static void close_gaps(search *s) {
  for (int foot = 0; foot < s->gait->foot_count; foot++)
    for (int i = 0; i + 1 < s->moments; i++)
      if (s->down[foot][i]) close_gap(s, foot, i);
}

static int by_value(const void *a, const void *b) {
  float left = *(const float *)a, right = *(const float *)b;
  return (left > right) - (left < right);
}

/* The median velocity of planted feet, reversed: one coordinate. */
static double median(search *s, bool along_x, double otherwise) {
  int count = 0;
  for (int foot = 0; foot < s->gait->foot_count; foot++)
    for (int i = 0; i + 1 < s->moments; i++) {
      sinew_vec3 a = s->positions[foot][i], b = s->positions[foot][i + 1];
      if (s->down[foot][i]) s->sorted[count++] = along_x ? a.x - b.x : a.z - b.z;
    }
  if (count == 0) return otherwise;
  qsort(s->sorted, (size_t)count, sizeof *s->sorted, by_value);
  return (double)(s->sorted[(count - 1) / 2] + s->sorted[count / 2]) / 2 / interval(s);
}

static bool is_touch_down(const search *s, int foot, int moment) {
  int before = moment ? moment - 1 : s->moments - 2;
  return s->down[foot][moment] && !s->down[foot][before];
}

static double time_down(const search *s, int foot, int moment) {
  int count = 0;
  while (count + 1 < s->moments && s->down[foot][(moment + count) % (s->moments - 1)]) count++;
  return count * interval(s);
}

/* Before it lifts, a foot rolls off slowly: it stands firmly until then. */
static double time_firm(const search *s, int foot, int moment, double x, double z) {
  double touch = touch_speed(s, x, z);
  int count = 0;
  for (int i = 0; i + 1 < s->moments && s->down[foot][(moment + i) % (s->moments - 1)]; i++) {
    int k = (moment + i) % (s->moments - 1);
    if (height_of(s, foot, k) < touch_height && ground_speed(s, foot, k, x, z) < touch / 2) count = i + 1;
  }
  return count ? count * interval(s) : time_down(s, foot, moment);
}

static void find_steps(const search *s, double x, double z, clip_gait *out) {
  out->step_count = 0;
  for (int i = 0; i + 1 < s->moments; i++)
    for (int foot = 0; foot < s->gait->stepping; foot++) {
      if (!is_touch_down(s, foot, i)) continue;
      if (out->step_count == GAIT_STEPS) {
        out->step_count = 0;
        return;
      }
      out->steps[out->step_count++] =
          (gait_step){time_of(s, i), time_down(s, foot, i), time_firm(s, foot, i, x, z), foot};
    }
}

/* A walker on two legs puts down one foot after the other. Any other sequence was misread, or belongs to a hopping leg:
 * then no leg gets its own timing. */
static void doubt_steps(clip_gait *gait) {
  int counts[GAIT_LEGS] = {0};
  bool alternate = true;
  for (int i = 0; i < gait->step_count; i++) {
    counts[gait->steps[i].leg]++;
    alternate &= gait->steps[i].leg != gait->steps[(i + 1) % gait->step_count].leg;
  }
  if (alternate) return;
  gait->strides = counts[0] && counts[1] ? 1 : counts[0] + counts[1];
  gait->step_count = 0;
}

/* Counts the strides of the first foot that steps. */
static int count_strides(const search *s) {
  int foot = 0, count = 0;
  while (foot < s->gait->foot_count && !s->goes[foot]) foot++;
  if (foot == s->gait->foot_count) return 0;
  for (int i = 0; i + 1 < s->moments; i++) count += is_touch_down(s, foot, i);
  return count;
}

static sinew_vec3 middle_of(const search *s, int foot, double x, double z) {
  double sum_x = 0, sum_z = 0;
  int count = s->moments - 1;
  for (int i = 0; i < count; i++) {
    double gone = s->carries_hips ? time_of(s, i) : 0;
    sum_x += (double)s->positions[foot][i].x - gone * x;
    sum_z += (double)s->positions[foot][i].z - gone * z;
  }
  return (sinew_vec3){(float)(sum_x / count), 0, (float)(sum_z / count)};
}

static bool lifts_feet(const search *s) {
  for (int foot = 0; foot < s->gait->foot_count; foot++)
    for (int i = 0; i + 1 < s->moments; i++)
      if (s->down[foot][i] != s->down[foot][0]) return true;
  return false;
}

/* Joints that are merely low move in any way; feet stand for a part of the time, all at one speed. */
static bool are_feet(const search *s) {
  static const double least_fraction = 0.08; /* less than in a gallop */
  int feet = 0;
  for (int foot = 0; foot < s->gait->foot_count; foot++) {
    int count = 0;
    for (int i = 0; i + 1 < s->moments; i++) count += s->down[foot][i];
    if (s->goes[foot] && count < least_fraction * s->moments) return false;
    feet += s->goes[foot];
  }
  return feet != 1;
}

/* ---- steps by reach ---- */

/* How far ahead a foot is at a moment, along a direction; without what its sole rolls on in a cycle. */
static double ahead_at(const search *s, int foot, int moment, double x, double z) {
  const sinew_vec3 *p = s->positions[foot], *end = p + s->moments - 1;
  double part = (double)moment / (s->moments - 1);
  return x * ((double)(p[moment].x - p->x) - part * (double)(end->x - p->x)) +
         z * ((double)(p[moment].z - p->z) - part * (double)(end->z - p->z));
}

/* From where the foot is farthest ahead to where it is farthest back. Returns how often it goes to and fro. */
static int reach_of(const search *s, int foot, double x, double z, gait_step *step) {
  int count = s->moments - 1, most = 0, least = 0, passes = 0;
  for (int i = 1; i < count; i++) {
    if (ahead_at(s, foot, i, x, z) > ahead_at(s, foot, most, x, z)) most = i;
    if (ahead_at(s, foot, i, x, z) < ahead_at(s, foot, least, x, z)) least = i;
  }
  double middle = (ahead_at(s, foot, most, x, z) + ahead_at(s, foot, least, x, z)) / 2;
  for (int i = 0; i < count; i++)
    passes += (ahead_at(s, foot, i, x, z) < middle) != (ahead_at(s, foot, (i + 1) % count, x, z) < middle);
  double down = ((least - most + count) % count) * interval(s);
  *step = (gait_step){time_of(s, most), down, down, foot};
  return passes / 2;
}

/* Feet that slip have no moment at which they come down: they do when they begin to go back. Replaces steps that
 * contacts show elsewhere, or not at all. */
static void step_by_reach(const search *s, clip_gait *out) {
  static const double apart = 0.12;
  gait_step steps[GAIT_LEGS];
  double x = out->x / fmax(out->speed, 1e-9), z = out->z / fmax(out->speed, 1e-9);
  bool differ = out->step_count != GAIT_LEGS;
  for (int foot = 0; foot < s->gait->stepping; foot++) {
    int strides = reach_of(s, foot, x, z, steps + foot);
    if (strides != 1) {
      out->step_count = 0, out->strides = strides > 0 ? strides : 1;
      return;
    }
    for (int i = 0; i < out->step_count; i++)
      if (out->steps[i].leg == foot)
        differ |= fabs(remainder(out->steps[i].time - steps[foot].time, s->clip->duration)) > apart * s->clip->duration;
  }
  if (!differ) return;
  int first = steps[1].time < steps[0].time;
  out->steps[0] = steps[first], out->steps[1] = steps[!first];
  out->step_count = GAIT_LEGS, out->strides = 1;
}

/* ---- soles that never stand ---- */

/* Of all feet that which is nearest to its own lowest position; −1: they are all in the air. */
static int lowest_foot(const search *s, int moment) {
  static const double near = 0.05;
  int low = -1;
  double least = near * s->gait->size;
  for (int foot = 0; foot < s->gait->foot_count; foot++) {
    const sinew_vec3 *p = s->positions[foot] + moment;
    double height = (double)(fminf(p[0].y, p[1].y) - s->lowest[foot]);
    if (s->goes[foot] && height < least) least = height, low = foot;
  }
  return low;
}

static double middle_of_values(search *s, int count) {
  qsort(s->sorted, (size_t)count, sizeof *s->sorted, by_value);
  return (double)(s->sorted[(count - 1) / 2] + s->sorted[count / 2]) / 2;
}

/* In free animation, soles slip and sink: the median of the lowest one's velocity is what the eye takes for the speed,
 * if most moments agree. False if they do not, or one foot bears everything. */
static bool read_lowest(search *s, double *x, double *z) {
  static const double agree = 0.4, most = 0.5;
  int count = 0, near = 0, bore[GAIT_FEET] = {0}, bearing = 0;
  for (int pass = 0; pass < 2; pass++) {
    count = 0;
    for (int i = 0; i + 1 < s->moments; i++) {
      int foot = lowest_foot(s, i);
      if (foot < 0) continue;
      const sinew_vec3 *p = s->positions[foot] + i;
      if (pass == 0) bore[foot]++;
      s->sorted[count++] = pass ? p[0].z - p[1].z : p[0].x - p[1].x;
    }
    if (count < 4) return false;
    *(pass ? z : x) = middle_of_values(s, count) / interval(s);
  }
  for (int i = 0; i + 1 < s->moments; i++) {
    int foot = lowest_foot(s, i);
    if (foot < 0) continue;
    const sinew_vec3 *p = s->positions[foot] + i;
    double off_x = (double)(p[0].x - p[1].x) / interval(s) - *x, off_z = (double)(p[0].z - p[1].z) / interval(s) - *z;
    near += sinew_hypot(off_x, off_z) < agree * sinew_hypot(*x, *z);
  }
  for (int foot = 0; foot < s->gait->foot_count; foot++) bearing += bore[foot] > count / 16;
  return sinew_hypot(*x, *z) > least_speed * s->gait->size && near > most * count && bearing >= 2;
}

/* Its feet are paws or have soles, and no balls that bend. */
static bool has_soles(const search *s) {
  const model_body *b = s->gait->model->body;
  const body_foot *f = b->feet;
  if (b->findings[SINEW_FINDING_FEET].evidence == SINEW_BY_TREE) return false; /* low ends of limbs, perhaps */
  return s->gait->foot_count > 2 || (s->gait->foot_count && (f->heel.x != 0 || f->heel.y != 0 || f->heel.z != 0));
}

/* The clip begins as it ends, as far as its soles tell. */
static bool loops(const search *s) {
  static const float near = 0.03f;
  int last = s->moments - 1;
  for (int foot = 0; foot < s->gait->foot_count; foot++)
    if (fabsf(s->positions[foot][last].y - s->positions[foot][0].y) > near * (float)s->gait->size) return false;
  return true;
}

/* The mean velocity of the foot that is nearest to the ground: of feet that stop now and then. */
static bool read_mean(const search *s, double *x, double *z) {
  static const double brisk = 0.3;
  int count = 0;
  *x = *z = 0;
  for (int i = 0; i + 1 < s->moments; i++) {
    int foot = lowest_foot(s, i);
    if (foot < 0) continue;
    const sinew_vec3 *p = s->positions[foot] + i;
    *x += (double)(p[0].x - p[1].x) / interval(s), *z += (double)(p[0].z - p[1].z) / interval(s), count++;
  }
  *x /= fmax(count, 1), *z /= fmax(count, 1);
  return sinew_hypot(*x, *z) > brisk * s->gait->size && loops(s);
}

/* How many times the usual speed a sole may have that slips. */
static double slack_of(const search *s, double x, double z) {
  static const double most = 3, of_speed = 0.5;
  return fmin(most, of_speed * sinew_hypot(x, z) / touch_speed(s, x, z));
}

/* Looks again at soles of which some were never seen to stand. */
static bool slip(search *s, double *x, double *z) {
  static const double brisk = 0.4;
  double lowest_x = 0, lowest_z = 0, speed = sinew_hypot(*x, *z);
  find_contacts(s, *x, *z, slack_of(s, *x, *z));
  if (are_feet(s)) return true;
  bool read = read_lowest(s, &lowest_x, &lowest_z);
  if (!read && speed > brisk * s->gait->size) return loops(s);
  if (!read && !read_mean(s, &lowest_x, &lowest_z)) return false;
  *x = lowest_x, *z = lowest_z;
  find_contacts(s, *x, *z, slack_of(s, *x, *z));
  return true;
}

/* The feet on the ground determine the speed, and the speed determines which feet are on the ground, so this
 * iterates. */
static void find_gait(search *s, clip_gait *out) {
  watch_hips(s);
  double x = s->x, z = s->z;
  for (int pass = 0; pass < PASSES && s->gait->foot_count; pass++) {
    find_contacts(s, x, z, pass ? 1 : HUGE_VAL);
    if (s->carries_hips) continue;
    x = median(s, true, x);
    z = median(s, false, z);
  }
  bool stand = are_feet(s), known = s->gait->leg_count || stand;
  if (!stand && !s->carries_hips && has_soles(s)) known |= slip(s, &x, &z);
  if (!known && !s->carries_hips) x = z = 0;
  close_gaps(s);
  if (known) find_steps(s, x, z, out);
  out->strides = known ? count_strides(s) : 0;
  doubt_steps(out);
  out->x = x;
  out->z = z;
  out->speed = sinew_hypot(x, z);
  if (out->speed >= least_speed * s->gait->size || lifts_feet(s)) out->kind = GAIT_MOVING;
  else out->kind = s->gait->foot_count ? GAIT_STANDING : GAIT_UNKNOWN;
  if (!known && !s->carries_hips) out->kind = GAIT_UNKNOWN;
  out->carries_hips = s->carries_hips;
  bool slips = has_soles(s) && s->gait->stepping && !s->carries_hips;
  if (slips && out->kind == GAIT_MOVING && out->speed > 0) step_by_reach(s, out);
  for (int foot = 0; foot < s->gait->stepping; foot++) out->middle[foot] = middle_of(s, foot, x, z);
  out->known = true;
}

static bool reserve(search *s) {
  size_t moments = (size_t)s->moments;
  sinew_vec3 *positions = mem_alloc_array(GAIT_FEET * moments, sizeof *positions);
  bool *down = mem_alloc_array(GAIT_FEET * moments, sizeof *down);
  s->sorted = mem_alloc_array(GAIT_FEET * moments, sizeof *s->sorted);
  for (int foot = 0; foot < GAIT_FEET; foot++) {
    s->positions[foot] = positions ? positions + (size_t)foot * moments : NULL;
    s->down[foot] = down ? down + (size_t)foot * moments : NULL;
  }
  return positions && down && s->sorted;
}

static void release(search *s) {
  mem_free(s->positions[0]);
  mem_free(s->down[0]);
  mem_free(s->sorted);
}

const clip_gait *gait_of(model_gait *g, int clip) {
  static const clip_gait unknown;
  if (!g) return &unknown;
  clip_gait *out = g->clips + clip;
  if (out->known) return out;
  search s = {.gait = g, .clip = g->model->clips + clip};
  s.moments = (int)fmin(ceil(s.clip->duration * RATE) + 1, MOST_MOMENTS);
  if (s.moments < 2) {
    out->known = true;
    return out;
  }
  if (reserve(&s) && watch_feet(&s)) find_gait(&s, out);
  release(&s);
  return out;
}

/* ---- the steps of feet that a caller names ---- */

const char *sinew_find_steps_check(const sinew_steps_job *job) {
  if (!job->model) return "steps: the model is missing";
  if (job->clip < 0 || job->clip >= job->model->clip_count) return "steps: the model has no such clip";
  if (job->foot_count < 1 || job->foot_count > SINEW_STEP_FEET || !job->feet) return "steps: 1 to 8 feet are needed";
  for (int i = 0; i < job->foot_count; i++)
    if (job->feet[i] < 0 || job->feet[i] >= job->model->joint_count) return "steps: the model has no such joint";
  if (job->capacity < 0 || (job->capacity > 0 && !job->output) || !job->count) return "steps: the output is missing";
  return NULL;
}

/* Whether a foot that leaves the ground at times is never seen to stand while another one is. */
static bool misses_a_foot(const search *s) {
  int seen = 0, goers = 0;
  for (int foot = 0; foot < s->gait->foot_count; foot++) {
    bool stands = false;
    for (int i = 0; i + 1 < s->moments; i++) stands |= s->down[foot][i];
    seen += s->goes[foot] && stands, goers += s->goes[foot];
  }
  return seen > 0 && seen < goers;
}

/* A foot that is never seen to stand does while it goes back. */
static void stand_by_reach(search *s, double x, double z) {
  double speed = fmax(sinew_hypot(x, z), 1e-9);
  find_contacts(s, x, z, slack_of(s, x, z));
  for (int foot = 0; foot < s->gait->foot_count; foot++) {
    gait_step step;
    bool stands = false;
    for (int i = 0; i + 1 < s->moments; i++) stands |= s->down[foot][i];
    if (stands || !s->goes[foot] || reach_of(s, foot, x / speed, z / speed, &step) != 1) continue;
    int first = (int)lround(step.time / interval(s)), count = (int)(step.down / interval(s));
    for (int i = 0; i < count; i++) s->down[foot][(first + i) % (s->moments - 1)] = true;
  }
}

/* At the speed that the clip has, where that is known. Between the keys of a recording a foot that stands may go to and
 * fro at metres a second. */
static void find_named_contacts(search *s, const clip_gait *own) {
  static const double of_recordings = 1.0 / 30; /* seconds between keys */
  bool known = own->known && own->kind != GAIT_UNKNOWN;
  double x = known ? own->x : 0, z = known ? own->z : 0;
  watch_hips(s);
  for (int pass = known ? 1 : 0; pass < (known ? 2 : PASSES); pass++) {
    find_contacts(s, x, z, pass ? 1 : HUGE_VAL);
    if (!known) x = median(s, true, x), z = median(s, false, z);
  }
  if (misses_a_foot(s)) {
    s->smooth = (int)(of_recordings * RATE / 2);
    find_contacts(s, x, z, 1);
  }
  if (misses_a_foot(s)) stand_by_reach(s, x, z);
  close_gaps(s);
}

static void take_contacts(const search *s, const sinew_steps_job *job) {
  static const double shortest = 0.04; /* seconds */
  int count = 0;
  for (int foot = 0; foot < job->foot_count; foot++)
    for (int i = 0; i + 1 < s->moments; i++) {
      double start = time_of(s, i), down = time_down(s, foot, i);
      if (!is_touch_down(s, foot, i) || down < shortest) continue;
      if (count < job->capacity) job->output[count] = (sinew_contact){foot, start, start + down};
      count++;
    }
  *job->count = count;
}

static bool find_named_steps(const sinew_steps_job *job, model_gait *g) {
  model_gait named = *g;
  search s = {.gait = &named, .clip = job->model->clips + job->clip};
  const clip_gait *own = gait_of(g, job->clip);
  s.moments = (int)fmin(ceil(s.clip->duration * RATE) + 1, MOST_MOMENTS);
  *job->count = 0;
  if (s.moments < 3) return true;
  named.foot_count = job->foot_count;
  memcpy(named.feet, job->feet, (size_t)job->foot_count * sizeof *job->feet);
  bool found = reserve(&s) && watch_feet(&s);
  if (found) find_named_contacts(&s, own), take_contacts(&s, job);
  release(&s);
  return found;
}

bool sinew_find_steps(const sinew_steps_job *job) {
  gait_table alone = {0};
  if (sinew_find_steps_check(job)) return false;
  uint64_t before = float_env_enter();
  model_gait *g = gait_take(&alone, job->model);
  bool found = g && find_named_steps(job, g);
  gait_leave(&alone, g);
  mem_free(alone.items);
  float_env_leave(before);
  return found;
}

/* ---- what others ask for ---- */

static void find_root(model_gait *g) {
  int joints[SINEW_ROLES];
  sinew_model_roles(g->model, joints);
  g->root = joints[SINEW_ROLE_ROOT];
}

const clip_course *course_of(model_gait *g, int clip) {
  static const clip_course unknown;
  int feet[GAIT_FEET], count = 0;
  if (!g) return &unknown;
  if (g->courses[clip].known) return g->courses + clip;
  if (g->root == -2) find_root(g);
  for (; count < g->leg_count; count++) feet[count] = g->legs[count].foot;
  for (; g->leg_count == 0 && count < g->foot_count; count++) feet[count] = g->feet[count];
  g->courses[clip].size = g->size;
  course_find(g->courses + clip, g->model, clip, g->root, feet, count, g->size);
  return g->courses + clip;
}

bool gait_is_down(const clip_gait *gait, int side, double time, double duration) {
  for (int i = 0; i < gait->step_count; i++) {
    double since = time - gait->steps[i].time;
    if (since < 0) since += duration;
    if (gait->steps[i].leg == side && since < gait->steps[i].down) return true;
  }
  return gait->kind != GAIT_MOVING;
}

double sinew_model_size(const sinew_model *model) {
  gait_table alone = {0};
  model_gait *g = gait_take(&alone, model);
  double size = gait_size(g);
  gait_leave(&alone, g);
  mem_free(alone.items);
  return size;
}

static double metre_of_size(double size) {
  static const double least = 0.05, most = 20;
  return size > least && size < most ? 1 : sinew_pow(10, round(sinew_log10(size)));
}

double gait_metre(const model_gait *g) { return metre_of_size(gait_size(g)); }

double sinew_model_metre(const sinew_model *model) { return metre_of_size(sinew_model_size(model)); }

bool sinew_clip_velocity(const sinew_model *model, int clip, sinew_vec3 *velocity) {
  gait_table alone = {0};
  *velocity = (sinew_vec3){0, 0, 0};
  if (clip < 0 || clip >= model->clip_count) return false;
  model_gait *g = gait_take(&alone, model);
  clip_gait found = *gait_of(g, clip);
  double least = least_speed * gait_size(g);
  gait_leave(&alone, g);
  mem_free(alone.items);
  if (found.speed >= least) *velocity = (sinew_vec3){(float)found.x, 0, (float)found.z};
  return found.known && found.kind != GAIT_UNKNOWN;
}
