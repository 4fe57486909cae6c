#include "host/past/ring_part.h"

#include "base/memory/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Numbers by their bits. */
typedef struct open_group {
  uint16_t rotation[3][SINEW_LANES];
  uint32_t position[3][SINEW_LANES], scale[3][SINEW_LANES];
} open_group;

typedef enum channel { ROTATION, POSITION, SCALE, CHANNELS } channel;

/* A bit for each lane of a group: values that change between moments, and values as in the rest pose. */
typedef struct group_masks {
  uint8_t varies[CHANNELS], rests[CHANNELS];
} group_masks;

enum { MOMENT_WORDS = sizeof(ring_moment) / sizeof(uint32_t), MOST_OF_JOINT = sizeof(packed_rotation) + 24 };
_Static_assert(sizeof(ring_moment) == MOMENT_WORDS * sizeof(uint32_t) && MOMENT_WORDS <= 64, "a bit for each word");

static int groups_of(const ring_part *p) { return sinew_pose_group_count(p->joint_count); }

static int lanes_of(const ring_part *p, int group) {
  int left = p->joint_count - group * SINEW_LANES;
  return left < SINEW_LANES ? left : SINEW_LANES;
}

/* ---- while the block is filled ---- */

ring_part *ring_part_create(sinew_actor actor, const char *name, sinew_model *model, int first) {
  ring_part *p = mem_alloc_zeroed(sizeof *p);
  if (!p) return NULL;
  *p = (ring_part){.actor = actor, .model = model, .first = first};
  sinew_model_retain(model);
  snprintf(p->name, sizeof p->name, "%s", name);
  p->joint_count = sinew_model_joint_count(model);
  for (int i = 0; i < sinew_model_mesh_count(model); i++) p->morph_count += sinew_model_mesh(model, i).morph_count;
  size_t morphs = (size_t)p->morph_count;
  p->open = mem_alloc((size_t)RING_BLOCK * (size_t)groups_of(p) * sizeof *p->open);
  p->moments = mem_alloc((size_t)RING_BLOCK * sizeof *p->moments);
  if (morphs > 0) p->morphs = mem_alloc_zeroed((size_t)RING_BLOCK * morphs * sizeof *p->morphs);
  if (p->open && p->moments && (morphs == 0 || p->morphs)) return p;
  ring_part_free(p);
  return NULL;
}

void ring_part_free(ring_part *p) {
  sinew_model_release(p->model);
  mem_free(p->open);
  mem_free(p->moments);
  mem_free(p->packed);
  mem_free(p->morphs);
  mem_free(p);
}

size_t ring_part_bytes(const ring_part *p) {
  size_t open = (size_t)RING_BLOCK * ((size_t)groups_of(p) * sizeof *p->open + sizeof *p->moments);
  size_t morphs = (size_t)(p->holds_morphs ? 1 : RING_BLOCK) * (size_t)p->morph_count * sizeof *p->morphs;
  return sizeof *p + (p->open ? open : p->packed_size) + morphs;
}

void ring_part_add(ring_part *p, const ring_moment *moment, const sinew_pose *pose, const float *morphs) {
  int groups = groups_of(p);
  open_group *out = p->open + (size_t)p->count * (size_t)groups;
  for (int i = 0; i < groups; i++) {
    packed_rotations_of(pose->groups + i, out[i].rotation);
    memcpy(out[i].position, pose->groups[i].translation, sizeof out[i].position);
    memcpy(out[i].scale, pose->groups[i].scale, sizeof out[i].scale);
  }
  size_t each = (size_t)p->morph_count;
  if (morphs && each > 0) memcpy(p->morphs + (size_t)p->count * each, morphs, each * sizeof *morphs);
  p->moments[p->count++] = *moment;
}

/* ---- packing ---- */

/* The lanes that differ from the first moment. */
static void find_varying(const ring_part *p, int group, group_masks *m) {
  size_t groups = (size_t)groups_of(p);
  const open_group *first = p->open + group;
  uint16_t rotation[SINEW_LANES] = {0};
  uint32_t position[SINEW_LANES] = {0}, scale[SINEW_LANES] = {0};
  for (size_t i = 1; i < (size_t)p->count; i++) {
    const open_group *now = first + i * groups;
    for (int k = 0; k < 3; k++) {
      for (int l = 0; l < SINEW_LANES; l++) rotation[l] |= now->rotation[k][l] ^ first->rotation[k][l];
      for (int l = 0; l < SINEW_LANES; l++) position[l] |= now->position[k][l] ^ first->position[k][l];
      for (int l = 0; l < SINEW_LANES; l++) scale[l] |= now->scale[k][l] ^ first->scale[k][l];
    }
  }
  for (int l = 0; l < SINEW_LANES; l++) {
    m->varies[ROTATION] |= (uint8_t)((rotation[l] != 0) << l);
    m->varies[POSITION] |= (uint8_t)((position[l] != 0) << l);
    m->varies[SCALE] |= (uint8_t)((scale[l] != 0) << l);
  }
}

static bool is_same(const uint32_t rows[3][SINEW_LANES], int lane, sinew_vec3 value) {
  uint32_t bits[3];
  memcpy(bits, &value, sizeof bits);
  return rows[0][lane] == bits[0] && rows[1][lane] == bits[1] && rows[2][lane] == bits[2];
}

static group_masks find_masks(const ring_part *p, int group) {
  group_masks m = {{0}, {0}};
  const open_group *first = p->open + group;
  find_varying(p, group, &m);
  for (int l = 0; l < lanes_of(p, group); l++) {
    sinew_transform rest = sinew_model_joint_rest(p->model, group * SINEW_LANES + l);
    m.rests[POSITION] |= (uint8_t)(is_same(first->position, l, rest.translation) << l);
    m.rests[SCALE] |= (uint8_t)(is_same(first->scale, l, rest.scale) << l);
  }
  for (int c = 0; c < CHANNELS; c++) m.rests[c] &= (uint8_t)~m.varies[c];
  return m;
}

/* The number of rows in which a lane's value is stored. */
static int rows_of(const group_masks *m, channel c, int lane, int count) {
  return m->varies[c] >> lane & 1 ? count : !(m->rests[c] >> lane & 1);
}

static size_t size_of(channel c) { return c == ROTATION ? sizeof(packed_rotation) : sizeof(sinew_vec3); }

static uint8_t *put_row(uint8_t *out, const open_group *g, channel c, int lane) {
  packed_rotation rotation = {{g->rotation[0][lane], g->rotation[1][lane], g->rotation[2][lane]}};
  const uint32_t(*rows)[SINEW_LANES] = c == POSITION ? g->position : g->scale;
  uint32_t numbers[3] = {rows[0][lane], rows[1][lane], rows[2][lane]};
  if (c == ROTATION) memcpy(out, &rotation, sizeof rotation);
  else memcpy(out, numbers, sizeof numbers);
  return out + size_of(c);
}

static uint8_t *pack_group(uint8_t *out, const ring_part *p, int group) {
  size_t groups = (size_t)groups_of(p);
  group_masks m = find_masks(p, group);
  memcpy(out, &m, sizeof m);
  out += sizeof m;
  for (int l = 0; l < lanes_of(p, group); l++)
    for (channel c = ROTATION; c < CHANNELS; c++)
      for (size_t i = 0; i < (size_t)rows_of(&m, c, l, p->count); i++)
        out = put_row(out, p->open + i * groups + group, c, l);
  return out;
}

static uint32_t word_of(const ring_moment *m, int word) {
  uint32_t value;
  memcpy(&value, (const char *)m + (size_t)word * sizeof value, sizeof value);
  return value;
}

/* A mask of the words that vary; then each word, once or for all moments. */
static uint8_t *pack_moments(uint8_t *out, const ring_part *p) {
  uint64_t varies = 0;
  for (int w = 0; w < MOMENT_WORDS; w++)
    for (int i = 1; i < p->count; i++) varies |= (uint64_t)(word_of(p->moments + i, w) != word_of(p->moments, w)) << w;
  memcpy(out, &varies, sizeof varies);
  out += sizeof varies;
  for (int w = 0; w < MOMENT_WORDS; w++)
    for (int i = 0; i < (varies >> w & 1 ? p->count : 1); i++) {
      uint32_t value = word_of(p->moments + i, w);
      memcpy(out, &value, sizeof value);
      out += sizeof value;
    }
  return out;
}

/* Without memory they stay unpacked. */
static void pack_morphs(ring_part *p) {
  size_t row = (size_t)p->morph_count * sizeof *p->morphs;
  if (row == 0) return;
  for (int i = 1; i < p->count; i++)
    if (memcmp(p->morphs, p->morphs + (size_t)i * (size_t)p->morph_count, row) != 0) return;
  float *shrunk = mem_resize(p->morphs, row);
  if (!shrunk) return;
  p->morphs = shrunk;
  p->holds_morphs = true;
}

void ring_part_pack(ring_part *p) {
  size_t most = sizeof(uint64_t) + (size_t)p->count * sizeof *p->moments + (size_t)groups_of(p) * sizeof(group_masks) +
                (size_t)p->joint_count * (size_t)p->count * MOST_OF_JOINT;
  uint8_t *packed = p->open ? mem_alloc(most) : NULL;
  if (!packed) return;
  uint8_t *end = pack_moments(packed, p);
  for (int i = 0; i < groups_of(p); i++) end = pack_group(end, p, i);
  p->packed_size = (size_t)(end - packed);
  uint8_t *shrunk = mem_resize(packed, p->packed_size);
  p->packed = shrunk ? shrunk : packed;
  mem_free(p->open);
  mem_free(p->moments);
  p->open = NULL;
  p->moments = NULL;
  pack_morphs(p);
}

/* ---- reading ---- */

void ring_part_moment(const ring_part *p, int index, ring_moment *out) {
  const uint8_t *in = p->packed;
  uint64_t varies;
  if (p->open) {
    *out = p->moments[index];
    return;
  }
  memcpy(&varies, in, sizeof varies);
  in += sizeof varies;
  for (int w = 0; w < MOMENT_WORDS; w++) {
    bool all = varies >> w & 1;
    memcpy((char *)out + (size_t)w * sizeof(uint32_t), in + (size_t)(all ? index : 0) * sizeof(uint32_t),
           sizeof(uint32_t));
    in += (size_t)(all ? p->count : 1) * sizeof(uint32_t);
  }
}

/* Where the groups begin. */
static const uint8_t *groups_in(const ring_part *p) {
  uint64_t varies;
  size_t words = 0;
  memcpy(&varies, p->packed, sizeof varies);
  for (int w = 0; w < MOMENT_WORDS; w++) words += (size_t)(varies >> w & 1 ? p->count : 1);
  return p->packed + sizeof varies + words * sizeof(uint32_t);
}

typedef struct read_joint {
  packed_rotation rotation;
  sinew_vec3 position, scale;
} read_joint;

static const uint8_t *take_joint(const uint8_t *in, const ring_part *p, const group_masks *m, int index, int joint,
                                 read_joint *out) {
  sinew_transform rest = sinew_model_joint_rest(p->model, joint);
  void *values[CHANNELS] = {&out->rotation, &out->position, &out->scale};
  out->position = rest.translation, out->scale = rest.scale;
  for (channel c = ROTATION; c < CHANNELS; c++) {
    int rows = rows_of(m, c, joint % SINEW_LANES, p->count);
    if (rows > 0) memcpy(values[c], in + (size_t)(rows > 1 ? index : 0) * size_of(c), size_of(c));
    in += (size_t)rows * size_of(c);
  }
  return in;
}

static void open_joint(const ring_part *p, int index, int joint, read_joint *out) {
  const open_group *g = p->open + (size_t)index * (size_t)groups_of(p) + (size_t)(joint / SINEW_LANES);
  put_row((uint8_t *)&out->rotation, g, ROTATION, joint % SINEW_LANES);
  put_row((uint8_t *)&out->position, g, POSITION, joint % SINEW_LANES);
  put_row((uint8_t *)&out->scale, g, SCALE, joint % SINEW_LANES);
}

void ring_part_pose(const ring_part *p, int index, const sinew_pose *out) {
  const uint8_t *in = p->open ? NULL : groups_in(p);
  group_masks m = {{0}, {0}};
  for (int joint = 0; joint < p->joint_count; joint++) {
    read_joint is;
    if (in && joint % SINEW_LANES == 0) memcpy(&m, in, sizeof m), in += sizeof m;
    if (in) in = take_joint(in, p, &m, index, joint, &is);
    else open_joint(p, index, joint, &is);
    sinew_transform t = {.translation = is.position, .rotation = packed_rotation_open(is.rotation), .scale = is.scale};
    sinew_pose_set_joint(out, joint, &t);
  }
}

/* Skips everything in front of it. */
sinew_quat ring_part_rotation(const ring_part *p, int index, int joint) {
  const uint8_t *in = p->open ? NULL : groups_in(p);
  group_masks m = {{0}, {0}};
  read_joint is = {.rotation = {{0}}};
  if (!in) open_joint(p, index, joint, &is);
  for (int i = 0; in && i <= joint; i++) {
    if (i % SINEW_LANES == 0) memcpy(&m, in, sizeof m), in += sizeof m;
    in = take_joint(in, p, &m, index, i, &is);
  }
  return packed_rotation_open(is.rotation);
}

const float *ring_part_morphs(const ring_part *p, int index) {
  return p->morph_count > 0 ? p->morphs + (size_t)(p->holds_morphs ? 0 : index) * (size_t)p->morph_count : NULL;
}

/* A unit quaternion in six bytes: its three smaller components in 15 bits each, and the index of the largest. A
 * rotation is restored to 1.5e-4 rad: each part to 2.16e-5, and the largest, if all four are alike, to three times
 * that. */

/* The smaller components are within ±1/√2; 2¹⁴ − 1 steps on each side keep 0 exact. */
enum { STEPS = (1 << 14) - 1 };
static const float largest_small = 0.70710678f;

/* Selects the bits of a where `mask` is set, those of b elsewhere. */
static uint32_t either(uint32_t mask, uint32_t a, uint32_t b) { return (mask & a) | (~mask & b); }

static uint32_t is_greater(uint32_t a, uint32_t b) { return (uint32_t) - ((int32_t)a > (int32_t)b); }

/* The smaller components of one lane, with signs that make the largest one positive, and its index. Floats without
 * their sign compare like integers, so there is no branch, and eight lanes are computed side by side. */
static void choose(const uint32_t q[4], uint32_t small[3], uint32_t *index) {
  const uint32_t sign_bit = 0x80000000u;
  uint32_t size = q[3] & ~sign_bit, largest = q[3], over[3];
  for (int k = 0; k < 3; k++) {
    over[k] = is_greater(q[k] & ~sign_bit, size);
    size = either(over[k], q[k] & ~sign_bit, size);
    largest = either(over[k], q[k], largest);
  }
  uint32_t first = over[0] & ~over[1] & ~over[2], second = over[1] & ~over[2], third = over[2];
  small[0] = either(first, q[1], q[0]) ^ (largest & sign_bit);
  small[1] = either(first | second, q[2], q[1]) ^ (largest & sign_bit);
  small[2] = either(first | second | third, q[3], q[2]) ^ (largest & sign_bit);
  *index = (second & 1) | (third & 2) | (~(first | second | third) & 3);
}

void packed_rotations_of(const sinew_pose_group *group, uint16_t parts[3][SINEW_LANES]) {
  uint32_t q[4][SINEW_LANES], small[3][SINEW_LANES], index[SINEW_LANES];
  float values[3][SINEW_LANES];
  memcpy(q, group->rotation, sizeof q);
  for (int i = 0; i < SINEW_LANES; i++) {
    uint32_t of[3];
    choose((uint32_t[]){q[0][i], q[1][i], q[2][i], q[3][i]}, of, index + i);
    for (int k = 0; k < 3; k++) small[k][i] = of[k];
  }
  memcpy(values, small, sizeof values);
  for (int k = 0; k < 3; k++) {
    uint32_t shift = k == 0 ? 15 : 14, bit = k == 0 ? 1 : k == 1 ? 2 : 0;
    for (int i = 0; i < SINEW_LANES; i++) {
      float v = values[k][i] < largest_small ? values[k][i] : largest_small;
      v = v > -largest_small ? v : -largest_small;
      uint32_t step = (uint32_t)(int32_t)(v * ((float)STEPS / largest_small) + ((float)STEPS + 0.5f));
      parts[k][i] = (uint16_t)(step | (index[i] & bit) << shift);
    }
  }
}

sinew_quat packed_rotation_open(packed_rotation packed) {
  int largest = packed.parts[0] >> 15 | (packed.parts[1] >> 15) << 1, part = 0;
  float q[4], rest = 1;
  for (int i = 0; i < 4; i++) {
    if (i == largest) continue;
    q[i] = (float)((packed.parts[part++] & 0x7fff) - STEPS) / (float)STEPS * largest_small;
    rest -= q[i] * q[i];
  }
  q[largest] = sqrtf(rest > 0 ? rest : 0);
  return (sinew_quat){q[0], q[1], q[2], q[3]};
}
