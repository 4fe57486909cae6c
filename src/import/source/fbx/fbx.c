#include "import/source/fbx/fbx.h"

#include "import/raw/helpers.h"

#include <math.h>
#include <string.h>

bool fbx_is_helper_of(const raw_node *helper, const raw_node *node) {
  size_t length = strlen(node->name);
  return helper->helper && strncmp(helper->name, node->name, length) == 0 &&
         strncmp(helper->name + length, "_$AssimpFbx$_", 13) == 0;
}

/* ---- geometric transforms ---- */

/* Skin matrices map a mesh as it was before its geometric transform: it goes on their right. */
static void apply_geometry(raw_model *raw, raw_mesh *mesh) {
  const raw_node *node = raw->nodes + mesh->node;
  sinew_mat3x4 geometry = sinew_mat3x4_identity();
  for (int i = node->parent; i >= 0 && fbx_is_helper_of(raw->nodes + i, node); i = raw->nodes[i].parent)
    if (raw->nodes[i].geometric) geometry = sinew_mat3x4_multiply(&raw->nodes[i].local, &geometry);
  for (int b = 0; b < mesh->bone_count; b++)
    mesh->bones[b].inverse_bind = sinew_mat3x4_multiply(&mesh->bones[b].inverse_bind, &geometry);
}

/* ---- segment scale ---- */

typedef struct splitter {
  raw_model *raw;
  raw_node *nodes;
  int32_t *map;
  int count;
} splitter;

static int file_parent(const raw_model *raw, int node) {
  int parent = raw->nodes[node].parent;
  while (parent >= 0 && raw->nodes[parent].helper) parent = raw->nodes[parent].parent;
  return parent;
}

static sinew_vec3 rest_scale(const raw_node *node) { return sinew_transform_from_mat3x4(&node->local).scale; }

static bool is_unit(const float *s) {
  return fabsf(s[0] - 1) < 1e-5f && fabsf(s[1] - 1) < 1e-5f && fabsf(s[2] - 1) < 1e-5f;
}

/* Which nodes have a scale, at rest or in a clip. */
static bool *find_scaled(raw_model *raw) {
  bool *scaled = raw_alloc(raw, (size_t)raw->node_count, sizeof *scaled);
  for (int i = 0; scaled && i < raw->node_count; i++) {
    sinew_vec3 rest = rest_scale(raw->nodes + i);
    scaled[i] = !is_unit((float[]){rest.x, rest.y, rest.z});
  }
  for (int c = 0; scaled && c < raw->clip_count; c++)
    for (int i = 0; i < raw->clips[c].track_count; i++) {
      const raw_track *track = raw->clips[c].tracks + i;
      for (int k = 0; track->kind == TRACK_SCALE && k < track->key_count; k++)
        scaled[track->node] |= !is_unit(track->values + 3 * (size_t)k);
    }
  return scaled;
}

static float reciprocal(float s) { return fabsf(s) > 1e-6f ? 1 / s : 1; }

/* The helper takes the node's place and undoes the parent's scale; the node keeps rotation and scale. The parent's
 * scale still moves the node (FBX's rule): the translation stays above the division. */
static void split_node(raw_node *node, raw_node *helper, sinew_vec3 parent_scale) {
  *helper = (raw_node){.name = node->name, .parent = node->parent, .helper = true};
  helper->local = (sinew_mat3x4){{reciprocal(parent_scale.x), 0, 0, node->local.m[3], 0, reciprocal(parent_scale.y), 0,
                                  node->local.m[7], 0, 0, reciprocal(parent_scale.z), node->local.m[11]}};
  node->local.m[3] = node->local.m[7] = node->local.m[11] = 0;
}

/* 1 / scale between two keys is no straight line; these many keys between them keep it within 1 % of the change. */
enum { KEYS_BETWEEN = 4 };

static bool add_reciprocal_track(raw_model *raw, raw_clip *clip, const raw_track *scale, int helper) {
  int keys = (scale->key_count - 1) * KEYS_BETWEEN + 1;
  raw_track track = {TRACK_SCALE, helper, 0, RAW_LINEAR, keys, NULL, NULL};
  track.times = raw_alloc(raw, (size_t)keys, sizeof *track.times);
  track.values = raw_alloc(raw, (size_t)keys * 3, sizeof *track.values);
  if (!track.times || !track.values) return false;
  for (int i = 0; i < keys; i++) {
    int key = i / KEYS_BETWEEN, next = key + 1 < scale->key_count ? key + 1 : key;
    float t = (float)(i % KEYS_BETWEEN) / KEYS_BETWEEN;
    track.times[i] = scale->times[key] + (double)t * (scale->times[next] - scale->times[key]);
    for (size_t k = 0; k < 3; k++) {
      float a = scale->values[3 * (size_t)key + k], b = scale->values[3 * (size_t)next + k];
      track.values[3 * (size_t)i + k] = reciprocal(a + t * (b - a));
    }
  }
  raw_track *kept =
      raw_grow(raw, (void **)&clip->tracks, &clip->track_count, &clip->track_capacity, sizeof *clip->tracks);
  if (kept) *kept = track;
  return kept != NULL;
}

/* Nodes that have a helper above them now: `helper` by node, and by their parent a list of helpers, 0 for none. */
typedef struct splits {
  int32_t *helper, *first, *next;
} splits;

static bool find_splits(raw_model *raw, splits *s, const bool *wanted, const int32_t *map, const int32_t *parents,
                        int before) {
  size_t count = (size_t)raw->node_count;
  *s = (splits){raw_alloc(raw, count, sizeof(int32_t)), raw_alloc(raw, count, sizeof(int32_t)),
                raw_alloc(raw, count, sizeof(int32_t))};
  if (!s->helper || !s->first || !s->next) return false;
  for (int i = before - 1; i >= 0; i--) {
    if (!wanted[i]) continue;
    int32_t helper = map[i] - 1, *first = s->first + map[parents[i]]; /* never 0: a parent stands before it */
    s->helper[map[i]] = helper;
    s->next[helper] = *first;
    *first = helper;
  }
  return true;
}

/* Tracks are renumbered already. */
static bool split_tracks(raw_model *raw, raw_clip *clip, const splits *s) {
  for (int i = 0, count = clip->track_count; i < count; i++) {
    raw_track track = clip->tracks[i];
    if (track.kind == TRACK_TRANSLATION && s->helper[track.node]) clip->tracks[i].node = s->helper[track.node];
    for (int helper = track.kind == TRACK_SCALE ? s->first[track.node] : 0; helper; helper = s->next[helper])
      if (!add_reciprocal_track(raw, clip, &track, helper)) return false;
  }
  return true;
}

static bool split_segments(raw_model *raw, const bool *wanted, int extra) {
  int count = 0, before = raw->node_count;
  splits all;
  raw_node *nodes = raw_alloc(raw, (size_t)(before + extra), sizeof *nodes);
  int32_t *map = raw_alloc(raw, (size_t)before, sizeof *map);
  int32_t *parents = raw_alloc(raw, (size_t)before, sizeof *parents);
  if (!nodes || !map || !parents) return false;
  for (int i = 0; i < before; i++) {
    raw_node node = raw->nodes[i];
    if (node.parent >= 0) node.parent = map[node.parent];
    if (wanted[i]) {
      parents[i] = file_parent(raw, i);
      split_node(&node, nodes + count, rest_scale(raw->nodes + parents[i]));
      node.parent = count++;
    }
    nodes[count] = node;
    map[i] = count++;
  }
  replace_nodes(raw, nodes, count, map);
  if (!find_splits(raw, &all, wanted, map, parents, before)) return false;
  for (int c = 0; c < raw->clip_count; c++)
    if (!split_tracks(raw, raw->clips + c, &all)) return false;
  return true;
}

static bool compensate_segments(raw_model *raw) {
  bool *wanted = raw_alloc(raw, (size_t)raw->node_count, sizeof *wanted), *scaled = find_scaled(raw);
  int extra = 0;
  if (!wanted || !scaled) return false;
  for (int i = 0; i < raw->node_count; i++) {
    int parent = raw->nodes[i].segment_scale ? file_parent(raw, i) : -1;
    wanted[i] = parent >= 0 && scaled[parent];
    extra += wanted[i];
  }
  return extra == 0 || split_segments(raw, wanted, extra);
}

bool fbx_repair(raw_model *raw) {
  for (int m = 0; m < raw->mesh_count; m++)
    if (raw->meshes[m].node >= 0) apply_geometry(raw, raw->meshes + m);
  return fbx_fold_chains(raw) && compensate_segments(raw);
}
