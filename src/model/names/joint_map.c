#include "model/names/joint_map.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "model/names/joint_name.h"
#include "model/names/model_names.h"

#include <string.h>

typedef struct matcher {
  const joint_map_job *job;
  joint_map *map;
  joint_entry *entries; /* ours, sorted for the current step */
  int entry_count;
  uint8_t *their_parts, *our_parts; /* humanoid_part of each joint; spines and necks by their middle */
} matcher;

static const char *name_of(const skeleton_view *s, int joint) { return s->names[joint] ? s->names[joint] : ""; }

static const char *bare_name(const skeleton_view *s, int joint) { return joint_name_bare(name_of(s, joint)); }

static void tie(joint_map *map, int theirs, int ours, sinew_match_kind kind) {
  map->ours[theirs] = ours;
  map->kinds[theirs] = (uint8_t)kind;
  if (ours >= 0) map->theirs[ours] = theirs;
}

/* Whether neither has a partner; kinds are also set for joints that a pair leaves without one. */
static bool is_free(const matcher *m, int theirs, int ours) {
  return m->map->kinds[theirs] == SINEW_MATCH_NONE && m->map->theirs[ours] < 0;
}

/* ---- by name ---- */

typedef const char *name_reader(const skeleton_view *skeleton, int joint);

static int list_names(joint_entry *entries, const skeleton_view *s, name_reader *read) {
  int count = 0;
  for (int i = 1; i < s->count; i++)
    if (read(s, i)[0]) entries[count++] = (joint_entry){read(s, i), i, s->ranks ? s->ranks[i] : 0};
  joint_index_sort(entries, count);
  return count;
}

/* ---- parts ---- */

static void mark(uint8_t *parts, int joint, int part) {
  if (joint >= 0 && !parts[joint]) parts[joint] = (uint8_t)part;
}

static void mark_parts(const humanoid *h, uint8_t *parts) {
  mark(parts, h->hips, PART_HIPS);
  mark(parts, h->head, PART_HEAD);
  for (int i = 0; i < h->spine_count; i++) mark(parts, h->spine[i], PART_SPINE);
  for (int i = 0; i < h->neck_count; i++) mark(parts, h->neck[i], PART_NECK);
  for (int i = 0; i < 2 * LIMB_COUNT; i++) mark(parts, h->limbs[i / LIMB_COUNT][i % LIMB_COUNT], PART_LIMB + i);
}

enum { TRUNK = 1, ARM, LEG };

static int chain_of(int part) {
  if (part == PART_HIPS || part == PART_SPINE) return TRUNK;
  if (part < PART_LIMB) return 0;
  return (part - PART_LIMB) % LIMB_COUNT < LIMB_THIGH ? ARM : LEG;
}

static int either_side(int part) { return part < PART_LIMB ? part : PART_LIMB + (part - PART_LIMB) % LIMB_COUNT; }

static int index_of(const int32_t *joints, int count, int joint) {
  for (int i = 0; i < count; i++)
    if (joints[i] == joint) return i;
  return -1;
}

/* One rig counts its spine from "Spine", another from "Spine1": of two that are equally long, places count. */
static bool are_apart(const int32_t *theirs, int their_count, const int32_t *ours, int our_count, int their_joint,
                      int our_joint) {
  int a = index_of(theirs, their_count, their_joint), b = index_of(ours, our_count, our_joint);
  return their_count == our_count && a >= 0 && b >= 0 && a != b;
}

/* A name is no evidence against a joint's place in its chain. Which side it is on is left to the name: two files of
 * one rig may show it unequally well. */
static bool are_other_parts(const matcher *m, int theirs, int ours) {
  const humanoid *they = &m->map->their_body, *we = &m->map->our_body;
  int a = either_side(m->their_parts[theirs]), b = either_side(m->our_parts[ours]);
  return (a && b && a != b && chain_of(a) == chain_of(b)) ||
         are_apart(they->spine, they->spine_count, we->spine, we->spine_count, theirs, ours) ||
         are_apart(they->neck, they->neck_count, we->neck, we->neck_count, theirs, ours);
}

/* Our first joint with that name that is free for `theirs`. */
static int find_free(const matcher *m, const char *name, int theirs) {
  for (int i = joint_index_find(m->entries, m->entry_count, name);
       i < m->entry_count && strcmp(m->entries[i].name, name) == 0; i++)
    if (is_free(m, theirs, m->entries[i].joint) && !are_other_parts(m, theirs, m->entries[i].joint))
      return m->entries[i].joint;
  return -1;
}

static void match_names(matcher *m, name_reader *read) {
  const skeleton_view *theirs = m->job->theirs;
  joint_entry *sorted = m->entries + m->job->ours->count;
  int count = list_names(sorted, theirs, read); /* both sides list equal names in the same order */
  m->entry_count = list_names(m->entries, m->job->ours, read);
  for (int i = 0; i < count; i++) {
    int ours = find_free(m, sorted[i].name, sorted[i].joint);
    if (ours >= 0) tie(m->map, sorted[i].joint, ours, SINEW_MATCH_NAME);
  }
}

/* ---- by the pairs ---- */

static bool refuse_pair(const joint_map_job *job, const char *name) {
  const char **names = mem_alloc_array((size_t)job->ours->count, sizeof *names);
  for (int i = 1; names && i < job->ours->count; i++) names[i] = name_of(job->ours, i);
  const char *near = names ? sinew_nearest_name(name, names, job->ours->count) : NULL;
  error_set(job->error, "%s: the map names a joint '%s', which the model does not have%s%s%s", job->what, name,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  mem_free(names);
  return false;
}

static joint_paths list_paths(const skeleton_view *s, joint_entry *entries) {
  return (joint_paths){*s, entries, joint_path_list(s, entries)};
}

static bool match_pairs(const matcher *m) {
  if (m->job->pair_count == 0) return true;
  joint_paths their_paths = list_paths(m->job->theirs, m->entries),
              our_paths = list_paths(m->job->ours, m->entries + 2 * m->job->theirs->count);
  for (int i = 0; i < m->job->pair_count; i++) {
    const sinew_joint_pair *pair = m->job->pairs + i;
    bool dropped = !pair->ours || !pair->ours[0];
    int theirs = joint_path_find(&their_paths, pair->theirs),
        ours = dropped ? -1 : joint_path_find(&our_paths, pair->ours);
    if (ours < 0 && !dropped) return refuse_pair(m->job, pair->ours);
    m->map->pair_found[i] = theirs >= 0;
    if (theirs >= 0 && (dropped || is_free(m, theirs, ours))) tie(m->map, theirs, ours, SINEW_MATCH_MAP);
  }
  return true;
}

/* ---- by guess ---- */

/* Whether both have the same place in the hierarchy: the nearest matched joint above ours must be matched with one
 * above theirs. */
static bool hangs_alike(const matcher *m, int theirs, int ours) {
  for (int above = m->job->ours->parents[ours]; above > 0; above = m->job->ours->parents[above])
    if (m->map->theirs[above] >= 0) return skeleton_is_above(m->job->theirs, m->map->theirs[above], theirs);
  return true;
}

static void guess(const matcher *m, int theirs, int ours) {
  if (theirs > 0 && ours > 0 && is_free(m, theirs, ours) && hangs_alike(m, theirs, ours))
    tie(m->map, theirs, ours, SINEW_MATCH_GUESS);
}

/* Matches the last joints of two chains, and spreads the shorter chain evenly over the longer one. */
static void guess_chain(const matcher *m, const int32_t *theirs, int their_count, const int32_t *ours, int our_count) {
  int shorter = their_count < our_count ? their_count : our_count;
  for (int i = 0; i < shorter; i++) {
    int a = ((i + 1) * their_count * 2 + shorter) / (2 * shorter) - 1;
    int b = ((i + 1) * our_count * 2 + shorter) / (2 * shorter) - 1;
    guess(m, theirs[a], ours[b]);
  }
}

static void guess_body(const matcher *m) {
  const humanoid *a = &m->map->their_body, *b = &m->map->our_body;
  guess(m, a->hips, b->hips);
  guess_chain(m, a->spine, a->spine_count, b->spine, b->spine_count);
  guess_chain(m, a->neck, a->neck_count, b->neck, b->neck_count);
  guess(m, a->head, b->head);
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < LIMB_COUNT; i++) guess(m, a->limbs[side][i], b->limbs[side][i]);
    for (int i = 0; i < HUMANOID_FINGERS * HUMANOID_SEGMENTS; i++)
      guess(m, a->fingers[side][i / HUMANOID_SEGMENTS][i % HUMANOID_SEGMENTS],
            b->fingers[side][i / HUMANOID_SEGMENTS][i % HUMANOID_SEGMENTS]);
  }
}

typedef struct spelling {
  char text[JOINT_PLAIN_SIZE + 1]; /* a letter for the side, and the plain name */
  bool usable;
} spelling;

/* Leaves names of body parts to guess_body. */
static void spell(const skeleton_view *s, spelling *spellings) {
  char prefix[JOINT_PLAIN_SIZE];
  skeleton_prefix(s, prefix, sizeof prefix);
  for (int i = 1; i < s->count; i++) {
    joint_side side;
    char plain[JOINT_PLAIN_SIZE];
    bool is_part = joint_name_word(name_of(s, i), prefix, &side) != WORD_NONE;
    side = joint_name_plain(name_of(s, i), prefix, plain);
    spellings[i].usable = !is_part && plain[0];
    spellings[i].text[0] = "-lr"[side];
    memcpy(spellings[i].text + 1, plain, sizeof plain);
  }
}

static void guess_spellings(matcher *m, spelling *theirs, spelling *ours) {
  m->entry_count = 0;
  for (int i = 1; i < m->job->ours->count; i++)
    if (ours[i].usable) m->entries[m->entry_count++] = (joint_entry){ours[i].text, i, 0};
  joint_index_sort(m->entries, m->entry_count);
  for (int i = 1; i < m->job->theirs->count; i++)
    if (theirs[i].usable) guess(m, i, find_free(m, theirs[i].text, i));
}

static bool match_spellings(matcher *m) {
  size_t theirs = (size_t)m->job->theirs->count, ours = (size_t)m->job->ours->count;
  spelling *spellings = mem_alloc_array(theirs + ours, sizeof *spellings);
  if (!spellings) return false;
  spell(m->job->theirs, spellings);
  spell(m->job->ours, spellings + theirs);
  guess_spellings(m, spellings, spellings + theirs);
  mem_free(spellings);
  return true;
}

/* ---- all ---- */

static bool take_body(const skeleton_view *skeleton, const humanoid *known, humanoid *out) {
  if (!known) return humanoid_find(skeleton, out);
  *out = *known;
  return true;
}

static bool find_all(matcher *m) {
  if (!take_body(m->job->theirs, m->job->their_body, &m->map->their_body) ||
      !take_body(m->job->ours, m->job->our_body, &m->map->our_body))
    return false;
  mark_parts(&m->map->their_body, m->their_parts);
  mark_parts(&m->map->our_body, m->our_parts);
  match_names(m, name_of);
  match_names(m, bare_name);
  guess_body(m);
  return match_spellings(m);
}

static bool allocate(const joint_map_job *job, joint_map *map) {
  size_t theirs = (size_t)job->theirs->count, ours = (size_t)job->ours->count, pairs = (size_t)job->pair_count;
  unsigned char *memory = mem_alloc_zeroed((theirs + ours) * sizeof(int32_t) + theirs + pairs + 1);
  if (!memory) return false;
  map->ours = (int32_t *)(void *)memory;
  map->theirs = map->ours + theirs;
  map->kinds = (uint8_t *)(map->theirs + ours);
  map->pair_found = (bool *)(map->kinds + theirs);
  for (size_t i = 0; i < theirs + ours; i++) map->ours[i] = -1;
  return true;
}

void joint_map_reset(joint_map *map) {
  mem_free(map->ours);
  *map = (joint_map){0};
}

bool joint_map_find(const joint_map_job *job, joint_map *map) {
  *map = (joint_map){0};
  size_t names = 2 * ((size_t)job->theirs->count + (size_t)job->ours->count); /* with and without a namespace */
  matcher m = {job,
               map,
               mem_alloc_array(names, sizeof(joint_entry)),
               0,
               mem_alloc_zeroed((size_t)job->theirs->count),
               mem_alloc_zeroed((size_t)job->ours->count)};
  bool room = m.entries && m.their_parts && m.our_parts && allocate(job, map), paired = room && match_pairs(&m),
       found = paired && find_all(&m);
  if (!room || (paired && !found)) error_memory(job->error, job->what, names * sizeof(joint_entry));
  mem_free(m.entries), mem_free(m.their_parts), mem_free(m.our_parts);
  if (!found) joint_map_reset(map);
  return found;
}
