/* The feet of a figure whose names tell no legs: joints whose vertices reach the ground, in pairs of left and right. */
#include "math/quat.h"
#include "math/vec3.h"
#include "model/body/body.h"
#include "model/names/joint_name.h"

#include <math.h>
#include <string.h>

enum { MOST = 16 };

typedef struct candidates {
  body_search *s;
  int joints[MOST];       /* what stands on the ground … */
  int contacts[MOST];     /* … and which joint below it has its sole */
  sinew_vec3 soles[MOST]; /* their middles */
  int count;
} candidates;

static float height_of(const body_search *s) { return s->top - s->floor; }

static sinew_vec3 middle_of(const body_sole *sole) {
  sinew_vec3 middle = vec3_scale(vec3_add(sole->sole_low, sole->sole_high), 0.5f);
  return (sinew_vec3){middle.x, sole->low.y, middle.z};
}

/* A robe, or a body without legs, reaches the ground from far above. */
static bool reaches_ground(const body_search *s, int joint) {
  static const float near = 0.05f, tall = 0.45f;
  const body_sole *sole = s->e->soles + joint;
  return sole->count && sole->low.y < s->floor + near * height_of(s) &&
         sole->high.y - sole->low.y < tall * height_of(s);
}

/* Without a mesh, ends of limbs that are low at rest. */
static bool is_low_end(const body_search *s, int joint) {
  static const float low = 0.12f;
  if (s->placed[joint].translation.y > s->floor + low * height_of(s)) return false;
  for (int i = joint + 1; i < s->skeleton->count; i++)
    if (s->skeleton->parents[i] == joint) return false;
  return true;
}

/* A foot and the end of the chain that follows it are in one place: the one with more of the mesh is meant. */
static int same_place(const candidates *c, int joint) {
  static const float near = 0.08f;
  for (int i = 0; c->s->e->soles && i < c->count; i++)
    if (vec3_distance(c->soles[i], middle_of(c->s->e->soles + joint)) < near * height_of(c->s)) return i;
  return -1;
}

static void add(candidates *c, int joint) {
  const body_search *s = c->s;
  for (int i = 0; i < c->count; i++) {
    if (!skeleton_is_above(s->skeleton, c->joints[i], joint)) continue;
    /* toes: the lower of the two has the sole */
    if (s->e->soles && s->e->soles[joint].low.y <= s->e->soles[c->contacts[i]].low.y + 0.01f * height_of(s))
      c->contacts[i] = joint, c->soles[i] = middle_of(s->e->soles + joint);
    return;
  }
  int at = same_place(c, joint);
  if (at >= 0 && s->e->soles[c->joints[at]].count >= s->e->soles[joint].count) return;
  if (at < 0 && c->count == MOST) return;
  if (at < 0) at = c->count++;
  c->joints[at] = c->contacts[at] = joint;
  c->soles[at] = s->e->soles ? middle_of(s->e->soles + joint) : s->placed[joint].translation;
}

static void list(candidates *c) {
  for (int i = 1; i < c->s->skeleton->count; i++)
    if (c->s->e->soles ? reaches_ground(c->s, i) : is_low_end(c->s, i)) add(c, i);
}

/* ---- pairs ---- */

typedef struct pairing {
  int partners[MOST];
  int count;
  float error; /* the mean of how far pairs are from being mirrored */
} pairing;

static float across(sinew_vec3 p, int axis) { return axis ? p.z : p.x; }

/* Whether names that have sides contradict: "BackFoot.L" is no partner of "BackLeg.R". */
static bool names_differ(const candidates *c, int i, int j) {
  const char *const *names = c->s->skeleton->names;
  char a[JOINT_PLAIN_SIZE], b[JOINT_PLAIN_SIZE];
  const char *first = names[c->joints[i]], *second = names[c->joints[j]];
  if (!first || !second) return false;
  joint_side left = joint_name_plain(first, NULL, a), right = joint_name_plain(second, NULL, b);
  a[strcspn(a, "0123456789")] = b[strcspn(b, "0123456789")] = '\0'; /* numbers of joints */
  return left != SIDE_NONE && right != SIDE_NONE && (left == right || strcmp(a, b) != 0);
}

/* The middle of the mesh, or of the candidates. */
static float middle_across(const candidates *c, int axis) {
  float low = INFINITY, high = -INFINITY, sum = 0;
  for (int i = 0; i < c->count; i++) sum += across(c->soles[i], axis) / (float)c->count;
  for (int i = 1; c->s->e->soles && i < c->s->skeleton->count; i++) {
    const body_sole *sole = c->s->e->soles + i;
    if (sole->count) low = fminf(low, across(sole->low, axis)), high = fmaxf(high, across(sole->high, axis));
  }
  return low < high ? (low + high) / 2 : sum;
}

/* Distance from being mirrored at a plane across the axis; infinite for two on one side. */
static float mirror_error(const candidates *c, int i, int j, int axis, float plane) {
  float least = 0.01f * height_of(c->s), a = across(c->soles[i], axis) - plane, b = across(c->soles[j], axis) - plane;
  float along = across(c->soles[i], !axis) - across(c->soles[j], !axis), up = c->soles[i].y - c->soles[j].y;
  if (names_differ(c, i, j) || a * b >= 0 || fabsf(a) < least || fabsf(b) < least) return INFINITY;
  return fabsf(a + b) + fabsf(along) + fabsf(up);
}

static pairing pair_up(const candidates *c, int axis) {
  static const float most = 0.35f;
  pairing p = {.count = 0};
  float plane = middle_across(c, axis);
  for (int i = 0; i < c->count; i++) p.partners[i] = -1;
  for (;;) {
    float best = most * height_of(c->s);
    int a = -1, b = -1;
    for (int i = 0; i < c->count; i++)
      for (int j = i + 1; j < c->count; j++) {
        if (p.partners[i] >= 0 || p.partners[j] >= 0) continue;
        float error = mirror_error(c, i, j, axis, plane);
        if (error < best) best = error, a = i, b = j;
      }
    if (a < 0) break;
    p.partners[a] = b, p.partners[b] = a, p.count += 2;
    p.error += 2 * best;
  }
  if (p.count) p.error /= (float)p.count;
  return p;
}

/* ---- limbs ---- */

static bool carries_another(const candidates *c, int joint, int foot) {
  for (int i = 0; i < c->count; i++)
    if (c->joints[i] != foot && skeleton_is_above(c->s->skeleton, joint, c->joints[i])) return true;
  return false;
}

/* A foot that hangs elsewhere belongs to the chain whose end is near it: the shin's tail is a joint without children.
 */
static int nearest_end(const candidates *c, int foot) {
  static const float reach = 0.2f;
  const skeleton_view *k = c->s->skeleton;
  float best = reach * height_of(c->s);
  int found = -1;
  for (int i = 1; i < k->count; i++) {
    int shin = k->parents[i], thigh = shin > 0 ? k->parents[shin] : -1;
    if (thigh <= 0 || skeleton_is_above(k, foot, i) || carries_another(c, thigh, -1)) continue;
    float distance = vec3_distance(c->s->placed[i].translation, c->s->placed[foot].translation);
    if (distance < best) best = distance, found = i;
  }
  return found;
}

static void find_limb(const candidates *c, int candidate, body_foot *f) {
  const int32_t *parents = c->s->skeleton->parents;
  int end = f->foot, shin = parents[end];
  if (shin <= 0 || parents[shin] <= 0 || carries_another(c, parents[shin], candidate)) {
    end = nearest_end(c, f->foot);
    if (end < 0) return;
    shin = parents[end];
  }
  f->shin = shin;
  f->thigh = parents[shin];
}

/* A shin whose end touches the ground without a foot has a tail there, as a rule. */
static void find_tail(const candidates *c, body_foot *f) {
  const skeleton_view *k = c->s->skeleton;
  float high = 0.12f * height_of(c->s), floor = c->s->floor;
  if (c->s->placed[f->foot].translation.y - floor < high) return;
  for (int i = f->foot + 1; i < k->count; i++)
    if (k->parents[i] == f->foot && c->s->placed[i].translation.y - floor < high) {
      f->foot = i;
      return;
    }
}

static void add_foot(const candidates *c, int i, int side) {
  model_body *b = c->s->out;
  body_foot f = {-1, -1, c->joints[i], -1, c->contacts[i], .side = side};
  find_tail(c, &f);
  if (f.contact > f.foot) f.toes = f.contact;
  find_limb(c, c->joints[i], &f);
  b->feet[b->foot_count++] = f;
}

/* Sides follow from the front; until it is known, the first of a pair is at +x, or at −z. */
void body_find_ground(body_search *s) {
  candidates c = {.s = s};
  if (!(height_of(s) > 0)) return;
  list(&c);
  pairing x = pair_up(&c, 0), z = pair_up(&c, 1);
  int axis = z.count > x.count || (z.count == x.count && z.error < x.error);
  const pairing *p = axis ? &z : &x;
  s->out->front = axis ? (sinew_vec3){1, 0, 0} : (sinew_vec3){0, 0, 1};
  for (int i = 0; i < c.count && s->out->foot_count + 2 <= BODY_FEET; i++) {
    int j = p->partners[i];
    if (j < i) continue;
    bool first = axis ? c.soles[i].z < c.soles[j].z : c.soles[i].x > c.soles[j].x;
    add_foot(&c, first ? i : j, 1);
    add_foot(&c, first ? j : i, -1);
  }
}

/* ---- the ball ---- */

/* The soles of the foot and its toes together. */
static bool sole_below(const body_search *s, int joint, sinew_vec3 *low, sinew_vec3 *high) {
  float lowest = INFINITY, near = 0.02f * height_of(s);
  *low = (sinew_vec3){INFINITY, INFINITY, INFINITY}, *high = (sinew_vec3){-INFINITY, -INFINITY, -INFINITY};
  for (int i = joint; s->e->soles && i < s->skeleton->count; i++)
    if (s->e->soles[i].count && skeleton_is_above(s->skeleton, joint, i)) lowest = fminf(lowest, s->e->soles[i].low.y);
  for (int i = joint; s->e->soles && i < s->skeleton->count; i++) {
    const body_sole *sole = s->e->soles + i;
    if (!sole->count || sole->low.y > lowest + near || !skeleton_is_above(s->skeleton, joint, i)) continue;
    *low = (sinew_vec3){fminf(low->x, sole->sole_low.x), lowest, fminf(low->z, sole->sole_low.z)};
    *high = (sinew_vec3){fmaxf(high->x, sole->sole_high.x), lowest, fmaxf(high->z, sole->sole_high.z)};
  }
  return isfinite(lowest);
}

static sinew_vec3 in_joint(const sinew_transform *t, sinew_vec3 p) {
  sinew_vec3 local = quat_rotate(quat_conjugate(t->rotation), vec3_sub(p, t->translation));
  return (sinew_vec3){local.x / (t->scale.x != 0 ? t->scale.x : 1), local.y / (t->scale.y != 0 ? t->scale.y : 1),
                      local.z / (t->scale.z != 0 ? t->scale.z : 1)};
}

/* In model space: the middle of the sole, and half of it to the front and to the left. */
static bool measure_sole(const body_search *s, int joint, sinew_vec3 *middle, sinew_vec3 *ahead, sinew_vec3 *aside) {
  sinew_vec3 low, high, front = s->out->front;
  if (!sole_below(s, joint, &low, &high)) return false;
  sinew_vec3 half = vec3_scale(vec3_sub(high, low), 0.5f);
  *middle = vec3_scale(vec3_add(low, high), 0.5f);
  *ahead = vec3_scale(front, fabsf(half.x * front.x + half.z * front.z));
  *aside = vec3_sub((sinew_vec3){half.x, 0, half.z}, (sinew_vec3){fabsf(ahead->x), 0, fabsf(ahead->z)});
  return true;
}

void body_find_corners(const body_search *s, body_foot *f) {
  sinew_vec3 middle, ahead, aside;
  bool has_toes = f->toes >= 0 && s->e->soles && s->e->soles[f->toes].count;
  f->end = has_toes ? f->toes : f->foot;
  f->has_corners = measure_sole(s, f->foot, &middle, &ahead, &aside);
  for (int i = 0; f->has_corners && i < 2; i++) {
    sinew_vec3 edge = vec3_add_scaled(middle, i ? 1 : -1, aside);
    f->back[i] = in_joint(s->placed + f->foot, vec3_sub(edge, ahead));
    f->tip[i] = in_joint(s->placed + f->end, vec3_add(edge, ahead));
  }
}

void body_find_sole(const body_search *s, body_foot *f) {
  static const float part = 0.8f; /* of its length: toes point up, and heels are round */
  sinew_vec3 middle, ahead, aside;
  if (f->contact < 0) f->contact = f->foot;
  if (!measure_sole(s, f->contact, &middle, &ahead, &aside)) return;
  bool is_paw = s->out->foot_count > 2 && s->placed[f->contact].translation.y - middle.y < 0.03f * height_of(s);
  if (is_paw) return; /* it is tracked as a joint */
  f->ball = in_joint(s->placed + f->contact, vec3_add_scaled(middle, part, ahead));
  f->heel = in_joint(s->placed + f->contact, vec3_add_scaled(middle, -part, ahead));
}
