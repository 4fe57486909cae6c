#include "model/body/body.h"

#include "base/memory/memory.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model_space.h"

#include <math.h>
#include <string.h>

static sinew_vec3 at(const body_search *s, int joint) { return s->placed[joint].translation; }

/* ---- the author's word ---- */

/* The humanoid's slot for a role, or NULL. */
static int32_t *slot_of(humanoid *h, int role) {
  static const limb_slot slots[] = {LIMB_HAND, LIMB_FOOT,     LIMB_TOES,      LIMB_THIGH,
                                    LIMB_SHIN, LIMB_CLAVICLE, LIMB_UPPER_ARM, LIMB_FOREARM};
  if (role == SINEW_ROLE_PELVIS) return &h->hips;
  if (role == SINEW_ROLE_HEAD) return &h->head;
  int pair = (role - SINEW_ROLE_LEFT_HAND) / 2, side = (role - SINEW_ROLE_LEFT_HAND) % 2;
  return role >= SINEW_ROLE_LEFT_HAND && role < SINEW_ROLE_LEFT_FRONT_FOOT ? &h->limbs[side][slots[pair]] : NULL;
}

static void take_roles(body_search *s) {
  const int32_t *roles = s->e->roles;
  for (int role = 0; roles && role < SINEW_ROLES; role++) {
    int32_t *slot = slot_of(&s->out->person, role);
    if (slot && roles[role] > 0) *slot = roles[role];
  }
  s->out->root = roles && roles[SINEW_ROLE_ROOT] > 0 ? roles[SINEW_ROLE_ROOT] : -1;
}

static bool names_feet(const body_search *s) {
  const int32_t *roles = s->e->roles;
  return roles && roles[SINEW_ROLE_LEFT_FOOT] > 0 && roles[SINEW_ROLE_RIGHT_FOOT] > 0;
}

/* ---- the legs of a person ---- */

static body_foot foot_of(const body_search *s, int side) {
  int32_t *limbs = s->out->person.limbs[side];
  int toes = limbs[LIMB_TOES];
  /* an only child above the ankle carries a mesh, and is no toe */
  if (toes >= 0 && limbs[LIMB_FOOT] >= 0 && at(s, toes).y > at(s, limbs[LIMB_FOOT]).y + 0.02f * (s->top - s->floor))
    toes = limbs[LIMB_TOES] = -1;
  return (body_foot){limbs[LIMB_THIGH], limbs[LIMB_SHIN],     limbs[LIMB_FOOT], toes,
                     limbs[LIMB_FOOT],  .side = side ? -1 : 1};
}

/* Hands that are as low as feet are paws. */
static bool walks_on_hands(const body_search *s) {
  const humanoid *h = &s->out->person;
  for (int side = 0; side < 2; side++) {
    int hand = h->limbs[side][LIMB_HAND], thigh = h->limbs[side][LIMB_THIGH];
    if (hand < 0 || thigh < 0 || at(s, hand).y - s->floor > 0.3f * (at(s, thigh).y - s->floor)) return false;
  }
  return true;
}

/* Feet that names or the author tell. Names alone are not believed where the feet of a mesh would be above its thighs.
 */
static bool take_named_feet(body_search *s) {
  model_body *b = s->out;
  for (int side = 0; side < 2; side++) {
    body_foot foot = foot_of(s, side);
    if (foot.foot < 0) return false;
    if (!names_feet(s) && (foot.thigh < 0 || foot.shin < 0)) return false;
    if (!names_feet(s) && s->e->soles && at(s, foot.foot).y > at(s, foot.thigh).y) return false;
    b->feet[side] = foot;
  }
  b->foot_count = 2;
  return names_feet(s) || !walks_on_hands(s);
}

static void take_front_feet(body_search *s) {
  const int32_t *roles = s->e->roles;
  for (int side = 0; roles && side < 2; side++) {
    int joint = roles[SINEW_ROLE_LEFT_FRONT_FOOT + side];
    if (joint <= 0 || roles[SINEW_ROLE_LEFT_FRONT_FOOT + 1 - side] <= 0) continue;
    s->out->feet[s->out->foot_count++] = (body_foot){-1, -1, joint, -1, joint, .side = side ? -1 : 1, .is_front = 1};
  }
}

/* ---- size ---- */

/* In four digits, so that the same figure in another unit has the same size in spite of rounding in its file. */
static float in_four_digits(double size) {
  if (!(size > 0) || !isfinite(size)) return 1;
  double digits = sinew_pow(10, floor(sinew_log10(size)) - 3);
  return (float)(round(size / digits) * digits);
}

static double length_of_leg(const body_search *s, const body_foot *f) {
  if (f->thigh < 0 || f->shin < 0) return 0;
  return (double)(vec3_distance(at(s, f->thigh), at(s, f->shin)) + vec3_distance(at(s, f->shin), at(s, f->foot)));
}

/* The highest joint of the limb that ends in a foot: one that carries no other foot. */
static int top_of(const body_search *s, int foot) {
  int top = foot;
  for (int up = s->skeleton->parents[foot]; up > 0; top = up, up = s->skeleton->parents[up])
    for (int i = 0; i < s->out->foot_count; i++)
      if (s->out->feet[i].foot != foot && skeleton_is_above(s->skeleton, up, s->out->feet[i].foot)) return top;
  return top;
}

/* By the legs of a person; else by the height of the limbs' tops, or of the hips, above the ground; else by that of the
 * highest joint. A person's leg: from the hip along the leg to the ankle; hers is that of a body 1.76 m tall. */
static void find_size(body_search *s) {
  static const double persons_leg = 0.8147, persons_height = 1.7;
  model_body *b = s->out;
  double leg = b->foot_count == 2 ? length_of_leg(s, b->feet) : 0, sum = 0, highest = 0;
  int count = 0;
  for (int i = 0; i < b->foot_count; i++) {
    int top = b->foot_count == 2 && b->feet[i].thigh >= 0 ? b->feet[i].thigh : top_of(s, b->feet[i].foot);
    double height = (double)(at(s, top).y - at(s, b->feet[i].foot).y);
    if (top != b->feet[i].foot && height > 0) sum += height, count++;
  }
  for (int i = 1; i < s->skeleton->count; i++) highest = fmax(highest, (double)(at(s, i).y - fminf(s->floor, 0)));
  b->size = in_four_digits(leg > 0 ? leg / persons_leg : count ? sum / count / persons_leg : highest / persons_height);
}

/* ---- all ---- */

static void find_extent(body_search *s) {
  s->floor = INFINITY, s->top = -INFINITY;
  for (int i = 1; i < s->skeleton->count; i++) {
    const body_sole *sole = s->e->soles ? s->e->soles + i : NULL;
    if (s->e->soles && !sole->count) continue;
    s->floor = fminf(s->floor, sole ? sole->low.y : at(s, i).y);
    s->top = fmaxf(s->top, sole ? sole->high.y : at(s, i).y);
  }
  if (!(s->floor <= s->top)) s->floor = s->top = 0;
}

static void set(model_body *b, int finding, sinew_evidence by, float confidence) {
  b->findings[finding] = (sinew_finding){(int32_t)by, confidence};
}

static void find_feet(body_search *s) {
  model_body *b = s->out;
  bool parts = false;
  for (int i = 0; s->skeleton->parts && i < s->skeleton->count; i++) parts |= s->skeleton->parts[i] == PART_HIPS;
  sinew_evidence by = names_feet(s) ? SINEW_BY_AUTHOR : parts ? SINEW_BY_FILE : SINEW_BY_NAMES;
  if (take_named_feet(s)) {
    take_front_feet(s);
    set(b, SINEW_FINDING_FEET, by, by == SINEW_BY_NAMES ? 0.8f : 1);
    return;
  }
  b->foot_count = 0;
  body_find_ground(s);
  if (b->foot_count) set(b, SINEW_FINDING_FEET, s->e->soles ? SINEW_BY_MESH : SINEW_BY_TREE, 0.6f);
}

/* What no name told of a biped's legs. */
static void complete_legs(model_body *b) {
  for (int i = 0; i < b->foot_count && b->foot_count == 2; i++) {
    const body_foot *f = b->feet + i;
    int32_t *limbs = b->person.limbs[f->side < 0];
    if (limbs[LIMB_FOOT] >= 0 || f->thigh < 0 || f->shin < 0) continue;
    limbs[LIMB_THIGH] = f->thigh, limbs[LIMB_SHIN] = f->shin, limbs[LIMB_FOOT] = f->foot, limbs[LIMB_TOES] = f->toes;
  }
}

static void find_all(body_search *s) {
  skeleton_to_model(s->skeleton, s->skeleton->rest, s->placed);
  find_extent(s);
  take_roles(s);
  find_feet(s);
  find_size(s);
  body_find_front(s);
  complete_legs(s->out);
}

bool body_find(const body_evidence *e, model_body *out) {
  size_t count = (size_t)e->skeleton->count;
  sinew_transform *placed = mem_alloc_array(2 * count, sizeof *placed);
  memset(out, 0, sizeof *out);
  body_search s = {
      .e = e, .skeleton = e->skeleton, .placed = placed, .moved = placed ? placed + count : NULL, .out = out};
  bool found = placed && humanoid_find(e->skeleton, &out->person);
  if (found) find_all(&s);
  mem_free(placed);
  return found;
}

bool body_has_legs(const model_body *b, const skeleton_view *skeleton) {
  static const float sure = 0.25f;
  if (b->foot_count != 2 || b->findings[SINEW_FINDING_SIDES].confidence < sure) return false;
  for (int i = 0; i < 2; i++) {
    const body_foot *f = b->feet + i;
    if (f->thigh < 0 || f->shin < 0 || f->thigh == f->shin || f->shin == f->foot) return false;
    if (!skeleton_is_above(skeleton, f->thigh, f->shin) || !skeleton_is_above(skeleton, f->shin, f->foot)) return false;
  }
  return true;
}

static void renumber(int32_t *joints, int count, const int32_t *map) {
  for (int i = 0; i < count; i++)
    if (joints[i] >= 0) joints[i] = map[joints[i]];
}

void body_renumber(model_body *b, const int32_t *map) {
  humanoid *h = &b->person;
  renumber(&h->hips, 1, map);
  renumber(&h->head, 1, map);
  renumber(h->limbs[0], 2 * LIMB_COUNT, map);
  renumber(h->fingers[0][0], 2 * HUMANOID_FINGERS * HUMANOID_SEGMENTS, map);
  renumber(h->spine, HUMANOID_SPINE, map);
  renumber(h->neck, HUMANOID_NECK, map);
  renumber(&b->root, 1, map);
  for (int i = 0; i < b->foot_count; i++) {
    renumber(&b->feet[i].thigh, 4, map);
    renumber(&b->feet[i].contact, 1, map);
    renumber(&b->feet[i].end, 1, map);
  }
}
