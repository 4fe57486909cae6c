#include "host/past/ring.h"

#include "base/clock.h"
#include "base/memory/memory.h"

#include <sinew/metrics.h>

#include <math.h>
#include <string.h>

struct ring_block {
  double times[RING_BLOCK];
  int64_t frames[RING_BLOCK];
  sinew_vec3 cameras[RING_BLOCK];
  int count, part_count;
  size_t bytes;
  ring_part **parts;
};

/* ---- blocks ---- */

static void free_block(ring *r, int slot) {
  struct ring_block *b = r->blocks[slot];
  if (!b) return;
  for (int i = 0; i < b->part_count; i++) ring_part_free(b->parts[i]);
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
  for (int i = 0; i < b->part_count; i++) b->bytes += sizeof *b->parts + ring_part_bytes(b->parts[i]);
  r->bytes += b->bytes;
}

/* Packs some parts of the previous block at each moment, so that no frame takes long. */
static void pack_some(ring *r) {
  int64_t before = (r->first + r->count) / RING_BLOCK - 1;
  struct ring_block *b = before >= r->first / RING_BLOCK ? r->blocks[before % RING_BLOCKS] : NULL;
  if (!b) return;
  int left = 1 + b->part_count / (RING_BLOCK / 2);
  for (int i = 0; i < b->part_count && left > 0; i++) {
    if (!b->parts[i]->open) continue;
    ring_part_pack(b->parts[i]);
    left--;
  }
  count_bytes(r, b);
}

/* The block for the next moment. */
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

/* ---- the state of an actor ---- */

/* Heaviest first; clips that do not fit are dropped. */
static void add_clip_weight(ring_moment *m, const sinew_playing *playing, int layer) {
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
      add_clip_weight(m, &playing, layer);
  for (int i = 0; i < sinew_actor_node_count(stage, actor, layer); i++) {
    if (!sinew_actor_node(stage, actor, layer, i, &node)) continue;
    if (node.kind == SINEW_NODE_CLIP && sinew_actor_node_playing(stage, actor, layer, i, &playing) &&
        playing.normalized_weight > 0.001f)
      add_clip_weight(m, &playing, layer);
    if (node.kind == SINEW_NODE_MACHINE && m->state < 0 && sinew_actor_machine(stage, actor, layer, i, &machine))
      m->state = machine.state;
  }
}

static void read_moment(ring_moment *m, const sinew_stage *stage, sinew_actor actor) {
  sinew_metrics metrics;
  bool measured = sinew_actor_metrics(stage, actor, &metrics);
  *m = (ring_moment){.transform = sinew_actor_transform(stage, actor), .state = -1};
  m->slid = measured ? (float)(metrics.slid / metrics.metre) : 0;
  m->opacity = sinew_actor_is_visible(stage, actor) ? sinew_actor_opacity(stage, actor) : 0;
  for (int i = 0; i < sinew_actor_layer_count(stage, actor); i++) read_layer(m, stage, actor, i);
  int params = sinew_actor_param_count(stage, actor);
  m->param_count = params < RING_PARAMS ? params : RING_PARAMS;
  for (int i = 0; i < m->param_count; i++) m->params[i] = (float)sinew_actor_param(stage, actor, i);
}

/* ---- a new moment ---- */

static ring_part *add_part(struct ring_block *b, sinew_actor actor, const char *name, sinew_model *model) {
  ring_part **parts = mem_resize(b->parts, (size_t)(b->part_count + 1) * sizeof *parts);
  if (!parts) return NULL;
  b->parts = parts;
  ring_part *p = ring_part_create(actor, name, model, b->count);
  return p ? b->parts[b->part_count++] = p : NULL;
}

/* The part of the same actor in the block: actors keep their order, so it is mostly at the same index. */
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
  ring_part *p = b->count > 0 ? find_part(b, actor, b->count - 1, r->next_part++) : NULL;
  if (!p || p->model != model) p = add_part(b, actor, name, model);
  if (!p) return;
  ring_part_add(p, moment, pose, morphs);
}

bool ring_begin(ring *r, double time, int64_t frame) {
  struct ring_block *b = open_block(r);
  if (!b) return false;
  r->next_part = 0;
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

/* NULL if there are none, or no memory. */
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

void ring_set_camera(ring *r, sinew_vec3 carried) {
  struct ring_block *b = block_of(r, r->first + r->count - 1);
  if (b) b->cameras[(r->first + r->count - 1) % RING_BLOCK] = carried;
}

sinew_vec3 ring_camera(const ring *r, int64_t moment) {
  const struct ring_block *b = block_of(r, moment);
  return b ? b->cameras[moment % RING_BLOCK] : (sinew_vec3){0};
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

bool ring_read(const ring *r, int64_t moment, sinew_actor actor, ring_moment *out) {
  const ring_part *p = part_of(r, moment, actor);
  if (p) ring_part_moment(p, (int)(moment % RING_BLOCK) - p->first, out);
  return p;
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
  return p ? ring_part_morphs(p, (int)(moment % RING_BLOCK) - p->first) : NULL;
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

double ring_joint_angle(const ring *r, int64_t moment, sinew_actor actor, int joint) {
  const ring_part *p = part_of(r, moment, actor);
  if (!p || joint < 0 || joint >= p->joint_count) return (double)NAN;
  sinew_quat is = ring_part_rotation(p, (int)(moment % RING_BLOCK) - p->first, joint);
  sinew_quat rest = sinew_model_joint_rest(p->model, joint).rotation;
  double dot = (double)(is.x * rest.x + is.y * rest.y + is.z * rest.z + is.w * rest.w);
  return 2 * sinew_acos(fmin(fabs(dot), 1));
}

bool ring_pose(const ring *r, int64_t moment, sinew_actor actor, sinew_pose pose) {
  const ring_part *p = part_of(r, moment, actor);
  if (!p || pose.joint_count != p->joint_count) return false;
  ring_part_pose(p, (int)(moment % RING_BLOCK) - p->first, &pose);
  return true;
}
