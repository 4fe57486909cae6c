/* Which way a body faces, by votes: its toes, its soles, the way it travels in its clips, and the sides in its names.
 */
#include "math/quat.h"
#include "math/vec3.h"
#include "model/body/body.h"

#include <math.h>
#include <string.h>

/* A vote has its weight in its length, and its direction over the ground. */
typedef struct votes {
  sinew_vec3 names, toes, soles, travel;
} votes;

static sinew_vec3 level(const body_search *s, int from, int to) {
  if (from < 0 || to < 0) return (sinew_vec3){0, 0, 0};
  sinew_vec3 way = vec3_sub(s->placed[to].translation, s->placed[from].translation);
  return (sinew_vec3){way.x, 0, way.z};
}

static sinew_vec3 of_length(sinew_vec3 v, float length) {
  return vec3_scale(vec3_unit(v, (sinew_vec3){0, 0, 0}), length);
}

/* ---- names ---- */

/* From the body's right to its left, as names have it. */
static sinew_vec3 across_body(const body_search *s) {
  static const limb_slot slots[] = {LIMB_THIGH, LIMB_UPPER_ARM, LIMB_FOOT, LIMB_HAND};
  const humanoid *h = &s->out->person;
  sinew_vec3 across = {0, 0, 0};
  for (int i = 0; i < 4 && !(vec3_length(across) > 0); i++)
    across = level(s, h->limbs[1][slots[i]], h->limbs[0][slots[i]]);
  return across;
}

/* ---- toes and soles ---- */

static void ask_feet(const body_search *s, votes *v) {
  const model_body *b = s->out;
  for (int i = 0; i < b->foot_count; i++) {
    const body_foot *f = b->feet + i;
    if (f->toes >= 0 && f->toes != f->foot) v->toes = vec3_add(v->toes, level(s, f->foot, f->toes));
    const body_sole *sole = s->e->soles ? s->e->soles + f->contact : NULL;
    if (!sole || !sole->count || f->toes >= 0) continue;
    bool is_tail = f->contact < f->foot && skeleton_is_above(s->skeleton, f->contact, f->foot);
    sinew_vec3 ankle = s->placed[is_tail ? f->contact : f->foot].translation;
    v->soles.x += sole->sole_high.x + sole->sole_low.x - 2 * ankle.x;
    v->soles.z += sole->sole_high.z + sole->sole_low.z - 2 * ankle.z;
  }
}

/* ---- travel ---- */

enum { MOST_CLIPS = 24, MOMENTS = 25 };

/* The ends of each sole, and the hips. */
typedef struct walk {
  sinew_vec3 soles[BODY_FEET][2], hips;
} walk;

static sinew_vec3 posed(const sinew_transform *t, sinew_vec3 p) {
  sinew_vec3 scaled = {p.x * t->scale.x, p.y * t->scale.y, p.z * t->scale.z};
  return vec3_add(t->translation, quat_rotate(t->rotation, scaled));
}

static bool bends(const body_search *s, int toes) {
  for (int i = 0; i < s->bending_count; i++)
    if (s->bending[i] == toes) return true;
  return false;
}

/* By more than 3 degrees from its rest. */
static void watch_toes(body_search *s, const body_foot *f) {
  if (f->toes < 0 || bends(s, f->toes)) return;
  sinew_quat rest = sinew_quat_multiply(quat_conjugate(s->placed[f->foot].rotation), s->placed[f->toes].rotation);
  sinew_quat now = sinew_quat_multiply(quat_conjugate(s->moved[f->foot].rotation), s->moved[f->toes].rotation);
  if (fabsf(quat_dot(rest, now)) < 0.99966f) s->bending[s->bending_count++] = f->toes;
}

static void look(body_search *s, int clip, double time, walk *out) {
  const model_body *b = s->out;
  const body_clips *clips = s->e->clips;
  clips->pose(clips->user, clip, time, s->moved);
  for (int i = 0; i < b->foot_count; i++) {
    const body_foot *f = b->feet + i;
    watch_toes(s, f);
    out->soles[i][0] = posed(s->moved + f->contact, f->heel);
    out->soles[i][1] = posed(s->moved + f->contact, f->ball);
  }
  int hips = b->person.hips > 0 ? b->person.hips : b->feet[0].thigh > 0 ? b->feet[0].thigh : 1;
  out->hips = s->moved[hips].translation;
}

/* Of the ends of all soles, the one that is lowest at both moments. */
static int lowest_end(const body_search *s, const walk *before, const walk *now) {
  int lowest = 0;
  for (int k = 1; k < 2 * s->out->foot_count; k++)
    if (before->soles[k / 2][k % 2].y + now->soles[k / 2][k % 2].y <
        before->soles[lowest / 2][lowest % 2].y + now->soles[lowest / 2][lowest % 2].y)
      lowest = k;
  return lowest;
}

/* A gait ends as it began, and at least two feet bear it in turn. */
static bool is_gait(const body_search *s, const walk *first, const walk *last, unsigned bore) {
  float apart = 0;
  for (int k = 0; k < s->out->foot_count; k++) {
    sinew_vec3 from = vec3_sub(first->soles[k][0], first->hips), to = vec3_sub(last->soles[k][0], last->hips);
    apart = fmaxf(apart, vec3_distance(from, to));
  }
  return apart < 0.2f * s->out->size && (bore & (bore - 1));
}

/* While the body passes over the lowest foot, that foot goes back under it. `trust`: 0 … 1. */
static sinew_vec3 travel_of(body_search *s, int clip, float *trust) {
  static const float straight = 0.6f, other = 0.1f;
  const body_clips *clips = s->e->clips;
  double seconds = fmin(clips->seconds(clips->user, clip), 4);
  walk first, before, now;
  sinew_vec3 sum = {0, 0, 0};
  float way = 0;
  unsigned bore = 0;
  *trust = 0;
  if (!(seconds > 0.2)) return sum;
  look(s, clip, 0, &first);
  before = first;
  for (int i = 1; i < MOMENTS; i++, before = now) {
    look(s, clip, seconds * i / (MOMENTS - 1), &now);
    int low = lowest_end(s, &before, &now);
    sinew_vec3 foot = vec3_sub(now.soles[low / 2][low % 2], before.soles[low / 2][low % 2]);
    sinew_vec3 step = vec3_sub(vec3_sub(now.hips, before.hips), foot);
    step.y = 0;
    sum = vec3_add(sum, step), way += vec3_length(step), bore |= 1u << low / 2;
  }
  if (vec3_length(sum) > straight * way) *trust = is_gait(s, &first, &now, bore) ? 1 : other;
  return vec3_scale(sum, (float)(1 / seconds));
}

static void ask_clips(body_search *s, votes *v) {
  static const float slow = 0.4f, fast = 4;
  int count = s->e->clips ? s->e->clips->count : 0, asked = count < MOST_CLIPS ? count : MOST_CLIPS;
  float all = 0;
  if (s->out->foot_count < 2) return;
  for (int i = 0; i < asked; i++) {
    float trust, speed;
    sinew_vec3 travel = travel_of(s, (int)((int64_t)i * count / asked), &trust);
    speed = vec3_length(travel) / s->out->size;
    if (!(trust > 0) || speed < slow) continue;
    v->travel = vec3_add(v->travel, of_length(travel, trust * fminf(speed, fast)));
    all += trust * fminf(speed, fast);
  }
  if (all > 0) v->travel = vec3_scale(v->travel, 1 / all);
}

/* ---- the decision ---- */

static float along(sinew_vec3 vote, sinew_vec3 front) { return vec3_dot(vote, front); }

static sinew_vec3 nearest_axis(sinew_vec3 v) {
  static const float clear = 0.8f;
  if (fabsf(v.x) > clear * vec3_length(v)) return (sinew_vec3){copysignf(1, v.x), 0, 0};
  return (sinew_vec3){0, 0, v.z < -clear * vec3_length(v) ? -1 : 1};
}

static void exchange(model_body *b) {
  humanoid *h = &b->person;
  int32_t limbs[LIMB_COUNT], fingers[HUMANOID_FINGERS][HUMANOID_SEGMENTS];
  memcpy(limbs, h->limbs[0], sizeof limbs);
  memcpy(h->limbs[0], h->limbs[1], sizeof limbs);
  memcpy(h->limbs[1], limbs, sizeof limbs);
  memcpy(fingers, h->fingers[0], sizeof fingers);
  memcpy(h->fingers[0], h->fingers[1], sizeof fingers);
  memcpy(h->fingers[1], fingers, sizeof fingers);
}

/* Left is where up × forward points. */
static void sort_feet(body_search *s) {
  model_body *b = s->out;
  sinew_vec3 front = b->front, left = {front.z, 0, -front.x};
  for (int i = 0; i + 1 < b->foot_count; i += 2) {
    sinew_vec3 way = level(s, b->feet[i + 1].foot, b->feet[i].foot);
    if (vec3_dot(way, left) < 0) {
      body_foot foot = b->feet[i];
      b->feet[i] = b->feet[i + 1], b->feet[i + 1] = foot;
    }
    b->feet[i].side = 1, b->feet[i + 1].side = -1;
  }
  for (int i = 0; i + 3 < b->foot_count; i += 2) /* hind feet first: a bubble of at most four pairs */
    for (int k = 0; k + 3 < b->foot_count - i; k += 2) {
      if (vec3_dot(level(s, b->feet[k].foot, b->feet[k + 2].foot), front) >= 0) continue;
      body_foot pair[2] = {b->feet[k], b->feet[k + 1]};
      b->feet[k] = b->feet[k + 2], b->feet[k + 1] = b->feet[k + 3];
      b->feet[k + 2] = pair[0], b->feet[k + 3] = pair[1];
    }
  for (int i = 2; i < b->foot_count; i++) b->feet[i].is_front = 1;
}

static float clarity(sinew_vec3 way, float whole) { return fminf(vec3_length(way) / whole, 1); }

static votes hear(body_search *s, bool named) {
  static const float for_names = 1, for_toes = 1.5f, for_soles = 0.6f, for_travel = 0.9f, of_figure = 1.3f;
  votes v = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  float size = s->out->size, for_sole = s->out->foot_count > 2 ? for_soles / 3 : for_soles;
  if (named) {
    sinew_vec3 across = across_body(s);
    v.names = of_length((sinew_vec3){-across.z, 0, across.x}, for_names);
  }
  ask_feet(s, &v);
  ask_clips(s, &v);
  v.toes = of_length(v.toes, for_toes * clarity(v.toes, 0.06f * size));
  v.soles = of_length(v.soles, for_sole * clarity(v.soles, 0.15f * size));
  v.travel = vec3_scale(v.travel, s->e->soles ? of_figure : for_travel);
  return v;
}

/* Low ends of limbs, in a file with clips of which none shows them standing under a body that passes: flippers, wings.
 */
static bool stand(const body_search *s, const votes *v) {
  bool guessed = s->out->findings[SINEW_FINDING_FEET].evidence == SINEW_BY_MESH ||
                 s->out->findings[SINEW_FINDING_FEET].evidence == SINEW_BY_TREE;
  return !guessed || !s->e->clips || s->e->clips->count == 0 || vec3_length(v->travel) > 0;
}

static void finish_feet(body_search *s) {
  for (int i = 0; i < s->out->foot_count; i++) {
    body_foot *f = s->out->feet + i;
    bool is_persons = s->out->foot_count == 2;
    bool moves = s->e->clips && s->e->clips->count;
    bool rolls = f->toes >= 0 && (moves ? bends(s, f->toes) : !s->e->soles || s->e->soles[f->toes].count);
    if (rolls && is_persons) f->contact = f->toes, f->heel = f->ball = (sinew_vec3){0, 0, 0};
    else body_find_sole(s, f);
    body_find_corners(s, f);
  }
}

void body_find_front(body_search *s) {
  model_body *b = s->out;
  bool named = vec3_length(across_body(s)) > 0;
  for (int i = 0; i < b->foot_count; i++) body_find_sole(s, b->feet + i);
  votes v = hear(s, named);
  if (!stand(s, &v)) {
    b->foot_count = 0;
    b->findings[SINEW_FINDING_FEET] = (sinew_finding){SINEW_BY_NOTHING, 0};
    v = (votes){.names = v.names};
    b->front = (sinew_vec3){0, 0, 1};
  }
  sinew_vec3 other = vec3_add(vec3_add(v.toes, v.soles), v.travel);
  sinew_vec3 guess = vec3_length(v.names) > 0 ? v.names : vec3_length(b->front) > 0 ? b->front : (sinew_vec3){0, 0, 1};
  sinew_vec3 axis = nearest_axis(guess);
  float against = along(other, axis), whole = along(v.names, axis) + against;
  float others = fabsf(along(v.toes, axis)) + fabsf(along(v.soles, axis)) + fabsf(along(v.travel, axis));
  b->front = whole < 0 ? vec3_scale(axis, -1) : axis;
  b->front = vec3_add(b->front, (sinew_vec3){0, 0, 0}); /* no −0 */
  b->exchanged = named && whole < 0;
  if (b->exchanged) exchange(b);
  if (b->foot_count) sort_feet(s), finish_feet(s);
  sinew_evidence by = fabsf(along(v.toes, axis)) > 0.3f     ? SINEW_BY_TREE
                      : fabsf(along(v.travel, axis)) > 0.3f ? SINEW_BY_MOTION
                      : fabsf(along(v.soles, axis)) > 0.1f  ? SINEW_BY_MESH
                      : vec3_length(v.names) > 0            ? SINEW_BY_NAMES
                                                            : SINEW_BY_NOTHING;
  float told = b->exchanged ? -against / (others + 0.5f) : others > 0 || named ? fabsf(whole) / (others + named) : 0;
  sinew_finding found = {(int32_t)by, told};
  b->findings[SINEW_FINDING_FRONT] = b->findings[SINEW_FINDING_SIDES] = found;
}
