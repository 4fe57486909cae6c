#include "import/source/fbx/fbx.h"

#include "import/raw/helpers.h"

#include <math.h>
#include <string.h>

/* The transform of a run of chain elements as one T·R·S, where at most one element moves each of the three:
 *   translation = offset + along · (the moving element's translation)
 *   rotation    = left · (the moving element's rotation) · right
 *   scale       = factor × (the moving element's scale)
 * With no moving element the terms in brackets are identity. */
typedef struct segment {
  int last;      /* the element whose node stays */
  int top, node; /* the nodes of its first and last element */
  int mover[3];  /* by track_kind: the element that moves it, or -1 */
  sinew_vec3 offset;
  sinew_mat3x4 along; /* linear part only */
  sinew_quat left, right;
  sinew_vec3 factor;
  sinew_transform rest;
} segment;

enum { MAX_CHAIN = 32 };

/* What is known of each node, so that a file takes as long as it has nodes and curves, and not their product. */
typedef struct folder {
  raw_model *raw;
  int32_t *owner;           /* the file's node at the end of its chain, or -1: it is in none */
  bool *moved;              /* for each kind: a clip moves it */
  const segment **moves;    /* for each kind: the segment whose mover it is */
  const segment **segments; /* of an owner, and how many */
  int32_t *segment_count;
  int32_t *plain_in, *held_in; /* of an owner: clips, counted from 1; see note_plain and fold_plain */
  bool *dropped;
} folder;

typedef struct chain {
  raw_model *raw;
  const folder *all;
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

static size_t property(int node, track_kind kind) { return (size_t)node * 3 + (size_t)kind; }

static int owner_of(const folder *f, const raw_track *track) {
  return track->kind == TRACK_MORPH ? -1 : f->owner[track->node];
}

static bool same_values(const raw_track *track, const float *rest, int width) {
  for (int k = 0; k < track->key_count; k++)
    for (int i = 0; i < width; i++)
      if (fabsf(track->values[k * width + i] - rest[i]) > 1e-6f * fmaxf(1, fabsf(rest[i]))) return false;
  return true;
}

static bool is_resting(const raw_model *raw, const raw_track *track) {
  sinew_transform t = sinew_transform_from_mat3x4(&raw->nodes[track->node].local);
  const float *rest = track->kind == TRACK_ROTATION      ? &t.rotation.x
                      : track->kind == TRACK_TRANSLATION ? &t.translation.x
                                                         : &t.scale.x;
  return same_values(track, rest, clip_kind_width(track->kind));
}

/* Assimp gives each helper's channel all three curves, two of them at rest: those go. */
static void drop_resting_tracks(const folder *f, raw_clip *clip) {
  int kept = 0;
  for (int i = 0; i < clip->track_count; i++) {
    const raw_track *track = clip->tracks + i;
    int owner = owner_of(f, track);
    if (owner < 0 || owner == track->node || !is_resting(f->raw, track)) clip->tracks[kept++] = *track;
  }
  clip->track_count = kept;
}

/* A clip that names the file's node itself holds the node's whole transform: the helpers do not apply to it. */
static void note_plain(const folder *f, int clip) {
  const raw_clip *c = f->raw->clips + clip;
  for (int i = 0; i < c->track_count; i++)
    if (owner_of(f, c->tracks + i) == c->tracks[i].node) f->plain_in[c->tracks[i].node] = clip + 1;
}

static void note_moves(const folder *f, int clip) {
  const raw_clip *c = f->raw->clips + clip;
  note_plain(f, clip);
  for (int i = 0; i < c->track_count; i++) {
    int owner = owner_of(f, c->tracks + i);
    if (owner >= 0 && f->plain_in[owner] != clip + 1) f->moved[property(c->tracks[i].node, c->tracks[i].kind)] = true;
  }
}

static bool moves(const chain *c, int element, track_kind kind) {
  return c->all->moved[property(c->nodes[element], kind)];
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
  for (int i = 0; i < c->segment_count; i++) {
    c->segments[i].top = c->nodes[i ? c->segments[i - 1].last + 1 : 0];
    c->segments[i].node = c->nodes[c->segments[i].last];
    find_rest(c, c->segments + i);
  }
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
static bool fold_plain(const folder *f, int clip, int track) {
  raw_clip *c = f->raw->clips + clip;
  int owner = c->tracks[track].node, target = f->segment_count[owner] - 1;
  const segment *segments = f->segments[owner];
  while (target > 0 && f->raw->nodes[segments[target].top].geometric) target--;
  c->tracks[track].node = segments[target].node;
  if (f->held_in[owner] == clip + 1) return true;
  f->held_in[owner] = clip + 1;
  for (int s = 0; s < target; s++)
    if (!hold_identity(f->raw, c, segments[s].node)) return false;
  return true;
}

static bool fold_clip(const folder *f, int clip) {
  raw_clip *c = f->raw->clips + clip;
  note_plain(f, clip);
  for (int i = 0, count = c->track_count; i < count; i++) {
    raw_track *track = c->tracks + i;
    int owner = owner_of(f, track);
    if (owner < 0) continue;
    bool plain = f->plain_in[owner] == clip + 1;
    if (plain && track->node == owner && !fold_plain(f, clip, i)) return false;
    const segment *s = plain ? NULL : f->moves[property(track->node, track->kind)];
    if (!s) continue;
    fold_values(s, track);
    track->node = s->node;
  }
  return true;
}

/* ---- all chains ---- */

static bool collect(chain *c, const folder *f, int node) {
  const raw_model *raw = f->raw;
  int above[MAX_CHAIN], count = 0;
  c->raw = f->raw;
  c->all = f;
  c->count = 0;
  if (raw->nodes[node].helper) return false;
  for (int i = raw->nodes[node].parent; i >= 0 && fbx_is_helper_of(raw->nodes + i, raw->nodes + node);
       i = raw->nodes[i].parent) {
    if (count == MAX_CHAIN - 1) return false;
    above[count++] = i;
  }
  while (count > 0) c->nodes[c->count++] = above[--count];
  c->nodes[c->count++] = node;
  return c->count > 1;
}

static bool fold_node(folder *f, int node) {
  chain c;
  if (!collect(&c, f, node)) return true;
  fold_chain(&c);
  const segment *kept = raw_copy(f->raw, c.segments, (size_t)c.segment_count, sizeof *kept);
  if (!kept) return false;
  f->segments[node] = kept;
  f->segment_count[node] = c.segment_count;
  for (int s = 0; s < c.segment_count; s++) {
    for (int kind = TRACK_ROTATION; kind <= TRACK_SCALE; kind++)
      if (kept[s].mover[kind] >= 0) f->moves[property(c.nodes[kept[s].mover[kind]], (track_kind)kind)] = kept + s;
    f->raw->nodes[kept[s].node].local = sinew_mat3x4_from_transform(&kept[s].rest);
  }
  for (int i = 0; i < c.count; i++) f->dropped[c.nodes[i]] = c.segments[c.segment_of[i]].last != i;
  return true;
}

static bool open_folder(folder *f, raw_model *raw) {
  size_t count = (size_t)raw->node_count;
  *f = (folder){.raw = raw,
                .owner = raw_alloc(raw, count, sizeof *f->owner),
                .moved = raw_alloc(raw, count, 3 * sizeof *f->moved),
                .moves = raw_alloc(raw, count, 3 * sizeof *f->moves),
                .segments = raw_alloc(raw, count, sizeof *f->segments),
                .segment_count = raw_alloc(raw, count, sizeof *f->segment_count),
                .plain_in = raw_alloc(raw, count, sizeof *f->plain_in),
                .held_in = raw_alloc(raw, count, sizeof *f->held_in),
                .dropped = raw_alloc(raw, count, sizeof *f->dropped)};
  return f->owner && f->moved && f->moves && f->segments && f->segment_count && f->plain_in && f->held_in && f->dropped;
}

static void find_owners(const folder *f) {
  for (int i = 0; i < f->raw->node_count; i++) f->owner[i] = -1;
  for (int i = 0; i < f->raw->node_count; i++) {
    chain c;
    if (!collect(&c, f, i)) continue;
    for (int k = 0; k < c.count; k++) f->owner[c.nodes[k]] = i;
  }
}

static bool fold_all(folder *f) {
  find_owners(f);
  for (int i = 0; i < f->raw->clip_count; i++) {
    drop_resting_tracks(f, f->raw->clips + i);
    note_moves(f, i);
  }
  for (int i = 0; i < f->raw->node_count; i++)
    if (!fold_node(f, i)) return false;
  for (int i = 0; i < f->raw->clip_count; i++)
    if (!fold_clip(f, i)) return false;
  return true;
}

bool fbx_fold_chains(raw_model *raw) {
  folder f;
  raw_node *nodes = raw_alloc(raw, (size_t)raw->node_count, sizeof *nodes);
  int32_t *map = raw_alloc(raw, (size_t)raw->node_count, sizeof *map);
  if (!nodes || !map || !open_folder(&f, raw) || !fold_all(&f)) return false;
  int count = 0;
  for (int i = 0; i < raw->node_count; i++) {
    int parent = raw->nodes[i].parent;
    parent = parent < 0 ? -1 : map[parent];
    map[i] = f.dropped[i] ? parent : count;
    if (f.dropped[i]) continue;
    nodes[count] = raw->nodes[i];
    nodes[count++].parent = parent;
  }
  replace_nodes(raw, nodes, count, map);
  return true;
}
