#include "actor/sync/gait_search.h"

#include "base/memory/memory.h"
#include "math/elementary.h"
#include "model/body/body.h"
#include "model/model.h"
#include "pose/modifiers/posed.h"
#include "pose/motion/feet.h"

#include <math.h>
#include <stdlib.h>

/* Metres above its own lowest position: a foot touches the ground below the first height, until it is above the second.
 */
static const double touch_height = 0.02, leave_height = 0.035;
/* Seconds. */
static const double longest_gap = 0.12;
enum { MOST_MOMENTS = 2401 };

/* False for a joint that was taken for a foot, but never moves. */
static bool goes(const gait_search *s, int foot) {
  static const float least = 0.01f;
  const sinew_vec3 *p = s->positions[foot];
  bool moves = s->gait->leg_count > 0;
  for (int i = 1; i < s->moments && !moves; i++)
    moves = float_hypot(p[i].x - p[0].x, p[i].z - p[0].z) > least * (float)s->gait->size;
  return moves;
}

static bool watch_feet(gait_search *s) {
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

static float hips_over_feet(const gait_search *s, int moment) {
  float lowest = HUGE_VALF;
  for (int foot = 0; foot < s->gait->foot_count; foot++) lowest = fminf(lowest, s->positions[foot][moment].y);
  return search_position(s, s->gait->hips, search_time(s, moment)).y - lowest;
}

/* Who dies or lies down has the hips elsewhere in the end. */
static bool stays_up(const gait_search *s) {
  static const float most = 0.25f;
  if (s->gait->hips < 0 || s->gait->foot_count == 0) return true;
  return fabsf(hips_over_feet(s, s->moments - 1) - hips_over_feet(s, 0)) < most * (float)s->gait->size;
}

/* Who sits down or lunges moves the hips, and the feet stay. */
static bool feet_follow(const gait_search *s, double x, double z) {
  static const double least = 0.3; /* of the way of the hips */
  double most = -HUGE_VAL;
  for (int foot = 0; foot < s->gait->foot_count; foot++) {
    const sinew_vec3 *p = s->positions[foot], *end = p + s->moments - 1;
    most = fmax(most, ((double)(end->x - p->x) * x + (double)(end->z - p->z) * z) / s->clip->duration);
  }
  return s->gait->foot_count == 0 || most > least * (x * x + z * z);
}

void search_watch_hips(gait_search *s) {
  if (s->gait->hips < 0) return;
  sinew_vec3 from = search_position(s, s->gait->hips, 0), to = search_position(s, s->gait->hips, s->clip->duration);
  s->x = (double)(to.x - from.x) / s->clip->duration;
  s->z = (double)(to.z - from.z) / s->clip->duration;
  s->carries_hips =
      sinew_hypot(s->x, s->z) >= SEARCH_LEAST_SPEED * s->gait->size && feet_follow(s, s->x, s->z) && stays_up(s);
  if (!s->carries_hips) s->x = s->z = 0;
}

/* The speed of a foot over the ground while the root moves at (x, z). */
static double ground_speed(const gait_search *s, int foot, int moment, double x, double z) {
  int from = moment - s->smooth > 0 ? moment - s->smooth : 0;
  int to = moment + 1 + s->smooth < s->moments ? moment + 1 + s->smooth : s->moments - 1;
  sinew_vec3 a = s->positions[foot][from], b = s->positions[foot][to];
  double dt = (to - from) * search_interval(s);
  if (s->carries_hips) x = z = 0;
  return sinew_hypot((double)(b.x - a.x) / dt + x, (double)(b.z - a.z) / dt + z);
}

/* Of a recorded foot that stands the lowest moment, as it lands, is often below the ground: it stands higher than that.
 */
static const double sinks = 1.6;

static double height_of(const gait_search *s, int foot, int moment) {
  const sinew_vec3 *p = s->positions[foot] + moment;
  return (double)(fmaxf(p[0].y, p[1].y) - s->lowest[foot]) / s->gait->size / (s->smooth ? sinks : 1);
}

/* A slower foot is on the ground. In a gallop none is still for long. */
static double touch_speed(const gait_search *s, double x, double z) {
  static const double fast = 4;
  double speed = sinew_hypot(x, z) / s->gait->size, most = 0.3 + 0.1 * fmax(speed - fast, 0);
  return fmin(fmax(0.15 * speed, 0.15), most) * s->gait->size;
}

/* Goes round twice, so that the state at the end carries over to the beginning; `faster` may be infinite for no limit.
 */
void search_contacts(gait_search *s, double x, double z, double faster) {
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
static void close_gap(gait_search *s, int foot, int from) {
  int count = s->moments - 1, gap = 1;
  while (gap * search_interval(s) <= longest_gap && !s->down[foot][(from + gap) % count]) {
    if (height_of(s, foot, (from + gap) % count) > leave_height) return;
    gap++;
  }
  if (!s->down[foot][(from + gap) % count]) return;
  while (--gap > 0) s->down[foot][(from + gap) % count] = true;
}

void search_close_gaps(gait_search *s) {
  for (int foot = 0; foot < s->gait->foot_count; foot++)
    for (int i = 0; i + 1 < s->moments; i++)
      if (s->down[foot][i]) close_gap(s, foot, i);
}

static int by_value(const void *a, const void *b) {
  float left = *(const float *)a, right = *(const float *)b;
  return (left > right) - (left < right);
}

/* The search_median velocity of planted feet, reversed: one coordinate. */
double search_median(gait_search *s, bool along_x, double otherwise) {
  int count = 0;
  for (int foot = 0; foot < s->gait->foot_count; foot++)
    for (int i = 0; i + 1 < s->moments; i++) {
      sinew_vec3 a = s->positions[foot][i], b = s->positions[foot][i + 1];
      if (s->down[foot][i]) s->sorted[count++] = along_x ? a.x - b.x : a.z - b.z;
    }
  if (count == 0) return otherwise;
  qsort(s->sorted, (size_t)count, sizeof *s->sorted, by_value);
  return (double)(s->sorted[(count - 1) / 2] + s->sorted[count / 2]) / 2 / search_interval(s);
}

bool search_touches_down(const gait_search *s, int foot, int moment) {
  int before = moment ? moment - 1 : s->moments - 2;
  return s->down[foot][moment] && !s->down[foot][before];
}

double search_time_down(const gait_search *s, int foot, int moment) {
  int count = 0;
  while (count + 1 < s->moments && s->down[foot][(moment + count) % (s->moments - 1)]) count++;
  return count * search_interval(s);
}

/* Before it lifts, a foot rolls off slowly: it stands firmly until then. */
static double time_firm(const gait_search *s, int foot, int moment, double x, double z) {
  double touch = touch_speed(s, x, z);
  int count = 0;
  for (int i = 0; i + 1 < s->moments && s->down[foot][(moment + i) % (s->moments - 1)]; i++) {
    int k = (moment + i) % (s->moments - 1);
    if (height_of(s, foot, k) < touch_height && ground_speed(s, foot, k, x, z) < touch / 2) count = i + 1;
  }
  return count ? count * search_interval(s) : search_time_down(s, foot, moment);
}

static void find_steps(const gait_search *s, double x, double z, clip_gait *out) {
  out->step_count = 0;
  for (int i = 0; i + 1 < s->moments; i++)
    for (int foot = 0; foot < s->gait->stepping; foot++) {
      if (!search_touches_down(s, foot, i)) continue;
      if (out->step_count == GAIT_STEPS) {
        out->step_count = 0;
        return;
      }
      out->steps[out->step_count++] =
          (gait_step){search_time(s, i), search_time_down(s, foot, i), time_firm(s, foot, i, x, z), foot, 0, {0, 0, 0}};
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
static int count_strides(const gait_search *s) {
  int foot = 0, count = 0;
  while (foot < s->gait->foot_count && !s->goes[foot]) foot++;
  if (foot == s->gait->foot_count) return 0;
  for (int i = 0; i + 1 < s->moments; i++) count += search_touches_down(s, foot, i);
  return count;
}

static sinew_vec3 middle_of(const gait_search *s, int foot, double x, double z) {
  double sum_x = 0, sum_z = 0;
  int count = s->moments - 1;
  for (int i = 0; i < count; i++) {
    double gone = s->carries_hips ? search_time(s, i) : 0;
    sum_x += (double)s->positions[foot][i].x - gone * x;
    sum_z += (double)s->positions[foot][i].z - gone * z;
  }
  return (sinew_vec3){(float)(sum_x / count), 0, (float)(sum_z / count)};
}

/* Feet that tell a speed begin as they end, go to and fro, and those of a biped in turn. */
static bool walks(const gait_search *s, double x, double z) {
  static const float near = 0.15f;
  static const double apart = 0.1;
  double speed = fmax(sinew_hypot(x, z), 1e-9);
  int goers = 0, last = s->moments - 1;
  gait_step steps[GAIT_FEET];
  for (int foot = 0; foot < s->gait->foot_count; foot++) {
    const sinew_vec3 *p = s->positions[foot];
    if (float_hypot(p[last].x - p[0].x, p[last].z - p[0].z) > near * (float)s->gait->size) return false;
    goers += s->goes[foot] && search_reach(s, p, x / speed, z / speed, steps + goers) > 0;
  }
  double between = goers == GAIT_LEGS ? remainder(steps[1].time - steps[0].time, s->clip->duration) : HUGE_VAL;
  return goers >= GAIT_LEGS && stays_up(s) && fabs(between) > apart * s->clip->duration;
}

static sinew_vec3 ball_at(const gait_search *s, const clip_gait *gait, int side, double time) {
  double duration = s->clip->duration, within = time < 0 ? time + duration : time, gone = s->carries_hips ? within : 0;
  sinew_mat3x4 m = joint_position(s->gait->model, s->clip, s->gait->legs[side].toes, within);
  return (sinew_vec3){m.m[3] - (float)(gone * gait->x), m.m[7], m.m[11] - (float)(gone * gait->z)};
}

/* A foot arrives when its ball hardly goes on over the ground, and sinks until it comes down. */
static void find_arrival(const gait_search *s, const clip_gait *gait, gait_step *step) {
  static const double slow = 0.6, longest = 0.2, moment = 1.0 / SEARCH_RATE;
  sinew_vec3 next = ball_at(s, gait, step->leg, step->time);
  for (step->early = 0; step->early < longest; step->early += moment) {
    sinew_vec3 ball = ball_at(s, gait, step->leg, step->time - step->early - moment);
    double x = (double)(next.x - ball.x) / moment + gait->x, z = (double)(next.z - ball.z) / moment + gait->z;
    if (!(sinew_hypot(x, z) < slow * s->gait->size)) break;
    next = ball;
  }
  step->at = next;
}

static bool lifts_feet(const gait_search *s) {
  for (int foot = 0; foot < s->gait->foot_count; foot++)
    for (int i = 0; i + 1 < s->moments; i++)
      if (s->down[foot][i] != s->down[foot][0]) return true;
  return false;
}

/* Joints that are merely low move in any way; feet stand for a part of the time, all at one speed. */
static bool are_feet(const gait_search *s) {
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

/* ---- soles that never stand ---- */

/* Of all feet that which is nearest to its own lowest position; −1: they are all in the air. */
static int lowest_foot(const gait_search *s, int moment) {
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

static double middle_of_values(gait_search *s, int count) {
  qsort(s->sorted, (size_t)count, sizeof *s->sorted, by_value);
  return (double)(s->sorted[(count - 1) / 2] + s->sorted[count / 2]) / 2;
}

/* In free animation, soles slip and sink: the search_median of the lowest one's velocity is what the eye takes for the
 * speed, if most moments agree. False if they do not, or one foot bears everything. */
static bool read_lowest(gait_search *s, double *x, double *z) {
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
    *(pass ? z : x) = middle_of_values(s, count) / search_interval(s);
  }
  for (int i = 0; i + 1 < s->moments; i++) {
    int foot = lowest_foot(s, i);
    if (foot < 0) continue;
    const sinew_vec3 *p = s->positions[foot] + i;
    double off_x = (double)(p[0].x - p[1].x) / search_interval(s) - *x,
           off_z = (double)(p[0].z - p[1].z) / search_interval(s) - *z;
    near += sinew_hypot(off_x, off_z) < agree * sinew_hypot(*x, *z);
  }
  for (int foot = 0; foot < s->gait->foot_count; foot++) bearing += bore[foot] > count / 16;
  return sinew_hypot(*x, *z) > SEARCH_LEAST_SPEED * s->gait->size && near > most * count && bearing >= 2;
}

/* Its feet are paws or have soles, and no balls that bend. */
static bool has_soles(const gait_search *s) {
  const model_body *b = s->gait->model->body;
  const body_foot *f = b->feet;
  if (b->findings[SINEW_FINDING_FEET].evidence == SINEW_BY_TREE) return false; /* low ends of limbs, perhaps */
  return s->gait->foot_count > 2 || (s->gait->foot_count && (f->heel.x != 0 || f->heel.y != 0 || f->heel.z != 0));
}

/* The clip begins as it ends, as far as its soles tell. */
static bool loops(const gait_search *s) {
  static const float near = 0.03f;
  int last = s->moments - 1;
  for (int foot = 0; foot < s->gait->foot_count; foot++)
    if (fabsf(s->positions[foot][last].y - s->positions[foot][0].y) > near * (float)s->gait->size) return false;
  return true;
}

/* The mean velocity of the foot that is nearest to the ground: of feet that stop now and then. */
static bool read_mean(const gait_search *s, double *x, double *z) {
  static const double brisk = 0.3;
  int count = 0;
  *x = *z = 0;
  for (int i = 0; i + 1 < s->moments; i++) {
    int foot = lowest_foot(s, i);
    if (foot < 0) continue;
    const sinew_vec3 *p = s->positions[foot] + i;
    *x += (double)(p[0].x - p[1].x) / search_interval(s), *z += (double)(p[0].z - p[1].z) / search_interval(s), count++;
  }
  *x /= fmax(count, 1), *z /= fmax(count, 1);
  return sinew_hypot(*x, *z) > brisk * s->gait->size && loops(s);
}

/* How many times the usual speed a sole may have that slips. */
double search_slack(const gait_search *s, double x, double z) {
  static const double most = 3, of_speed = 0.5;
  return fmin(most, of_speed * sinew_hypot(x, z) / touch_speed(s, x, z));
}

/* Looks again at soles of which some were never seen to stand. */
static bool slip(gait_search *s, double *x, double *z) {
  static const double brisk = 0.4;
  double lowest_x = 0, lowest_z = 0, speed = sinew_hypot(*x, *z);
  search_contacts(s, *x, *z, search_slack(s, *x, *z));
  if (are_feet(s)) return true;
  bool read = read_lowest(s, &lowest_x, &lowest_z);
  if (!read && speed > brisk * s->gait->size) return loops(s);
  if (!read && !read_mean(s, &lowest_x, &lowest_z)) return false;
  *x = lowest_x, *z = lowest_z;
  search_contacts(s, *x, *z, search_slack(s, *x, *z));
  return true;
}

/* Every step lasts for a good part of its stride. */
static bool are_long(const gait_search *s, const clip_gait *gait) {
  static const double least = 0.2;
  for (int i = 0; i < gait->step_count; i++)
    if (gait->steps[i].down < least * s->clip->duration / fmax(gait->strides, 1)) return false;
  return gait->step_count > 0;
}

/* The feet on the ground determine the speed, and the speed determines which feet are on the ground, so this
 * iterates. */
void search_gait(gait_search *s, clip_gait *out) {
  search_watch_hips(s);
  double x = s->x, z = s->z;
  for (int pass = 0; pass < SEARCH_PASSES && s->gait->foot_count; pass++) {
    search_contacts(s, x, z, pass ? 1 : HUGE_VAL);
    if (s->carries_hips) continue;
    x = search_median(s, true, x);
    z = search_median(s, false, z);
  }
  bool stand = are_feet(s), known = s->gait->leg_count || stand;
  if (!stand && !s->carries_hips && has_soles(s)) known |= slip(s, &x, &z);
  if (!s->carries_hips && (!known || !walks(s, x, z))) x = z = 0;
  search_close_gaps(s);
  if (known) find_steps(s, x, z, out);
  out->strides = known ? count_strides(s) : 0;
  doubt_steps(out);
  out->x = x;
  out->z = z;
  out->speed = sinew_hypot(x, z);
  if (out->speed >= SEARCH_LEAST_SPEED * s->gait->size || lifts_feet(s)) out->kind = GAIT_MOVING;
  else out->kind = s->gait->foot_count ? GAIT_STANDING : GAIT_UNKNOWN;
  if (!known && !s->carries_hips) out->kind = GAIT_UNKNOWN;
  out->carries_hips = s->carries_hips;
  bool slips = has_soles(s) && s->gait->stepping && !s->carries_hips;
  if (slips && out->kind == GAIT_MOVING && out->speed > 0) search_step_by_reach(s, out);
  out->clean = stand && !slips && are_long(s, out);
  search_find_reaches(s, out);
  for (int foot = 0; foot < s->gait->stepping; foot++) out->middle[foot] = middle_of(s, foot, x, z);
  for (int i = 0; i < out->step_count && s->gait->leg_count; i++) find_arrival(s, out, out->steps + i);
}

bool search_begin(gait_search *s) {
  s->moments = (int)fmin(ceil(s->clip->duration * SEARCH_RATE) + 1, MOST_MOMENTS);
  if (s->moments < 2) return true;
  size_t moments = (size_t)s->moments;
  sinew_vec3 *positions = mem_alloc_array((GAIT_FEET + 1) * moments, sizeof *positions);
  bool *down = mem_alloc_array(GAIT_FEET * moments, sizeof *down);
  s->sorted = mem_alloc_array(GAIT_FEET * moments, sizeof *s->sorted);
  for (int foot = 0; foot < GAIT_FEET; foot++) {
    s->positions[foot] = positions ? positions + (size_t)foot * moments : NULL;
    s->down[foot] = down ? down + (size_t)foot * moments : NULL;
  }
  s->ankle = positions ? positions + GAIT_FEET * moments : NULL;
  return positions && down && s->sorted && watch_feet(s);
}

void search_end(gait_search *s) {
  mem_free(s->positions[0]);
  mem_free(s->down[0]);
  mem_free(s->sorted);
}
