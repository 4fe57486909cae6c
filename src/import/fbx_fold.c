#include "import/fbx.h"

#include "import/helpers.h"

#include <math.h>
#include <string.h>

/* The transform of a run of chain elements as one T·R·S, where at most one element moves each of the three:
 *   translation = offset + along · (the moving element's translation)
 *   rotation    = left · (the moving element's rotation) · right
 *   scale       = factor × (the moving element's scale)
 * With no moving element the terms in brackets are identity. */
typedef struct segment {
  int last;     /* the element whose node stays */
  int mover[3]; /* by track_kind: the element that moves it, or -1 */
  sinew_vec3 offset;
  sinew_mat3x4 along; /* linear part only */
  sinew_quat left, right;
  sinew_vec3 factor;
  sinew_transform rest;
} segment;

enum { MAX_CHAIN = 32 };

typedef struct chain {
  raw_model *raw;
  int nodes[MAX_CHAIN]; /* top to bottom; the last is the file's node */
  int count;
  segment segments[MAX_CHAIN];
  int segment_count;
  int segment_of[MAX_CHAIN];
} chain;

static const sinew_vec3 zero = {0, 0, 0}, one = {1, 1, 1};

static bool near_vec(sinew_vec3 a, sinew_vec3 b, float limit) {
  return fabsf(a.x - b.x) <= limit && fabsf(a.y - b.y) <= limit && fabsf(a.z - b.z) <= limit;
}

static bool near_identity(sinew_quat q) { return fabsf(q.x) < 1e-7f && fabsf(q.y) < 1e-7f && fabsf(q.z) < 1e-7f; }

static sinew_vec3 turn(const sinew_mat3x4 *m, sinew_vec3 v) {
  const float *a = m->m;
  return (sinew_vec3){a[0] * v.x + a[1] * v.y + a[2] * v.z, a[4] * v.x + a[5] * v.y + a[6] * v.z,
                      a[8] * v.x + a[9] * v.y + a[10] * v.z};
}

static sinew_vec3 times(sinew_vec3 a, sinew_vec3 b) { return (sinew_vec3){a.x * b.x, a.y * b.y, a.z * b.z}; }

/* ---- which elements move ---- */

/* A clip that names the file's node itself holds the node's whole transform: the helpers do not apply to it. */
static bool is_plain(const chain *c, const raw_clip *clip) {
  int node = c->nodes[c->count - 1];
  for (int kind = TRACK_ROTATION; kind <= TRACK_SCALE; kind++)
    if (find_track(clip, (track_kind)kind, node)) return true;
  return false;
}

static bool moves(const chain *c, int element, track_kind kind) {
  for (int i = 0; i < c->raw->clip_count; i++)
    if (!is_plain(c, c->raw->clips + i) && find_track(c->raw->clips + i, kind, c->nodes[element])) return true;
  return false;
}

static bool same_values(const raw_track *track, const float *rest, int width) {
  for (int k = 0; k < track->key_count; k++)
    for (int i = 0; i < width; i++)
      if (fabsf(track->values[k * width + i] - rest[i]) > 1e-6f * fmaxf(1, fabsf(rest[i]))) return false;
  return true;
}

/* Assimp gives each helper's channel all three curves, two of them at rest: those go. */
static void drop_resting_tracks(raw_model *raw, int node) {
  sinew_transform t = sinew_transform_from_mat3x4(&raw->nodes[node].local);
  for (int c = 0; c < raw->clip_count; c++) {
    raw_clip *clip = raw->clips + c;
    int kept = 0;
    for (int i = 0; i < clip->track_count; i++) {
      const raw_track *track = clip->tracks + i;
      const float *rest = track->kind == TRACK_ROTATION      ? &t.rotation.x
                          : track->kind == TRACK_TRANSLATION ? &t.translation.x
                                                             : &t.scale.x;
      if (track->kind != TRACK_MORPH && track->node == node && same_values(track, rest, clip_kind_width(track->kind)))
        continue;
      clip->tracks[kept++] = *track;
    }
    clip->track_count = kept;
  }
}

/* ---- folding ---- */

static segment empty_segment(void) {
  return (segment){.mover = {-1, -1, -1},
                   .along = sinew_mat3x4_identity(),
                   .left = {0, 0, 0, 1},
                   .right = {0, 0, 0, 1},
                   .factor = one,
                   .rest = sinew_transform_identity()};
}

static sinew_mat3x4 linear_part(const segment *s) {
  sinew_transform t = {zero, sinew_quat_multiply(s->left, s->right), s->factor};
  return sinew_mat3x4_from_transform(&t);
}

static bool fold_translation(segment *s, sinew_vec3 v, bool moving, int element) {
  if (!moving && near_vec(v, zero, 0)) return true;
  if (s->mover[TRACK_ROTATION] >= 0 || s->mover[TRACK_SCALE] >= 0) return false;
  if (moving && s->mover[TRACK_TRANSLATION] >= 0) return false;
  sinew_mat3x4 linear = linear_part(s);
  if (moving) {
    s->mover[TRACK_TRANSLATION] = element;
    s->along = linear;
  } else {
    sinew_vec3 d = turn(&linear, v);
    s->offset = (sinew_vec3){s->offset.x + d.x, s->offset.y + d.y, s->offset.z + d.z};
  }
  return true;
}

static bool fold_rotation(segment *s, sinew_quat q, bool moving, int element) {
  if (!moving && near_identity(q)) return true;
  bool uniform = near_vec(s->factor, (sinew_vec3){s->factor.x, s->factor.x, s->factor.x}, 1e-6f);
  if (s->mover[TRACK_SCALE] >= 0 || !uniform) return false;
  if (moving && s->mover[TRACK_ROTATION] >= 0) return false;
  if (moving) s->mover[TRACK_ROTATION] = element;
  else if (s->mover[TRACK_ROTATION] >= 0) s->right = sinew_quat_multiply(s->right, q);
  else s->left = sinew_quat_multiply(s->left, q);
  return true;
}

static bool fold_scale(segment *s, sinew_vec3 v, bool moving, int element) {
  if (moving && s->mover[TRACK_SCALE] >= 0) return false;
  if (moving) s->mover[TRACK_SCALE] = element;
  else s->factor = times(s->factor, v);
  return true;
}

static bool fold_element(const chain *c, segment *s, int element) {
  const raw_node *node = c->raw->nodes + c->nodes[element];
  sinew_transform t = sinew_transform_from_mat3x4(&node->local);
  return fold_translation(s, t.translation, moves(c, element, TRACK_TRANSLATION), element) &&
         fold_rotation(s, t.rotation, moves(c, element, TRACK_ROTATION), element) &&
         fold_scale(s, t.scale, moves(c, element, TRACK_SCALE), element);
}

/* What the segment is with the moving elements at rest. */
static void find_rest(const chain *c, segment *s) {
  sinew_transform at[3];
  for (int kind = 0; kind < 3; kind++)
    at[kind] = s->mover[kind] < 0 ? sinew_transform_identity()
                                  : sinew_transform_from_mat3x4(&c->raw->nodes[c->nodes[s->mover[kind]]].local);
  sinew_vec3 d = turn(&s->along, at[TRACK_TRANSLATION].translation);
  s->rest.translation = (sinew_vec3){s->offset.x + d.x, s->offset.y + d.y, s->offset.z + d.z};
  s->rest.rotation =
      sinew_quat_normalize(sinew_quat_multiply(sinew_quat_multiply(s->left, at[TRACK_ROTATION].rotation), s->right));
  s->rest.scale = times(s->factor, at[TRACK_SCALE].scale);
}

/* The geometric part begins a segment of its own: a plain clip ends above it. */
static bool begins_geometry(const chain *c, int element) {
  return element > 0 && c->raw->nodes[c->nodes[element]].geometric && !c->raw->nodes[c->nodes[element - 1]].geometric;
}

static void fold_chain(chain *c) {
  segment *s = c->segments;
  *s = empty_segment();
  c->segment_count = 1;
  for (int i = 0; i < c->count; i++) {
    segment before = *s;
    bool fits = i > 0 && !begins_geometry(c, i) && fold_element(c, s, i);
    if (i > 0 && !fits) {
      *s++ = before;
      *s = empty_segment();
      c->segment_count++;
    }
    if (!fits) fold_element(c, s, i); /* one element alone always fits */
    s->last = i;
    c->segment_of[i] = c->segment_count - 1;
  }
  for (int i = 0; i < c->segment_count; i++) find_rest(c, c->segments + i);
}

/* ---- curves ---- */

static void fold_values(const segment *s, raw_track *track) {
  for (int k = 0; k < track->key_count; k++) {
    float *v = track->values + (size_t)k * (size_t)clip_kind_width(track->kind);
    if (track->kind == TRACK_ROTATION) {
      sinew_quat q = {v[0], v[1], v[2], v[3]};
      q = sinew_quat_multiply(sinew_quat_multiply(s->left, q), s->right);
      memcpy(v, (float[]){q.x, q.y, q.z, q.w}, 4 * sizeof *v);
      continue;
    }
    sinew_vec3 x = {v[0], v[1], v[2]};
    if (track->kind == TRACK_SCALE) x = times(s->factor, x);
    else {
      sinew_vec3 d = turn(&s->along, x);
      x = (sinew_vec3){s->offset.x + d.x, s->offset.y + d.y, s->offset.z + d.z};
    }
    memcpy(v, (float[]){x.x, x.y, x.z}, 3 * sizeof *v);
  }
}

static void fold_clip(const chain *c, raw_clip *clip) {
  for (int s = 0; s < c->segment_count; s++)
    for (int kind = TRACK_ROTATION; kind <= TRACK_SCALE; kind++) {
      int mover = c->segments[s].mover[kind];
      raw_track *track = mover < 0 ? NULL : find_track(clip, (track_kind)kind, c->nodes[mover]);
      if (!track) continue;
      fold_values(c->segments + s, track);
      track->node = c->nodes[c->segments[s].last];
    }
}

static bool hold_identity(raw_model *raw, raw_clip *clip, int node) {
  static const float values[3][4] = {{0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1}};
  for (int kind = TRACK_ROTATION; kind <= TRACK_SCALE; kind++) {
    raw_track track = {(track_kind)kind,
                       node,
                       0,
                       RAW_LINEAR,
                       1,
                       raw_alloc(raw, 1, sizeof(double)),
                       raw_copy(raw, values[kind], 4, sizeof(float))};
    const raw_track *any = clip->tracks;
    if (!track.times || !track.values) return false;
    track.times[0] = any->times[0];
    raw_track *kept =
        raw_grow(raw, (void **)&clip->tracks, &clip->track_count, &clip->track_capacity, sizeof *clip->tracks);
    if (!kept) return false;
    *kept = track;
  }
  return true;
}

/* The clip's transform stands in place of all pivots; the geometric part stays below it. */
static bool fold_plain_clip(const chain *c, raw_clip *clip) {
  int target = c->segment_count - 1, node = c->nodes[c->count - 1];
  while (target > 0 && c->raw->nodes[c->nodes[c->segments[target - 1].last + 1]].geometric) target--;
  for (int kind = TRACK_ROTATION; kind <= TRACK_SCALE; kind++) {
    raw_track *track = find_track(clip, (track_kind)kind, node);
    if (track) track->node = c->nodes[c->segments[target].last];
  }
  for (int s = 0; s < target; s++)
    if (!hold_identity(c->raw, clip, c->nodes[c->segments[s].last])) return false;
  return true;
}

/* ---- all chains ---- */

static bool collect(chain *c, raw_model *raw, int node) {
  int above[MAX_CHAIN], count = 0;
  for (int i = raw->nodes[node].parent; i >= 0 && fbx_is_helper_of(raw->nodes + i, raw->nodes + node);
       i = raw->nodes[i].parent) {
    if (count == MAX_CHAIN - 1) return false;
    above[count++] = i;
  }
  c->raw = raw;
  c->count = 0;
  while (count > 0) c->nodes[c->count++] = above[--count];
  c->nodes[c->count++] = node;
  return c->count > 1;
}

static bool fold_node(raw_model *raw, int node, bool *dropped) {
  chain c = {0};
  if (raw->nodes[node].helper || !collect(&c, raw, node)) return true;
  for (int i = 0; i + 1 < c.count; i++) drop_resting_tracks(raw, c.nodes[i]);
  fold_chain(&c);
  for (int i = 0; i < raw->clip_count; i++) {
    if (!is_plain(&c, raw->clips + i)) fold_clip(&c, raw->clips + i);
    else if (!fold_plain_clip(&c, raw->clips + i)) return false;
  }
  for (int i = 0; i < c.count; i++) dropped[c.nodes[i]] = c.segments[c.segment_of[i]].last != i;
  for (int s = 0; s < c.segment_count; s++)
    raw->nodes[c.nodes[c.segments[s].last]].local = sinew_mat3x4_from_transform(&c.segments[s].rest);
  return true;
}

bool fbx_fold_chains(raw_model *raw) {
  bool *dropped = raw_alloc(raw, (size_t)raw->node_count, sizeof *dropped);
  raw_node *nodes = raw_alloc(raw, (size_t)raw->node_count, sizeof *nodes);
  int32_t *map = raw_alloc(raw, (size_t)raw->node_count, sizeof *map);
  if (!dropped || !nodes || !map) return false;
  for (int i = 0; i < raw->node_count; i++)
    if (!fold_node(raw, i, dropped)) return false;
  int count = 0;
  for (int i = 0; i < raw->node_count; i++) {
    int parent = raw->nodes[i].parent;
    parent = parent < 0 ? -1 : map[parent];
    map[i] = dropped[i] ? parent : count;
    if (dropped[i]) continue;
    nodes[count] = raw->nodes[i];
    nodes[count++].parent = parent;
  }
  replace_nodes(raw, nodes, count, map);
  return true;
}
