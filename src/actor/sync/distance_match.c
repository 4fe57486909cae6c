#include "actor/sync/distance_match.h"

#include "base/memory/memory.h"
#include "model/model.h"

#include <sinew/motion.h>

#include <math.h>

enum { RATE = 120, MOST_MOMENTS = 2401 };

/* Metres and radians: a smaller total is no displacement, and no rotation. */
static const double least_travel = 0.02, least_turn = 0.1;
/* Metres: how far a start has travelled when it becomes visible, since most stand for a while at first. Likewise, how
 * much of a stop or a turn is left when the rest runs by time; radians. */
static const double plateau = 0.01, nearly_there = 0.02, nearly_turned = 0.03;
/* Relative to the clip's own speed. The feet of a start and a stop for 4 m/s² drift 13 cm at 2 m/s² and 19 cm at 9 with
 * these; with 0.75 and 1.25, as in Unreal, 15 and 17; with 0.25 and 3, 20 and 19. */
static const double slowest = 0.5, fastest = 2;

static const double pi = 3.14159265358979323846;

/* ---- finding ---- */

typedef struct finding {
  const sinew_model *model;
  const sinew_clip *clip;
  int count;
  sinew_vec3 *positions; /* of the root at each moment; y is its yaw, unwrapped */
} finding;

static double time_of(const finding *f, int moment) { return f->clip->duration * moment / (f->count - 1); }

static double near_to(double angle, double before) { return angle - 2 * pi * floor((angle - before) / (2 * pi) + 0.5); }

static void watch_root(const finding *f, int root) {
  const sinew_root_track track = {f->model, f->clip, root, SINEW_ROOT_X | SINEW_ROOT_Z | SINEW_ROOT_YAW};
  double yaw = 0;
  for (int i = 0; i < f->count; i++) {
    sinew_transform t = sinew_transform_identity();
    if (root >= 0) sinew_root_motion(&(sinew_root_motion_job){track, 0, time_of(f, i), 0, 0, 0, &t});
    yaw = near_to(2 * sinew_atan2((double)t.rotation.y, (double)t.rotation.w), yaw);
    f->positions[i] = (sinew_vec3){t.translation.x, (float)yaw, t.translation.z};
  }
}

static double displacement_of(const finding *f) {
  const sinew_vec3 *end = f->positions + f->count - 1;
  return sinew_hypot((double)(end->x - f->positions->x), (double)(end->z - f->positions->z));
}

/* A clip that turns round may end where it began. */
static double reach_of(const finding *f) {
  const sinew_vec3 *p = f->positions;
  double farthest = 0;
  for (int i = 1; i < f->count; i++)
    farthest = fmax(farthest, sinew_hypot((double)(p[i].x - p->x), (double)(p[i].z - p->z)));
  return farthest;
}

/* The yaw stays the root's. */
static void watch_feet(const finding *f, const int *feet, int foot_count, double size) {
  sinew_vec3 *path = mem_alloc_array((size_t)f->count, sizeof *path);
  bool found = path && foot_count > 0 &&
               sinew_root_from_feet(&(sinew_root_from_feet_job){f->model, f->clip, feet, foot_count,
                                                                (float)(0.02 * fmax(size, 0.01)), path, f->count});
  for (int i = 0; found && i < f->count; i++) f->positions[i].x = path[i].x, f->positions[i].z = path[i].z;
  mem_free(path);
}

static void lay_down(clip_course *c, const finding *f) {
  double length = displacement_of(f), sign;
  const sinew_vec3 *end = f->positions + f->count - 1;
  bool travels = length >= least_travel * c->size;
  c->x = travels ? (double)(end->x - f->positions->x) / length : 0;
  c->z = travels ? (double)(end->z - f->positions->z) / length : 0;
  c->reach = reach_of(f);
  c->angle = fabs((double)end->y) >= least_turn ? (double)end->y : 0;
  sign = c->angle < 0 ? -1 : 1;
  for (int i = 0; i < c->count; i++) {
    const sinew_vec3 *p = f->positions + i;
    double along = (double)(p->x - f->positions->x) * c->x + (double)(p->z - f->positions->z) * c->z;
    double turned = c->angle != 0 ? sign * (double)p->y : 0;
    c->travel[i] = (float)fmax(along, i ? (double)c->travel[i - 1] : 0);
    c->turning[i] = (float)fmax(turned, i ? (double)c->turning[i - 1] : 0);
  }
}

void course_find(clip_course *c, const sinew_model *model, int clip, int root, const int *feet, int foot_count,
                 double size) {
  finding f = {.model = model, .clip = model->clips + clip};
  c->known = true;
  if (!(f.clip->duration > 0)) return;
  f.count = (int)fmin(ceil(f.clip->duration * RATE) + 1, MOST_MOMENTS);
  f.positions = mem_alloc_array((size_t)f.count, sizeof *f.positions);
  c->travel = mem_alloc_array((size_t)f.count, sizeof *c->travel);
  c->turning = mem_alloc_array((size_t)f.count, sizeof *c->turning);
  if (f.positions && c->travel && c->turning) {
    c->count = f.count;
    watch_root(&f, root);
    bool travels = reach_of(&f) >= least_travel * c->size;
    if (!travels) watch_feet(&f, feet, foot_count, size);
    lay_down(c, &f);
    c->axes = (travels ? SINEW_ROOT_X | SINEW_ROOT_Z : 0) | (c->angle != 0 ? SINEW_ROOT_YAW : 0);
  }
  mem_free(f.positions);
}

void course_free(clip_course *c) {
  mem_free(c->travel);
  mem_free(c->turning);
  *c = (clip_course){0};
}

/* ---- asking ---- */

static double value_at(const float *values, int count, double duration, double time) {
  if (count < 2) return 0;
  double at = fmin(fmax(time / duration, 0), 1) * (count - 1);
  int i = (int)fmin(at, count - 2);
  return (double)values[i] + (at - i) * (double)(values[i + 1] - values[i]);
}

double course_travelled(const clip_course *c, double duration, double time) {
  return value_at(c->travel, c->count, duration, time);
}

double course_turned(const clip_course *c, double duration, double time) {
  return value_at(c->turning, c->count, duration, time);
}

/* The first time at which the values reach that one. */
static double time_at(const float *values, int count, double duration, double value) {
  int low = 0, high = count - 1;
  if (value <= (double)values[0]) return 0;
  if (value > (double)values[high]) return duration;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if ((double)values[middle] < value) low = middle;
    else high = middle;
  }
  double rise = (double)(values[high] - values[low]);
  return duration * (low + (rise > 0 ? (value - (double)values[low]) / rise : 1)) / (count - 1);
}

/* ---- moving ---- */

static bool has_course(const clip_course *c, sinew_match match) {
  if (c->count < 2) return false;
  return match == SINEW_MATCH_TURN ? c->angle != 0 : c->x != 0 || c->z != 0;
}

/* Radians that the clip leaves to another turn. */
static double beyond(const clip_course *c, double duration, const playback *p) {
  double own = course_turned(c, duration, p->begin + p->duration) - course_turned(c, duration, p->begin);
  return fmax(p->matched - COURSE_MOST_TURNED * own, 0);
}

/* The moment at which the clip matches. The playback keeps the measure with which it began: how far the actor had come,
 * or how far it had to turn. */
static double find_target(const clip_course *c, double duration, playback *p, course_step s, bool begins) {
  const double end = p->begin + p->duration;
  if (s.match == SINEW_MATCH_TRAVELLED) {
    p->matched = (begins ? 0 : p->matched) + s.value;
    double from = course_travelled(c, duration, p->begin);
    return time_at(c->travel, c->count, duration, from + fmax(p->matched, plateau * c->size));
  }
  if (s.match == SINEW_MATCH_TO_STOP) {
    p->matched = s.value;
    return time_at(c->travel, c->count, duration, course_travelled(c, duration, end) - s.value);
  }
  if (begins) p->matched = s.value;
  double others = beyond(c, duration, p), whole = p->matched - others;
  double left = whole > 0 ? fmin(fmax(s.value - others, 0) / whole, 1) : 0;
  double first = course_turned(c, duration, p->begin), last = course_turned(c, duration, end);
  return time_at(c->turning, c->count, duration, last - left * (last - first));
}

static bool goes_by_time(const clip_course *c, double duration, const playback *p, course_step s) {
  if (s.match == SINEW_MATCH_TO_STOP) return s.value < nearly_there * c->size;
  return s.match == SINEW_MATCH_TURN && s.value < beyond(c, duration, p) + nearly_turned;
}

/* Until a clip begins to turn or to travel, any of its moments matches. */
static bool waits(const clip_course *c, double duration, course_step s, double target, double now) {
  static const double least = 1e-4;
  bool turns = s.match == SINEW_MATCH_TURN;
  const float *values = turns ? c->turning : c->travel;
  return target <= now && value_at(values, c->count, duration, now) <=
                              value_at(values, c->count, duration, target) + least * (turns ? 1 : c->size);
}

/* Gives it a speed, so that an inertial transition has one to continue: a start has that of its actor. */
static void begin_at(const clip_course *c, double duration, playback *p, course_step s, double target) {
  double own = p->speed * s.dt;
  double length = course_travelled(c, duration, target + own) - course_travelled(c, duration, target);
  double fraction = s.match == SINEW_MATCH_TRAVELLED && length > 0 ? fmin(s.value / length, fastest) : 1;
  playback_seek(p, target - fraction * own);
  playback_advance(p, (target - playback_time(p)) / p->speed);
}

void course_advance(const clip_course *c, double duration, playback *p, course_step s) {
  bool begins = isnan(p->matched);
  if (!has_course(c, s.match) || !(p->speed > 0) || !(s.dt > 0)) {
    playback_advance(p, s.dt);
    return;
  }
  double target = find_target(c, duration, p, s, begins), now = playback_time(p), own = p->speed * s.dt;
  if (begins && s.match != SINEW_MATCH_TURN && target > now) {
    begin_at(c, duration, p, s, target);
    return;
  }
  bool by_time =
      goes_by_time(c, duration, p, s) || (s.match != SINEW_MATCH_TRAVELLED && waits(c, duration, s, target, now));
  playback_advance(p, by_time ? s.dt : fmin(fmax(target - now, slowest * own), fastest * own) / p->speed);
}
