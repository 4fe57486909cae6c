#include "model/names/humanoid.h"

#include "base/memory/memory.h"
#include "model/names/joint_name.h"

#include <stdio.h>
#include <string.h>

typedef struct meaning {
  uint8_t word, side;
  bool deforms; /* a skin uses it or a joint below it */
  int32_t depth;
} meaning;

typedef struct finder {
  const skeleton_view *skeleton;
  const meaning *meanings;
  humanoid *body;
} finder;

bool skeleton_is_above(const skeleton_view *skeleton, int above, int joint) {
  while (joint > above) joint = skeleton->parents[joint];
  return joint == above && above >= 0;
}

/* ---- names ---- */

static const char *name_of(const skeleton_view *s, int joint) { return s->names[joint] ? s->names[joint] : ""; }

/* Finds the prefix of more than half of the names, by a vote in which each name cancels one with another prefix. */
static void vote(const skeleton_view *s, char first[JOINT_PLAIN_SIZE]) {
  char other[JOINT_PLAIN_SIZE];
  int lead = 0;
  for (int i = 1; i < s->count; i++) {
    joint_name_first(name_of(s, i), other);
    if (!other[0]) continue;
    if (lead == 0) memcpy(first, other, sizeof other);
    lead += strcmp(first, other) == 0 ? 1 : -1;
  }
}

void skeleton_prefix(const skeleton_view *s, char *prefix, size_t size) {
  char first[JOINT_PLAIN_SIZE] = "", other[JOINT_PLAIN_SIZE];
  int named = 0, sharing = 0;
  prefix[0] = '\0';
  vote(s, first);
  for (int i = 0; i < s->count; i++) named += name_of(s, i)[0] != '\0';
  for (int i = 1; first[0] && i < s->count; i++) {
    joint_name_first(name_of(s, i), other);
    sharing += strcmp(first, other) == 0;
  }
  if (named > 3 && sharing * 2 > named) snprintf(prefix, size, "%s", first);
}

/* Files contain controls and whole skeletons that move nothing, with names like those of the joints. */
static void find_deforming(const skeleton_view *s, meaning *meanings) {
  for (int i = s->count - 1; i >= 0; i--) {
    if (s->ranks && s->ranks[i] == 0 && i > 0) meanings[i].deforms = true;
    if (meanings[i].deforms && s->parents[i] >= 0) meanings[s->parents[i]].deforms = true;
  }
}

static meaning *read_names(const skeleton_view *s) {
  char prefix[JOINT_PLAIN_SIZE];
  meaning *meanings = mem_alloc_zeroed(((size_t)s->count + 1) * sizeof *meanings);
  if (!meanings) return NULL;
  skeleton_prefix(s, prefix, sizeof prefix);
  for (int i = 0; i < s->count; i++) {
    joint_side side;
    meanings[i].word = (uint8_t)joint_name_word(name_of(s, i), prefix, &side);
    meanings[i].side = (uint8_t)side;
    meanings[i].depth = s->parents[i] < 0 ? 0 : meanings[s->parents[i]].depth + 1;
  }
  find_deforming(s, meanings);
  return meanings;
}

/* ---- search ---- */

/* A joint that deforms a skin is better than one that does not; then the higher one is. */
static bool is_better(const meaning *a, const meaning *b) {
  return a->deforms != b->deforms ? a->deforms : a->depth < b->depth;
}

/* The best joint with the word on the side that hangs below `above` (-1: anywhere), or -1. */
static int find_below(const finder *f, joint_word word, joint_side side, int above) {
  int best = -1;
  for (int i = above + 1; i < f->skeleton->count; i++) {
    const meaning *m = f->meanings + i;
    if (m->word != (uint8_t)word || m->side != (uint8_t)side) continue;
    if (best >= 0 && !is_better(m, f->meanings + best)) continue;
    if (above < 0 || skeleton_is_above(f->skeleton, above, i)) best = i;
  }
  return best;
}

/* The lowest joint above both; -1 for the virtual root, which is never the hips. */
static int common_ancestor(const finder *f, int a, int b) {
  if (a < 0 || b < 0) return -1;
  while (a != b) {
    if (a > b) a = f->skeleton->parents[a];
    else b = f->skeleton->parents[b];
  }
  return a > 0 ? a : -1;
}

/* ---- limbs ---- */

/* Finds three joints, one below the other. A joint without a specific name is matched by the common word in turn:
 * Mixamo's "Leg" comes below an "UpLeg", and CesiumMan's legs are "leg" three times over. */
static void find_chain(const finder *f, joint_side side, const joint_word words[3], joint_word common, int32_t *chain) {
  int above = -1;
  for (int i = 0; i < 3; i++) {
    int shared = find_below(f, common, side, above), next = i < 2 ? find_below(f, words[i + 1], side, above) : -1;
    chain[i] = find_below(f, words[i], side, above);
    if (chain[i] < 0 && (next < 0 || skeleton_is_above(f->skeleton, shared, next))) chain[i] = shared;
    if (chain[i] >= 0) above = chain[i];
  }
}

static void find_arm(const finder *f, joint_side side, int32_t *limbs) {
  static const joint_word words[3] = {WORD_UPPER_ARM, WORD_FOREARM, WORD_HAND};
  int shoulder = find_below(f, WORD_SHOULDER, side, -1);
  limbs[LIMB_CLAVICLE] = find_below(f, WORD_CLAVICLE, side, -1);
  find_chain(f, side, words, WORD_ARM, limbs + LIMB_UPPER_ARM);
  if (shoulder < 0) return;
  if (limbs[LIMB_UPPER_ARM] < 0) limbs[LIMB_UPPER_ARM] = shoulder;
  else if (limbs[LIMB_CLAVICLE] < 0 && skeleton_is_above(f->skeleton, shoulder, limbs[LIMB_UPPER_ARM]))
    limbs[LIMB_CLAVICLE] = shoulder;
}

/* The only child of the joint, or -1. */
static int only_child(const finder *f, int joint) {
  int child = -1;
  for (int i = joint + 1; i < f->skeleton->count; i++) {
    if (f->skeleton->parents[i] != joint) continue;
    if (child >= 0) return -1;
    child = i;
  }
  return child;
}

static void find_leg(const finder *f, joint_side side, int32_t *limbs) {
  static const joint_word words[3] = {WORD_THIGH, WORD_SHIN, WORD_FOOT};
  find_chain(f, side, words, WORD_LEG, limbs + LIMB_THIGH);
  int hip = find_below(f, WORD_HIP, side, -1), foot = limbs[LIMB_FOOT];
  if (limbs[LIMB_THIGH] < 0) limbs[LIMB_THIGH] = hip;
  if (foot < 0 && limbs[LIMB_SHIN] >= 0) /* that hangs from the root and follows a chain of its own */
    foot = limbs[LIMB_FOOT] = find_below(f, WORD_FOOT, side, -1);
  limbs[LIMB_TOES] = foot < 0 ? -1 : find_below(f, WORD_TOES, side, foot);
  /* an ankle and a foot */
  if (foot >= 0 && limbs[LIMB_TOES] < 0) limbs[LIMB_TOES] = find_below(f, WORD_FOOT, side, foot);
  if (foot >= 0 && limbs[LIMB_TOES] < 0) limbs[LIMB_TOES] = only_child(f, foot); /* whatever it is called */
}

static void find_fingers(const finder *f, joint_side side, int hand, int32_t fingers[][HUMANOID_SEGMENTS]) {
  for (int k = 0; k < HUMANOID_FINGERS && hand >= 0; k++) {
    int above = hand;
    for (int segment = 0; segment < HUMANOID_SEGMENTS && above >= 0; segment++) {
      fingers[k][segment] = find_below(f, (joint_word)(WORD_THUMB + k), side, above);
      above = fingers[k][segment];
    }
  }
}

/* ---- the middle ---- */

/* The hips carry both legs. A joint with that name counts if it is above them; otherwise the legs alone decide. */
static int find_hips(const finder *f) {
  int legs = common_ancestor(f, f->body->limbs[0][LIMB_THIGH], f->body->limbs[1][LIMB_THIGH]);
  int named = find_below(f, WORD_HIPS, SIDE_NONE, -1), hip = find_below(f, WORD_HIP, SIDE_NONE, -1);
  if (named < 0 || (hip >= 0 && f->meanings[hip].depth < f->meanings[named].depth)) named = hip;
  if (legs < 0) return named;
  return named >= 0 && skeleton_is_above(f->skeleton, named, legs) ? named : legs;
}

static int highest_of_arm(const humanoid *body, int side) {
  int clavicle = body->limbs[side][LIMB_CLAVICLE];
  return clavicle >= 0 ? clavicle : body->limbs[side][LIMB_UPPER_ARM];
}

/* The joints below `above` down to `below`; the lowest `room` of them. */
static int find_path(const finder *f, int above, int below, int32_t *path, int room) {
  int count = 0;
  for (int i = below; i != above; i = f->skeleton->parents[i]) count++;
  int kept = count < room ? count : room, at = kept;
  for (int i = below; i != above && at > 0; i = f->skeleton->parents[i]) path[--at] = i;
  return kept;
}

/* Where the spine goes on above the arms, and is never called neck or head: its last joint, or -1. */
static int end_of_spine(const finder *f, int branch) {
  int end = branch;
  for (int i = branch + 1; branch >= 0 && i < f->skeleton->count; i++)
    if (f->skeleton->parents[i] == end && f->meanings[i].word == (uint8_t)WORD_SPINE) end = i;
  return end == branch ? -1 : end;
}

static void find_middle(const finder *f) {
  humanoid *body = f->body;
  body->hips = find_hips(f);
  int branch = common_ancestor(f, highest_of_arm(body, 0), highest_of_arm(body, 1));
  if (body->hips >= 0 && branch >= 0) {
    bool carries = skeleton_is_above(f->skeleton, body->hips, branch);
    int base =
        carries ? body->hips : common_ancestor(f, body->hips, branch); /* a lower and an upper body side by side */
    if (base > 0) body->spine_count = find_path(f, base, branch, body->spine, HUMANOID_SPINE);
  }
  int trunk = branch >= 0 ? branch : body->hips;
  body->head = find_below(f, WORD_HEAD, SIDE_NONE, trunk);
  if (body->head < 0) body->head = end_of_spine(f, branch);
  if (body->head < 0 || trunk < 0) return;
  int parent = f->skeleton->parents[body->head];
  if (skeleton_is_above(f->skeleton, trunk, parent))
    body->neck_count = find_path(f, trunk, parent, body->neck, HUMANOID_NECK);
}

/* ---- the file's own declarations ---- */

static int32_t joint_of(const skeleton_view *s, int part) {
  for (int i = 1; i < s->count; i++)
    if (s->parts[i] == part) return i;
  return -1;
}

static int gather(const skeleton_view *s, int first, int count, int32_t *joints) {
  int found = 0;
  for (int i = 0; i < count; i++) {
    int32_t joint = joint_of(s, first + i);
    if (joint >= 0) joints[found++] = joint;
  }
  return found;
}

static void read_parts(const skeleton_view *s, humanoid *body) {
  body->hips = joint_of(s, PART_HIPS);
  body->head = joint_of(s, PART_HEAD);
  body->spine_count = gather(s, PART_SPINE, PART_NECK - PART_SPINE, body->spine);
  body->neck_count = gather(s, PART_NECK, 1, body->neck);
  for (int i = 0; i < 2 * LIMB_COUNT; i++) body->limbs[i / LIMB_COUNT][i % LIMB_COUNT] = joint_of(s, PART_LIMB + i);
  for (int i = 0; i < 2 * HUMANOID_FINGERS; i++)
    gather(s, PART_FINGER + i * HUMANOID_SEGMENTS, HUMANOID_SEGMENTS,
           body->fingers[i / HUMANOID_FINGERS][i % HUMANOID_FINGERS]);
}

static bool has_parts(const skeleton_view *s) { return s->parts && joint_of(s, PART_HIPS) >= 0; }

bool humanoid_find(const skeleton_view *skeleton, humanoid *body) {
  memset(body, 0xFF, sizeof *body); /* -1 everywhere */
  body->spine_count = body->neck_count = 0;
  if (has_parts(skeleton)) {
    read_parts(skeleton, body);
    return true;
  }
  meaning *meanings = read_names(skeleton);
  finder f = {skeleton, meanings, body};
  if (!meanings) return false;
  for (int side = 0; side < 2; side++) {
    joint_side named = side ? SIDE_RIGHT : SIDE_LEFT;
    find_arm(&f, named, body->limbs[side]);
    find_leg(&f, named, body->limbs[side]);
    find_fingers(&f, named, body->limbs[side][LIMB_HAND], body->fingers[side]);
  }
  find_middle(&f);
  mem_free(meanings);
  return true;
}
