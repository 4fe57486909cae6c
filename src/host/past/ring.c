#include "host/past/ring.h"

#include "base/clock.h"
#include "base/memory/array.h"
#include "base/memory/memory.h"
#include "host/past/packed_rotation.h"

#include <sinew/metrics.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 64, VARIES_TURN = 1, VARIES_PLACE = 2, VARIES_SCALE = 4 };

typedef struct packed_joint {
  sinew_vec3 place, scale;
  packed_rotation turn;
} packed_joint;

/* An actor with one model, in one block. */
typedef struct ring_part {
  sinew_actor actor;
  sinew_model *model;
  char name[NAME];
  int first, count, joint_count; /* of the block's moments */
  ring_moment moments[RING_BLOCK];
  packed_joint *open; /* count × joints, while the block is being filled */
  uint8_t *packed;    /* then: for each joint what varies, and its values */
  size_t packed_size;
  float *morphs; /* count × morph_count; once it is packed, one row of them where they do not vary */
  int morph_count;
  bool holds_morphs; /* they do not */
} ring_part;

struct ring_block {
  double times[RING_BLOCK];
  int64_t frames[RING_BLOCK];
  int count, part_count;
  size_t bytes;
  ring_part **parts;
};

/* ---- packing ---- */

/* Of a joint: which of its values are not the same in all moments. */
static uint8_t find_varying(const ring_part *p, int joint) {
  const packed_joint *at = p->open + joint;
  uint8_t varies = 0;
  for (int i = 1; i < p->count; i++) {
    const packed_joint *now = at + (size_t)i * (size_t)p->joint_count;
    if (memcmp(&now->turn, &at->turn, sizeof at->turn) != 0) varies |= VARIES_TURN;
    if (memcmp(&now->place, &at->place, sizeof at->place) != 0) varies |= VARIES_PLACE;
    if (memcmp(&now->scale, &at->scale, sizeof at->scale) != 0) varies |= VARIES_SCALE;
  }
  return varies;
}

static size_t joint_bytes(uint8_t varies, int count) {
  size_t turns = varies & VARIES_TURN ? (size_t)count : 1, places = varies & VARIES_PLACE ? (size_t)count : 1,
         scales = varies & VARIES_SCALE ? (size_t)count : 1;
  return 1 + turns * sizeof(packed_rotation) + (places + scales) * sizeof(sinew_vec3);
}

static uint8_t *put(uint8_t *out, const ring_part *p, const void *first, size_t size, bool varies) {
  const uint8_t *from = first;
  for (int i = 0; i < (varies ? p->count : 1); i++) {
    memcpy(out, from, size);
    out += size;
    from += (size_t)p->joint_count * sizeof(packed_joint);
  }
  return out;
}

static uint8_t *pack_joint(uint8_t *out, const ring_part *p, int joint) {
  const packed_joint *at = p->open + joint;
  uint8_t varies = *out = find_varying(p, joint);
  out = put(out + 1, p, &at->turn, sizeof at->turn, varies & VARIES_TURN);
  out = put(out, p, &at->place, sizeof at->place, varies & VARIES_PLACE);
  return put(out, p, &at->scale, sizeof at->scale, varies & VARIES_SCALE);
}

/* Without memory they stay as they are. */
static void pack_morphs(ring_part *p) {
  size_t row = (size_t)p->morph_count * sizeof *p->morphs;
  for (int i = 1; i < p->count; i++)
    if (memcmp(p->morphs, p->morphs + (size_t)i * (size_t)p->morph_count, row) != 0) return;
  float *shrunk = row > 0 ? mem_resize(p->morphs, row) : NULL;
  if (!shrunk) return;
  p->morphs = shrunk;
  p->holds_morphs = true;
}

/* Without memory it stays as it is. */
static void pack_part(ring_part *p) {
  size_t size = 0;
  for (int i = 0; i < p->joint_count; i++) size += joint_bytes(find_varying(p, i), p->count);
  p->packed = mem_alloc(size);
  if (!p->packed) return;
  uint8_t *out = p->packed;
  for (int i = 0; i < p->joint_count; i++) out = pack_joint(out, p, i);
  p->packed_size = size;
  mem_free(p->open);
  p->open = NULL;
  pack_morphs(p);
}

static const uint8_t *take(const uint8_t *in, const ring_part *p, int index, void *value, size_t size, bool varies) {
  memcpy(value, in + (varies ? (size_t)index * size : 0), size);
  return in + (varies ? (size_t)p->count : 1) * size;
}

static const uint8_t *unpack_joint(const uint8_t *in, const ring_part *p, int index, packed_joint *out) {
  uint8_t varies = *in;
  in = take(in + 1, p, index, &out->turn, sizeof out->turn, varies & VARIES_TURN);
  in = take(in, p, index, &out->place, sizeof out->place, varies & VARIES_PLACE);
  return take(in, p, index, &out->scale, sizeof out->scale, varies & VARIES_SCALE);
}

/* ---- blocks ---- */

static void free_part(ring_part *p) {
  sinew_model_release(p->model);
  mem_free(p->open);
  mem_free(p->packed);
  mem_free(p->morphs);
  mem_free(p);
}

static size_t part_bytes(const ring_part *p) {
  size_t open = (size_t)RING_BLOCK * (size_t)p->joint_count * sizeof *p->open;
  size_t morphs = (size_t)(p->holds_morphs ? 1 : RING_BLOCK) * (size_t)p->morph_count * sizeof *p->morphs;
  return sizeof *p + (p->open ? open : p->packed_size) + morphs;
}

static void free_block(ring *r, int slot) {
  struct ring_block *b = r->blocks[slot];
  if (!b) return;
  for (int i = 0; i < b->part_count; i++) free_part(b->parts[i]);
  r->bytes -= b->bytes;
  mem_free(b->parts);
  mem_free(b);
  r->blocks[slot] = NULL;
}

static struct ring_block *block_of(const ring *r, int64_t moment) {
  bool kept = moment >= r->first && moment < r->first + r->count;
  return kept ? r->blocks[moment / RING_BLOCK % RING_BLOCKS] : NULL;
}

static void forget_first_block(ring *r) {
  int64_t end = (r->first / RING_BLOCK + 1) * RING_BLOCK;
  kept_crowds_free_block(&r->crowds, r->first);
  free_block(r, (int)(r->first / RING_BLOCK % RING_BLOCKS));
  r->count -= end - r->first;
  r->first = end;
}

static void count_bytes(ring *r, struct ring_block *b) {
  r->bytes -= b->bytes;
  b->bytes = sizeof *b;
  for (int i = 0; i < b->part_count; i++) b->bytes += sizeof *b->parts + part_bytes(b->parts[i]);
  r->bytes += b->bytes;
}

/* Of the block before the one that is being filled some parts with each moment, so that none takes long. */
static void pack_some(ring *r) {
  int64_t before = (r->first + r->count) / RING_BLOCK - 1;
  struct ring_block *b = before >= r->first / RING_BLOCK ? r->blocks[before % RING_BLOCKS] : NULL;
  if (!b) return;
  int left = 1 + b->part_count / (RING_BLOCK / 2);
  for (int i = 0; i < b->part_count && left > 0; i++) {
    if (!b->parts[i]->open) continue;
    pack_part(b->parts[i]);
    left--;
  }
  count_bytes(r, b);
}

/* The block that the next moment goes into. */
static struct ring_block *open_block(ring *r) {
  int64_t moment = r->first + r->count;
  int slot = (int)(moment / RING_BLOCK % RING_BLOCKS);
  if (moment % RING_BLOCK > 0) return r->blocks[slot];
  if (r->blocks[slot]) forget_first_block(r);
  r->blocks[slot] = mem_alloc_zeroed(sizeof **r->blocks);
  if (r->blocks[slot]) r->bytes += r->blocks[slot]->bytes = sizeof **r->blocks;
  return r->blocks[slot];
}

void ring_release(ring *r) {
  for (int i = 0; i < RING_BLOCKS; i++) free_block(r, i);
  kept_crowds_release(&r->crowds);
  mem_free(r->morphs);
  *r = (ring){0};
}

/* ---- what an actor does ---- */

/* The heaviest come first; what does not fit goes. */
static void add_share(ring_moment *m, const sinew_playing *playing, int layer) {
  int at = m->clip_count < RING_CLIPS ? m->clip_count++ : RING_CLIPS - 1;
  if (at == RING_CLIPS - 1 && m->clips[at].normalized_weight > playing->normalized_weight) return;
  for (; at > 0 && m->clips[at - 1].normalized_weight < playing->normalized_weight; at--)
    m->clips[at] = m->clips[at - 1];
  m->clips[at] = (ring_clip){.clip = (int16_t)playing->clip,
                             .layer = (int16_t)layer,
                             .normalized_weight = playing->normalized_weight,
                             .phase = (float)playing->phase,
                             .speed = (float)playing->speed};
}

static void read_layer(ring_moment *m, const sinew_stage *stage, sinew_actor actor, int layer) {
  sinew_playing playing;
  sinew_node_def node;
  sinew_machine_state machine;
  for (int i = 0; i < sinew_actor_action_count(stage, actor, layer); i++)
    if (sinew_action_playing(stage, sinew_actor_action(stage, actor, layer, i), &playing) &&
        playing.normalized_weight > 0.001f)
      add_share(m, &playing, layer);
  for (int i = 0; i < sinew_actor_node_count(stage, actor, layer); i++) {
    if (!sinew_actor_node(stage, actor, layer, i, &node)) continue;
    if (node.kind == SINEW_NODE_CLIP && sinew_actor_node_playing(stage, actor, layer, i, &playing) &&
        playing.normalized_weight > 0.001f)
      add_share(m, &playing, layer);
    if (node.kind == SINEW_NODE_MACHINE && m->state < 0 && sinew_actor_machine(stage, actor, layer, i, &machine))
      m->state = machine.state;
  }
}

static void read_moment(ring_moment *m, const sinew_stage *stage, sinew_actor actor) {
  sinew_metrics metrics; /* zeros where it is not measured */
  sinew_actor_metrics(stage, actor, &metrics);
  *m = (ring_moment){.place = sinew_actor_transform(stage, actor), .state = -1, .slid = (float)metrics.slid};
  m->opacity = sinew_actor_is_visible(stage, actor) ? sinew_actor_opacity(stage, actor) : 0;
  for (int i = 0; i < sinew_actor_layer_count(stage, actor); i++) read_layer(m, stage, actor, i);
  int params = sinew_actor_param_count(stage, actor);
  m->param_count = params < RING_PARAMS ? params : RING_PARAMS;
  for (int i = 0; i < m->param_count; i++) m->params[i] = (float)sinew_actor_param(stage, actor, i);
}

static packed_joint packed_of(const sinew_pose *pose, int joint) {
  sinew_transform t = sinew_pose_joint(pose, joint);
  return (packed_joint){t.translation, t.scale, packed_rotation_of(t.rotation)};
}

/* ---- a new moment ---- */

static ring_part *add_part(struct ring_block *b, sinew_actor actor, const char *name, sinew_model *model) {
  ring_part **parts = mem_resize(b->parts, (size_t)(b->part_count + 1) * sizeof *parts);
  if (!parts) return NULL;
  b->parts = parts;
  ring_part *p = mem_alloc_zeroed(sizeof *p);
  int joints = sinew_model_joint_count(model);
  int morphs = ring_morph_count(model);
  if (p) p->open = mem_alloc((size_t)RING_BLOCK * (size_t)joints * sizeof *p->open);
  if (p && morphs > 0) p->morphs = mem_alloc_zeroed((size_t)RING_BLOCK * (size_t)morphs * sizeof *p->morphs);
  if (!p || !p->open || (morphs > 0 && !p->morphs)) {
    if (p) mem_free(p->open);
    mem_free(p);
    return NULL;
  }
  p->morph_count = morphs;
  sinew_model_retain(model);
  p->actor = actor;
  p->model = model;
  p->joint_count = joints;
  p->first = b->count;
  snprintf(p->name, sizeof p->name, "%s", name);
  return b->parts[b->part_count++] = p;
}

/* The part that goes on with the actor: actors keep their order, so it is mostly the one at the same place. */
static ring_part *find_part(const struct ring_block *b, sinew_actor actor, int index, int guess) {
  for (int n = -1; n < b->part_count; n++) {
    int i = n < 0 ? guess : n;
    if (i < b->part_count && b->parts[i]->actor.id == actor.id && index >= b->parts[i]->first &&
        index < b->parts[i]->first + b->parts[i]->count)
      return b->parts[i];
  }
  return NULL;
}

void ring_add(ring *r, sinew_actor actor, const char *name, sinew_model *model, const ring_moment *moment,
              const sinew_pose *pose, const float *morphs) {
  struct ring_block *b = r->blocks[(r->first + r->count) / RING_BLOCK % RING_BLOCKS];
  ring_part *p = b->count > 0 ? find_part(b, actor, b->count - 1, r->place++) : NULL;
  if (!p || p->model != model) p = add_part(b, actor, name, model);
  if (!p) return;
  packed_joint *out = p->open + (size_t)p->count * (size_t)p->joint_count;
  for (int i = 0; i < p->joint_count; i++) out[i] = packed_of(pose, i);
  size_t each = (size_t)p->morph_count;
  if (morphs && each > 0) memcpy(p->morphs + (size_t)p->count * each, morphs, each * sizeof *morphs);
  p->moments[p->count++] = *moment;
}

bool ring_begin(ring *r, double time, int64_t frame) {
  struct ring_block *b = open_block(r);
  if (!b) return false;
  r->place = 0;
  kept_crowds_begin(&r->crowds, r->first + r->count);
  b->times[b->count] = time;
  b->frames[b->count] = frame;
  return true;
}

size_t ring_bytes(const ring *r) { return r->bytes + r->crowds.bytes; }

static void limit_bytes(ring *r) {
  int64_t last = r->first + r->count - 1;
  while (ring_bytes(r) > RING_LIMIT && r->count > 2 * RING_BLOCK)
    if (r->crowds.bytes <= RING_CROWDS || !kept_crowds_forget_first(&r->crowds, last)) forget_first_block(r);
}

void ring_end(ring *r) {
  struct ring_block *b = r->blocks[(r->first + r->count) / RING_BLOCK % RING_BLOCKS];
  kept_crowds_end(&r->crowds, r->first + r->count);
  b->count++;
  r->count++;
  count_bytes(r, b);
  pack_some(r);
  limit_bytes(r);
}

int ring_morph_count(const sinew_model *model) {
  int count = 0;
  for (int i = 0; i < sinew_model_mesh_count(model); i++) count += sinew_model_mesh(model, i).morph_count;
  return count;
}

/* NULL where there are none, or no memory. */
static const float *read_morphs(ring *r, const sinew_stage *stage, sinew_actor actor, const sinew_model *model) {
  int used = 0, count = ring_morph_count(model);
  if (count == 0 || !array_reserve((void **)&r->morphs, &r->morph_capacity, count, sizeof *r->morphs)) return NULL;
  for (int mesh = 0; mesh < sinew_model_mesh_count(model); mesh++) {
    const float *weights = sinew_actor_morphs(stage, actor, mesh);
    for (int i = 0; i < sinew_model_mesh(model, mesh).morph_count; i++) r->morphs[used++] = weights ? weights[i] : 0;
  }
  return r->morphs;
}

static void keep_actor(ring *r, const sinew_stage *stage, sinew_actor actor) {
  sinew_model *model = sinew_actor_model(stage, actor);
  sinew_pose pose = sinew_actor_pose(stage, actor);
  ring_moment moment;
  if (!model || !pose.groups || pose.joint_count != sinew_model_joint_count(model)) return;
  read_moment(&moment, stage, actor);
  ring_add(r, actor, sinew_actor_name(stage, actor), model, &moment, &pose, read_morphs(r, stage, actor, model));
}

void ring_update(ring *r, const sinew_stage *stage, double time, int64_t frame) {
  if ((!r->has_all && time < r->next) || !isfinite(time)) return;
  double begun = clock_seconds();
  r->next = time - r->next < 1.0 / RING_RATE ? r->next + 1.0 / RING_RATE : time + 1.0 / RING_RATE;
  if (!ring_begin(r, time, frame)) return;
  for (int i = 0; i < sinew_stage_actor_count(stage); i++) keep_actor(r, stage, sinew_stage_actor(stage, i));
  kept_crowds_keep(&r->crowds, stage, r->first + r->count);
  ring_end(r);
  r->seconds = clock_seconds() - begun;
}

/* ---- reading ---- */

double ring_time(const ring *r, int64_t moment) {
  const struct ring_block *b = block_of(r, moment);
  return b ? b->times[moment % RING_BLOCK] : -1;
}

int64_t ring_frame(const ring *r, int64_t moment) {
  const struct ring_block *b = block_of(r, moment);
  return b ? b->frames[moment % RING_BLOCK] : -1;
}

int64_t ring_find(const ring *r, double time) {
  int64_t low = r->first, high = r->first + r->count - 1;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (ring_time(r, middle) < time) low = middle + 1;
    else high = middle;
  }
  bool earlier = low > r->first && time - ring_time(r, low - 1) < ring_time(r, low) - time;
  return earlier ? low - 1 : low;
}

static bool is_in(const ring_part *p, int index) { return index >= p->first && index < p->first + p->count; }

static const ring_part *part_of(const ring *r, int64_t moment, sinew_actor actor) {
  const struct ring_block *b = block_of(r, moment);
  return b ? find_part(b, actor, (int)(moment % RING_BLOCK), 0) : NULL;
}

int ring_actor_count(const ring *r, int64_t moment) {
  const struct ring_block *b = block_of(r, moment);
  int count = 0;
  for (int i = 0; b && i < b->part_count; i++) count += is_in(b->parts[i], (int)(moment % RING_BLOCK));
  return count;
}

sinew_actor ring_actor(const ring *r, int64_t moment, int index) {
  const struct ring_block *b = block_of(r, moment);
  for (int i = 0; b && i < b->part_count; i++)
    if (is_in(b->parts[i], (int)(moment % RING_BLOCK)) && index-- == 0) return b->parts[i]->actor;
  return (sinew_actor){0};
}

const ring_moment *ring_read(const ring *r, int64_t moment, sinew_actor actor) {
  const ring_part *p = part_of(r, moment, actor);
  return p ? p->moments + (moment % RING_BLOCK - p->first) : NULL;
}

sinew_model *ring_model(const ring *r, int64_t moment, sinew_actor actor) {
  const ring_part *p = part_of(r, moment, actor);
  return p ? p->model : NULL;
}

const char *ring_name(const ring *r, int64_t moment, sinew_actor actor) {
  const ring_part *p = part_of(r, moment, actor);
  return p ? p->name : NULL;
}

const float *ring_morphs(const ring *r, int64_t moment, sinew_actor actor) {
  const ring_part *p = part_of(r, moment, actor);
  int64_t row = p && !p->holds_morphs ? moment % RING_BLOCK - p->first : 0;
  return p && p->morph_count > 0 ? p->morphs + row * p->morph_count : NULL;
}

static bool is_kept(const ring *r, int64_t moment) { return block_of(r, moment) != NULL; }

int ring_crowd_count(const ring *r, int64_t moment) {
  return is_kept(r, moment) ? kept_crowds_count(&r->crowds, moment) : 0;
}

const kept_crowd *ring_crowd(const ring *r, int64_t moment, int index) {
  return is_kept(r, moment) ? kept_crowds_at(&r->crowds, moment, index) : NULL;
}

double ring_crowds_missing(const ring *r, int64_t moment) {
  return is_kept(r, moment) && moment < r->crowds.first ? ring_time(r, r->crowds.first) - ring_time(r, moment) : 0;
}

static void set_joint(const sinew_pose *pose, int joint, const packed_joint *packed) {
  sinew_transform t = {
      .translation = packed->place, .rotation = packed_rotation_open(packed->turn), .scale = packed->scale};
  sinew_pose_set_joint(pose, joint, &t);
}

/* Of a block that is packed the joints before it are stepped over. */
static packed_joint read_joint(const ring_part *p, int index, int joint) {
  packed_joint found;
  const uint8_t *in = p->packed;
  if (p->open) return p->open[(size_t)index * (size_t)p->joint_count + (size_t)joint];
  for (int i = 0; i < joint; i++) in += joint_bytes(*in, p->count);
  unpack_joint(in, p, index, &found);
  return found;
}

double ring_joint_angle(const ring *r, int64_t moment, sinew_actor actor, int joint) {
  const ring_part *p = part_of(r, moment, actor);
  if (!p || joint < 0 || joint >= p->joint_count) return (double)NAN;
  sinew_quat is = packed_rotation_open(read_joint(p, (int)(moment % RING_BLOCK) - p->first, joint).turn);
  sinew_quat rest = sinew_model_joint_rest(p->model, joint).rotation;
  double dot = (double)(is.x * rest.x + is.y * rest.y + is.z * rest.z + is.w * rest.w);
  return 2 * acos(fmin(fabs(dot), 1));
}

bool ring_pose(const ring *r, int64_t moment, sinew_actor actor, sinew_pose pose) {
  const ring_part *p = part_of(r, moment, actor);
  if (!p || pose.joint_count != p->joint_count) return false;
  int index = (int)(moment % RING_BLOCK) - p->first;
  const uint8_t *in = p->packed;
  for (int i = 0; i < p->joint_count; i++) {
    packed_joint joint;
    if (p->open) joint = p->open[(size_t)index * (size_t)p->joint_count + (size_t)i];
    else in = unpack_joint(in, p, index, &joint);
    set_joint(&pose, i, &joint);
  }
  return true;
}
