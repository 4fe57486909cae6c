#include "import/bind/bind.h"

#include "base/memory/memory.h"
#include "import/raw/curve.h"
#include "math/elementary.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOMENTS = 32, SEGMENTS = 4, ARM_SEGMENTS = 2 };

/* A fraction of a leg, a fraction of the hips' height, radians. */
static const float under_limit = 0.03f, hips_limit = 0.05f, limb_limit = 0.0873f, length_limit = 0.03f;

typedef struct segment {
  limb_slot from, to;
  const char *name;
} segment;

static const segment segments[SEGMENTS] = {{LIMB_UPPER_ARM, LIMB_FOREARM, "upper arm"},
                                           {LIMB_FOREARM, LIMB_HAND, "forearm"},
                                           {LIMB_THIGH, LIMB_SHIN, "thigh"},
                                           {LIMB_SHIN, LIMB_FOOT, "shin"}};

typedef struct trial {
  const binding *b;
  sinew_transform *theirs_local, *theirs, *ours_local, *ours; /* at one moment */
  float scale;
  sinew_quat rotation;
  float our_lowest, their_lowest; /* of feet and toes, over all moments */
  double our_hips, their_hips;    /* sums of heights */
  int moments;
  float worst;            /* radians */
  const segment *crooked; /* the limb with the largest angle, and its side */
  int side;
  float stretch;            /* the length of a limb over its own at rest: the one farthest from 1 … */
  const segment *stretched; /* … and its limb and side */
  int stretched_side;
} trial;

static int partner(const binding *b, int ours) { return ours >= 0 ? b->map.theirs[ours] : -1; }

static float foot_height(const binding *b, const sinew_transform *model, bool is_ours) {
  float lowest = INFINITY;
  for (int side = 0; side < 2; side++)
    for (int slot = LIMB_FOOT; slot <= LIMB_TOES; slot++) {
      int ours = b->map.our_body.limbs[side][slot], theirs = partner(b, ours);
      if (theirs >= 0) lowest = fminf(lowest, model[is_ours ? ours : theirs].translation.y);
    }
  return lowest;
}

static void compare_limb(trial *t, int side, const segment *limb) {
  const binding *b = t->b;
  int from = b->map.our_body.limbs[side][limb->from], to = b->map.our_body.limbs[side][limb->to];
  if (partner(b, from) < 0 || partner(b, to) < 0) return;
  sinew_vec3 is = vec3_sub(t->ours[to].translation, t->ours[from].translation);
  sinew_vec3 wanted = vec3_sub(t->theirs[partner(b, to)].translation, t->theirs[partner(b, from)].translation);
  float lengths = vec3_length(is) * vec3_length(wanted);
  if (!(lengths > 1e-9f)) return;
  float angle = float_acos(fmaxf(-1, fminf(1, vec3_dot(is, quat_rotate(t->rotation, wanted)) / lengths)));
  if (angle > t->worst) t->worst = angle, t->crooked = limb, t->side = side;
}

static void measure_limb(trial *t, int side, const segment *limb) {
  const binding *b = t->b;
  int from = b->map.our_body.limbs[side][limb->from], to = b->map.our_body.limbs[side][limb->to];
  if (from < 0 || to < 0) return;
  float rest = vec3_distance(b->our_rest[to].translation, b->our_rest[from].translation);
  float stretch = rest > 0 ? vec3_distance(t->ours[to].translation, t->ours[from].translation) / rest : 1;
  if (fabsf(stretch - 1) > fabsf(t->stretch - 1)) t->stretch = stretch, t->stretched = limb, t->stretched_side = side;
}

static void compare_moment(trial *t) {
  const binding *b = t->b;
  int hips = b->map.our_body.hips;
  t->our_lowest = fminf(t->our_lowest, foot_height(b, t->ours, true));
  t->their_lowest = fminf(t->their_lowest, foot_height(b, t->theirs, false));
  t->our_hips += (double)t->ours[hips].translation.y;
  t->their_hips += (double)quat_rotate(t->rotation, t->theirs[partner(b, hips)].translation).y;
  t->moments++;
  int count = b->legs.count ? ARM_SEGMENTS : SEGMENTS; /* legs that reach for the ground point elsewhere */
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < SEGMENTS; i++) {
      if (i < count) compare_limb(t, side, &segments[i]);
      measure_limb(t, side, &segments[i]);
    }
}

/* ---- the sentence ---- */

static float leg_length(const binding *b) {
  const int32_t *limbs = b->map.our_body.limbs[partner(b, b->map.our_body.limbs[0][LIMB_FOOT]) < 0];
  return vec3_length(vec3_sub(b->our_rest[limbs[LIMB_THIGH]].translation, b->our_rest[limbs[LIMB_FOOT]].translation));
}

static void append(char *text, size_t size, const char *format, double number, const char *side, const char *limb) {
  size_t used = strlen(text);
  if (used) used += (size_t)snprintf(text + used, size - used, "; ");
  snprintf(text + used, size - used, format, number, side, limb);
}

/* Feet may go as far below the ground as in the clip's own file. */
static float find_depth(const trial *t) {
  float own = fmaxf(0, -t->scale * t->their_lowest);
  float under = foot_height(t->b, t->b->our_rest, true) - t->our_lowest - own;
  return isfinite(under) ? fmaxf(0, under) : 0;
}

static float find_rise(const trial *t) {
  double wanted = t->their_hips * (double)t->scale;
  return wanted > 0 ? raw_bounded((float)(t->our_hips / wanted - 1)) : 0;
}

static void tell_feet(const sinew_fit *fit, char *text, size_t size) {
  append(text, size, "its feet go %.1f cm under the ground", 100.0 * (double)fit->under_ground, "", "");
}

static void tell_hips(const sinew_fit *fit, char *text, size_t size) {
  append(text, size, fit->hips > 0 ? "its hips are %.0f %% too high" : "its hips are %.0f %% too low",
         100 * fabs((double)fit->hips), "", "");
}

static void tell_limbs(const trial *t, char *text, size_t size) {
  append(text, size, "its limbs point up to %.0f° elsewhere (%s %s)", (double)t->worst * 57.29578,
         t->side ? "right" : "left", t->crooked->name);
}

static void tell_stretch(const trial *t, char *text, size_t size) {
  append(text, size, "a limb is %.2f times as long as at rest (%s %s)", (double)t->stretch,
         t->stretched_side ? "right" : "left", t->stretched->name);
}

static bool judge(const trial *t, const raw_clip *clip, sinew_fit *fit) {
  char text[256] = "";
  fit->is_compared = true;
  fit->under_ground = find_depth(t);
  fit->hips = find_rise(t);
  fit->limbs = t->worst;
  if (fit->under_ground > under_limit * leg_length(t->b)) tell_feet(fit, text, sizeof text);
  if (fabsf(fit->hips) > hips_limit) tell_hips(fit, text, sizeof text);
  if (fit->limbs > limb_limit) tell_limbs(t, text, sizeof text);
  if (fabsf(t->stretch - 1) > length_limit) tell_stretch(t, text, sizeof text);
  fit->fits = !text[0];
  return fit->fits ||
         raw_note(t->b->raw, "%s: clip '%s' does not fit this model well: %s", t->b->from->path, clip->name, text);
}

/* ---- moments ---- */

static bool has_legs(const binding *b) {
  const humanoid *body = &b->map.our_body;
  for (int side = 0; side < 2; side++)
    if (partner(b, body->hips) >= 0 && partner(b, body->limbs[side][LIMB_THIGH]) >= 0 &&
        partner(b, body->limbs[side][LIMB_FOOT]) >= 0)
      return true;
  return false;
}

static bool open_trial(trial *t, const binding *b) {
  size_t theirs = (size_t)b->theirs.count, ours = (size_t)b->ours.count;
  *t = (trial){.b = b,
               .scale = b->mode == BIND_SAME ? (float)b->world_ratio : b->plan.scale,
               .rotation = b->mode == BIND_CORRECTED ? b->plan.rotation : copy_rotation(b, b->map.our_body.hips),
               .stretch = 1,
               .our_lowest = INFINITY,
               .their_lowest = INFINITY};
  t->theirs_local = raw_alloc(b->raw, theirs, sizeof *t->theirs);
  t->theirs = raw_alloc(b->raw, theirs, sizeof *t->theirs);
  t->ours_local = raw_alloc(b->raw, ours, sizeof *t->ours);
  t->ours = raw_alloc(b->raw, ours, sizeof *t->ours);
  return t->theirs_local && t->theirs && t->ours_local && t->ours;
}

bool verdict_check(const binding *b, const raw_clip *theirs, raw_clip *ours) {
  trial t;
  double first, last;
  sinew_fit *fit = raw_alloc(b->raw, 1, sizeof *fit);
  if (!fit) return false;
  fit->clip_file = b->raw->clip_file_count - 1;
  fit->fits = true;
  ours->fit = fit;
  if (b->from->has_no_rest || !has_legs(b) || !raw_clip_span(theirs, &first, &last)) return true;
  if (!open_trial(&t, b)) return false;
  for (int i = 0; i < MOMENTS; i++) {
    double time = first + (last - first) * i / (MOMENTS - 1);
    raw_pose(&b->theirs, theirs, time, t.theirs_local, t.theirs);
    raw_pose(&b->ours, ours, time, t.ours_local, t.ours);
    compare_moment(&t);
  }
  return judge(&t, ours, fit);
}
