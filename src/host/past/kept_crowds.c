#include "host/past/kept_crowds.h"

#include "base/memory/memory.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(kept_member) == 32 * sizeof(uint32_t), "a mask has a bit for each word");
_Static_assert(sizeof(sinew_crowd_legs) == KEPT_LEGS * sizeof(uint32_t) && KEPT_LEGS < 32, "and so has the other one");

static kept_block *block_of(const kept_crowds *k, int64_t moment) {
  return (kept_block *)(uintptr_t)k->blocks + moment / RING_BLOCK % RING_BLOCKS;
}

static bool is_in(const kept_crowd *c, int index) { return index >= c->first && index < c->first + c->count; }

int kept_crowd_stride(const kept_crowd *c) { return KEPT_ALL + c->morph_count; }

static size_t room_of(const kept_crowd *c) {
  return (size_t)c->members * (size_t)kept_crowd_stride(c) * sizeof(uint32_t);
}

/* ---- blocks ---- */

static void forget_last(kept_crowds *k, kept_crowd *c) {
  if (!c->last) return;
  mem_free(c->last);
  c->last = NULL;
  c->bytes -= room_of(c);
  k->bytes -= room_of(c);
}

static void free_crowd(kept_crowds *k, kept_crowd *c) {
  k->bytes -= c->bytes;
  sinew_model_release(c->model);
  for (int i = 0; i < c->count; i++) mem_free(c->rows[i].words);
  mem_free(c->tinted);
  mem_free(c->last);
  mem_free(c);
}

void kept_crowds_free_block(kept_crowds *k, int64_t moment) {
  kept_block *b = block_of(k, moment);
  for (int i = 0; i < b->count; i++) free_crowd(k, b->crowds[i]);
  mem_free(b->crowds);
  *b = (kept_block){0};
}

void kept_crowds_release(kept_crowds *k) {
  for (int64_t i = 0; i < RING_BLOCKS; i++) kept_crowds_free_block(k, i * RING_BLOCK);
  *k = (kept_crowds){0};
}

void kept_crowds_begin(kept_crowds *k, int64_t moment) {
  if (moment % RING_BLOCK > 0) return;
  kept_crowds_free_block(k, moment);
  const kept_block *full = moment > 0 ? block_of(k, moment - 1) : NULL;
  for (int i = 0; full && i < full->count; i++) forget_last(k, full->crowds[i]);
}

/* ---- crowds that are too large ---- */

static left_out *find_left_out(const kept_crowds *k, sinew_crowd crowd) {
  for (int i = 0; i < k->left_out_count; i++)
    if (k->left_out[i].crowd.id == crowd.id) return (left_out *)(uintptr_t)k->left_out + i;
  return NULL;
}

/* If there is no room, the one left out longest ago makes room. */
static left_out *add_left_out(kept_crowds *k) {
  left_out *oldest = k->left_out;
  if (k->left_out_count < KEPT_LEFT_OUT) return k->left_out + k->left_out_count++;
  for (int i = 1; i < k->left_out_count; i++)
    if (k->left_out[i].to < oldest->to) oldest = k->left_out + i;
  return oldest;
}

static void leave_out(kept_crowds *k, sinew_crowd crowd, const char *name, int64_t from, int64_t moment) {
  left_out *l = add_left_out(k);
  *l = (left_out){.crowd = crowd, .from = from, .to = moment};
  snprintf(l->name, sizeof l->name, "%s", name);
}

static void remove_crowd(kept_crowds *k, kept_block *b, int index) {
  free_crowd(k, b->crowds[index]);
  b->count--;
  memmove(b->crowds + index, b->crowds + index + 1, (size_t)(b->count - index) * sizeof *b->crowds);
}

/* Leaves the crowd out of this block and those before. */
static void leave_out_kept(kept_crowds *k, const kept_crowd *c, int64_t moment) {
  sinew_crowd crowd = c->crowd;
  int64_t from = moment / RING_BLOCK * RING_BLOCK + c->first;
  leave_out(k, crowd, c->name, from, moment);
  for (int slot = 0; slot < RING_BLOCKS; slot++)
    for (int i = k->blocks[slot].count - 1; i >= 0; i--)
      if (k->blocks[slot].crowds[i]->crowd.id == crowd.id) remove_crowd(k, k->blocks + slot, i);
}

static kept_crowd *largest(const kept_block *b) {
  kept_crowd *most = NULL;
  for (int i = 0; i < b->count; i++)
    if (!most || b->crowds[i]->bytes > most->bytes) most = b->crowds[i];
  return most;
}

/* Drops the oldest block, except the last `spared` ones. */
static bool forget_first(kept_crowds *k, int64_t moment, int spared) {
  for (int64_t n = RING_BLOCKS - 1; n >= spared; n--) {
    int64_t m = (moment / RING_BLOCK - n) * RING_BLOCK;
    if (m < 0 || block_of(k, m)->count == 0) continue;
    kept_crowds_free_block(k, m);
    k->first = m + RING_BLOCK;
    return true;
  }
  return false;
}

bool kept_crowds_forget_first(kept_crowds *k, int64_t moment) { return forget_first(k, moment, 2); }

void kept_crowds_end(kept_crowds *k, int64_t moment) {
  const kept_crowd *most;
  while ((most = largest(block_of(k, moment))) && most->bytes > KEPT_SECOND) leave_out_kept(k, most, moment);
  while (k->bytes > KEPT_LIMIT && forget_first(k, moment, 1)) {
  }
  while (k->bytes > KEPT_LIMIT && (most = largest(block_of(k, moment)))) leave_out_kept(k, most, moment);
}

/* ---- a new crowd ---- */

static kept_crowd *make_crowd(const kept_crowd *as, bool has_last) {
  kept_crowd *c = mem_alloc_zeroed(sizeof *c);
  if (!c) return NULL;
  *c = *as;
  memset(c->rows, 0, sizeof c->rows);
  c->count = 0;
  c->bytes = sizeof *c + (size_t)as->material_count + (has_last ? room_of(as) : 0);
  c->tinted = as->material_count > 0 ? mem_alloc((size_t)as->material_count) : NULL;
  c->last = has_last ? mem_alloc_zeroed(room_of(as)) : NULL;
  if ((as->material_count > 0 && !c->tinted) || (has_last && !c->last)) {
    mem_free(c->tinted);
    mem_free(c->last);
    mem_free(c);
    return NULL;
  }
  if (c->tinted) memcpy(c->tinted, as->tinted, (size_t)as->material_count);
  return c;
}

static kept_crowd *add_crowd(kept_crowds *k, int64_t moment, const kept_crowd *as, bool has_last) {
  kept_block *b = block_of(k, moment);
  kept_crowd **grown = mem_resize(b->crowds, (size_t)(b->count + 1) * sizeof *grown);
  if (!grown) return NULL;
  b->crowds = grown;
  kept_crowd *c = make_crowd(as, has_last);
  if (!c) return NULL;
  sinew_model_retain(c->model);
  c->first = (int)(moment % RING_BLOCK);
  k->bytes += c->bytes;
  return b->crowds[b->count++] = c;
}

static bool goes_on(const kept_crowd *c, const kept_crowd *as, int index) {
  return c->crowd.id == as->crowd.id && c->first + c->count == index &&
         (as->material_count == 0 || memcmp(c->tinted, as->tinted, (size_t)as->material_count) == 0);
}

static kept_crowd *find_going_on(const kept_crowds *k, int64_t moment, const kept_crowd *as) {
  const kept_block *b = block_of(k, moment);
  for (int i = 0; i < b->count; i++)
    if (goes_on(b->crowds[i], as, (int)(moment % RING_BLOCK))) return b->crowds[i];
  return NULL;
}

static void add_row(kept_crowds *k, kept_crowd *c, uint32_t *words, int count) {
  size_t size = (size_t)count * sizeof *words;
  c->rows[c->count++] = (kept_row){words, count};
  c->bytes += size;
  k->bytes += size;
}

/* ---- a row ---- */

static kept_member member_of(const sinew_crowd_characters *all, int i) {
  kept_member m = {.transform = all->transform[i], .visible = 1};
  for (int s = 0; s < SINEW_CROWD_SLOTS; s++) {
    m.clip[s] = s < all->slot_count ? all->slots[s].clip[i] : -1;
    m.time[s] = s < all->slot_count ? all->slots[s].time[i] : 0;
    m.weight[s] = s < all->slot_count ? all->slots[s].weight[i] : 0;
  }
  memcpy(m.tint, all->tint[i], sizeof m.tint);
  return m;
}

static uint32_t *last_of(const kept_crowd *c, int i) { return c->last + (size_t)i * (size_t)kept_crowd_stride(c); }

/* Reads the words of one member; those of a hidden member stay as they were. */
static void read_words(const kept_crowd *c, const sinew_crowd_characters *all, int i, uint32_t now[KEPT_ALL]) {
  kept_member member = {.visible = 0};
  sinew_crowd_legs legs = {.synced = 0};
  const uint32_t *last = last_of(c, i);
  if (all->visible[i]) {
    member = member_of(all, i);
    if (all->legs) legs = all->legs[i];
  } else {
    memcpy(&member, last, sizeof member);
    memcpy(&legs, last + KEPT_WORDS, sizeof legs);
  }
  member.visible = all->visible[i] != 0;
  memcpy(now, &member, sizeof member);
  memcpy(now + KEPT_WORDS, &legs, sizeof legs);
}

static bool morphs_differ(const kept_crowd *c, const sinew_crowd_characters *all, int i) {
  size_t count = (size_t)c->morph_count;
  return count > 0 &&
         memcmp(last_of(c, i) + KEPT_ALL, all->morph_added + (size_t)i * count, count * sizeof(float)) != 0;
}

/* Finds the words that have changed: of the member, and of its legs and morphs. */
static void find_masks(const kept_crowd *c, const sinew_crowd_characters *all, int i, uint32_t now[KEPT_ALL],
                       uint32_t *mask, uint32_t *more) {
  const uint32_t *last = last_of(c, i);
  read_words(c, all, i, now);
  *mask = *more = 0;
  for (int w = 0; w < KEPT_WORDS; w++) *mask |= (uint32_t)(now[w] != last[w]) << w;
  for (int w = 0; w < KEPT_LEGS; w++) *more |= (uint32_t)(now[KEPT_WORDS + w] != last[KEPT_WORDS + w]) << w;
  if (morphs_differ(c, all, i)) *more |= KEPT_MORPHS;
  if (*more) *mask |= KEPT_MORE;
}

static int count_bits(uint32_t mask) {
  int count = 0;
  for (; mask; mask &= mask - 1) count++;
  return count;
}

/* Counts the words of a member in a row; `more` counts if the mask has KEPT_MORE. */
static int count_words(const kept_crowd *c, uint32_t mask, uint32_t more) {
  int count = 1 + count_bits(mask & ~KEPT_MORE);
  if (!(mask & KEPT_MORE)) return count;
  return count + 1 + count_bits(more & ~KEPT_MORPHS) + (more & KEPT_MORPHS ? c->morph_count : 0);
}

static int count_row(const kept_crowd *c, const sinew_crowd_characters *all) {
  int count = 0;
  for (int i = 0; i < c->members; i++) {
    uint32_t now[KEPT_ALL], mask, more;
    find_masks(c, all, i, now, &mask, &more);
    count += count_words(c, mask, more);
  }
  return count;
}

static uint32_t *put_words(uint32_t *out, uint32_t mask, const uint32_t *now, uint32_t *last) {
  for (int w = 0; mask; w++, mask >>= 1)
    if (mask & 1) *out++ = last[w] = now[w];
  return out;
}

static void put_row(uint32_t *out, kept_crowd *c, const sinew_crowd_characters *all) {
  size_t morphs = (size_t)c->morph_count, size = morphs * sizeof(float);
  for (int i = 0; i < c->members; i++) {
    uint32_t now[KEPT_ALL], mask, more, *last = last_of(c, i);
    find_masks(c, all, i, now, &mask, &more);
    *out++ = mask;
    out = put_words(out, mask & ~KEPT_MORE, now, last);
    if (!more) continue;
    *out++ = more;
    out = put_words(out, more & ~KEPT_MORPHS, now + KEPT_WORDS, last + KEPT_WORDS);
    if (!(more & KEPT_MORPHS)) continue;
    memcpy(last + KEPT_ALL, all->morph_added + (size_t)i * morphs, size);
    memcpy(out, last + KEPT_ALL, size);
    out += morphs;
  }
}

static void keep(kept_crowds *k, int64_t moment, const kept_crowd *as, const sinew_crowd_characters *all) {
  kept_crowd *c = find_going_on(k, moment, as);
  if (!c || !c->last) c = add_crowd(k, moment, as, true);
  if (!c) return;
  int count = count_row(c, all);
  uint32_t *words = mem_alloc((size_t)count * sizeof *words);
  if (!words) return;
  put_row(words, c, all);
  add_row(k, c, words, count);
}

void kept_crowds_keep(kept_crowds *k, const sinew_stage *stage, int64_t moment) {
  for (int i = 0; i < sinew_stage_crowd_count(stage); i++) {
    sinew_crowd crowd = sinew_stage_crowd(stage, i);
    sinew_crowd_characters all = sinew_crowd_view(stage, crowd);
    left_out *l = find_left_out(k, crowd);
    kept_crowd as = {.crowd = crowd, .members = all.count, .morph_count = all.morph_count, .tinted = all.tinted};
    as.model = sinew_crowd_model(stage, crowd);
    as.material_count = sinew_model_material_count(as.model);
    snprintf(as.name, sizeof as.name, "%s", sinew_crowd_name(stage, crowd));
    if (l) l->to = moment;
    else if (room_of(&as) > KEPT_SECOND) leave_out(k, crowd, as.name, moment, moment);
    else keep(k, moment, &as, &all);
  }
}

/* ---- rows by hand ---- */

static bool is_row(const kept_crowd *c, const kept_row *row) {
  int64_t at = 0;
  for (int i = 0; i < c->members; i++) {
    if (at >= row->count) return false;
    uint32_t mask = row->words[at], more = 0;
    int64_t second = at + count_words(c, mask & ~KEPT_MORE, 0);
    if ((mask & KEPT_MORE) && second >= row->count) return false;
    if (mask & KEPT_MORE) more = row->words[second];
    if ((more & KEPT_MORPHS) && c->morph_count == 0) return false;
    if ((more & ~KEPT_MORPHS) >> KEPT_LEGS) return false;
    at += count_words(c, mask, more);
  }
  return at == row->count;
}

static kept_crowd *find_named(const kept_crowds *k, int64_t moment, const kept_crowd *as) {
  const kept_block *b = block_of(k, moment);
  for (int i = 0; i < b->count; i++) {
    kept_crowd *c = b->crowds[i];
    if (strcmp(c->name, as->name) == 0 && c->first + c->count == (int)(moment % RING_BLOCK) &&
        c->members == as->members && c->morph_count == as->morph_count)
      return c;
  }
  return NULL;
}

bool kept_crowds_add(kept_crowds *k, int64_t moment, const kept_crowd *as, const kept_row *row, bool begins) {
  if (room_of(as) > KEPT_SECOND || !is_row(as, row)) return false;
  if (begins && find_left_out(k, as->crowd)) return true;
  kept_crowd *c = begins ? add_crowd(k, moment, as, false) : find_named(k, moment, as);
  size_t size = (size_t)row->count * sizeof *row->words;
  uint32_t *words = c ? mem_alloc(size) : NULL;
  if (!words) return true;
  memcpy(words, row->words, size);
  add_row(k, c, words, row->count);
  return true;
}

/* ---- reading ---- */

int kept_crowds_count(const kept_crowds *k, int64_t moment) {
  const kept_block *b = block_of(k, moment);
  int count = 0;
  for (int i = 0; i < b->count; i++) count += is_in(b->crowds[i], (int)(moment % RING_BLOCK));
  return count;
}

const kept_crowd *kept_crowds_at(const kept_crowds *k, int64_t moment, int index) {
  const kept_block *b = block_of(k, moment);
  for (int i = 0; i < b->count; i++)
    if (is_in(b->crowds[i], (int)(moment % RING_BLOCK)) && index-- == 0) return b->crowds[i];
  return NULL;
}

const char *kept_crowds_left_out(const kept_crowds *k, int64_t moment, int index) {
  for (int i = 0; i < k->left_out_count; i++)
    if (moment >= k->left_out[i].from && moment <= k->left_out[i].to && index-- == 0) return k->left_out[i].name;
  return NULL;
}

static const uint32_t *take_words(const uint32_t *in, uint32_t mask, uint32_t *out) {
  for (int w = 0; mask; w++, mask >>= 1)
    if (mask & 1) out[w] = *in++;
  return in;
}

static const uint32_t *take_changes(const uint32_t *in, const kept_crowd *c, uint32_t *member) {
  uint32_t mask = *in++;
  in = take_words(in, mask & ~KEPT_MORE, member);
  if (!(mask & KEPT_MORE)) return in;
  uint32_t more = *in++;
  in = take_words(in, more & ~KEPT_MORPHS, member + KEPT_WORDS);
  if (!(more & KEPT_MORPHS)) return in;
  memcpy(member + KEPT_ALL, in, (size_t)c->morph_count * sizeof *in);
  return in + c->morph_count;
}

static void fill(const sinew_crowd_characters *out, int i, const kept_crowd *c, const uint32_t *words) {
  kept_member m;
  memcpy(&m, words, sizeof m);
  for (int s = 0; s < SINEW_CROWD_SLOTS; s++) {
    out->slots[s].clip[i] = m.clip[s];
    out->slots[s].time[i] = m.time[s];
    out->slots[s].weight[i] = m.weight[s];
  }
  out->transform[i] = m.transform;
  out->visible[i] = m.visible != 0;
  memcpy(out->tint[i], m.tint, sizeof m.tint);
  if (out->legs) memcpy(out->legs + i, words + KEPT_WORDS, sizeof *out->legs);
  size_t size = (size_t)c->morph_count * sizeof(float);
  if (size > 0) memcpy(out->morph_added + (size_t)i * (size_t)c->morph_count, words + KEPT_ALL, size);
}

void kept_crowd_read(const kept_crowd *c, int64_t moment, uint32_t *room) {
  size_t stride = (size_t)kept_crowd_stride(c);
  memset(room, 0, room_of(c));
  for (int row = 0; row <= (int)(moment % RING_BLOCK) - c->first; row++) {
    const uint32_t *in = c->rows[row].words;
    for (int i = 0; i < c->members; i++) in = take_changes(in, c, room + (size_t)i * stride);
  }
}

void kept_crowd_open(const kept_crowd *c, int64_t moment, uint32_t *room, const sinew_crowd_characters *out) {
  size_t stride = (size_t)kept_crowd_stride(c);
  kept_crowd_read(c, moment, room);
  for (int i = 0; i < c->members; i++) fill(out, i, c, room + (size_t)i * stride);
  for (int i = 0; i < c->material_count; i++) out->tinted[i] = c->tinted[i];
}
