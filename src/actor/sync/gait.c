#include "actor/sync/gait.h"

#include "base/memory/array.h"
#include "base/memory/memory.h"
#include "math/elementary.h"
#include "math/float_env.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/model_space.h"
#include "model/names/humanoid.h"
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

static leg leg_of(const humanoid *body, int side) {
  const int32_t *joints = body->limbs[side];
  return (leg){.thigh = joints[LIMB_THIGH],
               .shin = joints[LIMB_SHIN],
               .foot = joints[LIMB_FOOT],
               .toes = joints[LIMB_TOES] >= 0 ? joints[LIMB_TOES] : joints[LIMB_FOOT]};
}

static void name_legs(model_gait *g, const humanoid *body) {
  g->hips = body->hips;
  for (int side = 0; side < GAIT_LEGS; side++) {
    leg l = leg_of(body, side);
    if (l.thigh >= 0 && l.shin >= 0 && l.foot >= 0) g->legs[g->leg_count++] = l;
  }
  if (g->leg_count < GAIT_LEGS) g->leg_count = 0;
}

/* In four digits, so that the same figure in another unit has the same size in spite of rounding in its file. */
static double in_four_digits(double size) {
  if (!(size > 0) || !isfinite(size)) return 1;
  double digits = sinew_pow(10, floor(sinew_log10(size)) - 3);
  return round(size / digits) * digits;
}

/* Finds joints whose rest position is low enough for a foot; of several in one limb, the last. */
static void find_low_joints(model_gait *g, const sinew_transform *placed) {
  static const float low = 0.12f; /* of the highest joint */
  static const double person = 1.7;
  const sinew_model *model = g->model;
  float highest = 0;
  for (int i = 1; i < model->joint_count; i++) highest = fmaxf(highest, placed[i].translation.y);
  g->size = in_four_digits((double)highest / person);
  for (int i = model->joint_count - 1; i > 0 && g->foot_count < GAIT_FEET; i--) {
    bool ends = placed[i].translation.y < low * highest;
    for (int k = 0; k < g->foot_count; k++) ends &= !limb_is_above(model, i, g->feet[k]);
    if (ends) g->feet[g->foot_count++] = i;
  }
}

static void find_limbs(model_gait *g) {
  for (int i = 0; i < g->foot_count; i++)
    if (limb_find(g->model, g->feet, g->foot_count, g->feet[i], g->limbs + g->limb_count)) g->limb_count++;
}

/* Of a person 1.76 m tall, from the hip along the leg to the ankle; all lengths and speeds here are hers. */
static const double persons_leg = 0.8147;

/* The mean height of the limbs' tops above their feet, if there are any. */
static double size_of_limbs(const model_gait *g, const sinew_transform *placed) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < g->limb_count; i++) {
    const limb_chain *l = g->limbs + i;
    double height = (double)(placed[l->top].translation.y - placed[l->foot].translation.y);
    if (l->top != l->foot && height > 0) sum += height, count++;
  }
  return count ? in_four_digits(sum / count / persons_leg) : g->size;
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

/* About the axis from right to left, whichever way the body faces, and in the shin's own space, so that it turns with
 * the body. */
static void find_hinges(model_gait *g, const sinew_transform *placed) {
  sinew_vec3 front = sinew_model_front(g->model), across = {front.z, 0, -front.x};
  for (int i = 0; i < g->leg_count; i++)
    g->legs[i].hinge = quat_rotate(quat_conjugate(placed[g->legs[i].shin].rotation), across);
}

static double size_of_leg(const leg *l, const sinew_transform *placed) {
  return in_four_digits((double)(vec3_distance(placed[l->thigh].translation, placed[l->shin].translation) +
                                 vec3_distance(placed[l->shin].translation, placed[l->foot].translation)) /
                        persons_leg);
}

static bool find_legs(model_gait *g) {
  humanoid body;
  size_t count = (size_t)g->model->joint_count;
  sinew_transform *rest = mem_alloc_array(2 * count, sizeof *rest);
  if (!rest) return false;
  skeleton_view skeleton = model_skeleton(g->model, rest);
  bool found = humanoid_find(&skeleton, &body);
  if (found) {
    name_legs(g, &body);
    skeleton_to_model(&skeleton, rest, rest + count);
    for (int i = 0; i < g->leg_count; i++) g->feet[g->foot_count++] = g->legs[i].toes;
    if (g->leg_count) g->size = size_of_leg(g->legs, rest + count);
    else find_low_joints(g, rest + count), find_limbs(g), g->size = size_of_limbs(g, rest + count);
    find_heights(g, rest + count);
    find_hinges(g, rest + count);
  }
  mem_free(rest);
  return found;
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
    for (int foot = 0; foot < s->gait->leg_count; foot++) {
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
  bool known = s->gait->leg_count || are_feet(s);
  if (!known && !s->carries_hips) x = z = 0;
  close_gaps(s);
  find_steps(s, x, z, out);
  out->strides = known ? count_strides(s) : 0;
  doubt_steps(out);
  out->x = x;
  out->z = z;
  out->speed = sinew_hypot(x, z);
  if (out->speed >= least_speed * s->gait->size || lifts_feet(s)) out->kind = GAIT_MOVING;
  else out->kind = s->gait->foot_count ? GAIT_STANDING : GAIT_UNKNOWN;
  if (!known && !s->carries_hips) out->kind = GAIT_UNKNOWN;
  out->carries_hips = s->carries_hips;
  for (int foot = 0; foot < s->gait->leg_count; foot++) out->middle[foot] = middle_of(s, foot, x, z);
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
