#include "import/bind/binding.h"

#include "model/names/joint_index.h"

#include <string.h>

static bool is_same_name(const char *a, const char *b) {
  return a[0] && strcmp(joint_name_bare(a), joint_name_bare(b)) == 0;
}

static const char *node_name(const raw_model *raw, const raw_mesh *mesh) {
  return mesh->node < 0 ? "" : raw->nodes[mesh->node].name;
}

/* The evidence that two meshes are the same: their nodes share a name, they share a name, or none. */
typedef enum likeness { LIKE_NODES, LIKE_MESHES, LIKE_ANY, LIKE_COUNT } likeness;

static bool is_like(const binding *b, const raw_mesh *ours, const raw_mesh *theirs, likeness like) {
  if (like == LIKE_NODES) return is_same_name(node_name(b->raw, ours), node_name(b->from, theirs));
  return like == LIKE_ANY || is_same_name(ours->name, theirs->name);
}

static int find_target(const raw_mesh *mesh, const char *name) {
  for (int i = 0; i < mesh->morph_count; i++)
    if (name[0] && strcmp(mesh->morphs[i].name, name) == 0) return i;
  return -1;
}

static bool copy_weights(const binding *b, raw_clip *clip, const raw_track *track, int mesh, int target) {
  raw_track *copy = add_raw_track(b->raw, clip);
  if (!copy) return false;
  *copy = *track;
  copy->node = mesh;
  copy->target = target;
  copy->times = raw_copy(b->raw, track->times, (size_t)track->key_count, sizeof *track->times);
  return copy->times && raw_copy_values(b->raw, copy);
}

static bool bind_weights(const binding *b, const raw_track *track, raw_clip *clip, likeness like, int *bound) {
  const raw_mesh *theirs = b->from->meshes + track->node;
  for (int m = 0; m < b->raw->mesh_count; m++) {
    const raw_mesh *ours = b->raw->meshes + m;
    int target = find_target(ours, theirs->morphs[track->target].name);
    if (target < 0 || !is_like(b, ours, theirs, like)) continue;
    if (!copy_weights(b, clip, track, m, target)) return false;
    (*bound)++;
  }
  return true;
}

bool bind_morphs(const binding *b, const raw_clip *from, raw_clip *clip, int *unbound) {
  for (int i = 0; i < from->track_count; i++) {
    const raw_track *track = from->tracks + i;
    int bound = 0;
    if (track->kind != TRACK_MORPH) continue;
    for (int like = LIKE_NODES; like < LIKE_COUNT && bound == 0; like++)
      if (!bind_weights(b, track, clip, (likeness)like, &bound)) return false;
    *unbound += bound == 0;
  }
  return true;
}
