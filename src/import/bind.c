#include "import/bind.h"

#include "base/error.h"
#include "import/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct binder {
  raw_model *raw;
  const raw_model *from;
  int32_t *map; /* from's node → raw's node, or -1 */
  double scale; /* raw's lengths over from's */
} binder;

static bool map_nodes(binder *b) {
  name_index exact, bare;
  b->map = raw_alloc(b->raw, (size_t)b->from->node_count, sizeof *b->map);
  if (!b->map || !name_index_build(&exact, b->raw, false) || !name_index_build(&bare, b->raw, true)) return false;
  for (int i = 0; i < b->from->node_count; i++) {
    const char *name = b->from->nodes[i].name;
    bool nameless = name[0] == '\0' || b->from->nodes[i].helper;
    b->map[i] = nameless ? -1 : name_index_find(&exact, name);
    if (!nameless && b->map[i] < 0) b->map[i] = name_index_find(&bare, name_without_namespace(name));
  }
  return true;
}

static double offset_length(const raw_node *node) {
  double x = (double)node->local.m[3], y = (double)node->local.m[7], z = (double)node->local.m[11];
  return sqrt(x * x + y * y + z * z);
}

/* The same rig in another unit has all its bones longer by one factor. Nodes at the top do not count: where a character
 * stands says nothing about its size. */
static void find_scale(binder *b) {
  double ours = 0, theirs = 0;
  for (int i = 0; i < b->from->node_count; i++) {
    if (b->map[i] < 0 || b->from->nodes[i].parent < 0 || b->map[b->from->nodes[i].parent] < 0) continue;
    ours += offset_length(b->raw->nodes + b->map[i]);
    theirs += offset_length(b->from->nodes + i);
  }
  double ratio = theirs > 0 && ours > 0 ? ours / theirs : 1;
  b->scale = fabs(ratio - 1) < 0.02 ? 1 : ratio;
}

static bool copy_track(binder *b, raw_clip *clip, const raw_track *track) {
  raw_track *copy =
      raw_grow(b->raw, (void **)&clip->tracks, &clip->track_count, &clip->track_capacity, sizeof *clip->tracks);
  if (!copy) return false;
  *copy = *track;
  copy->node = b->map[track->node];
  size_t keys = (size_t)track->key_count;
  size_t values = keys * (size_t)track_width(track->kind) * (track->interpolation == RAW_CUBIC ? 3 : 1);
  copy->times = raw_copy(b->raw, track->times, keys, sizeof *track->times);
  copy->values = raw_copy(b->raw, track->values, values, sizeof *track->values);
  if (!copy->times || !copy->values) return false;
  if (track->kind == TRACK_TRANSLATION && b->scale != 1)
    for (size_t i = 0; i < values; i++) copy->values[i] = (float)((double)copy->values[i] * b->scale);
  return true;
}

/* A few names of nodes that found no counterpart, for the note. */
typedef struct unmatched {
  int count, last_node;
  char names[256];
} unmatched;

static void add_unmatched(unmatched *u, const binder *b, int node) {
  if (node == u->last_node) return;
  u->last_node = node;
  size_t used = strlen(u->names);
  if (u->count++ < 4 && used < sizeof u->names - 2)
    snprintf(u->names + used, sizeof u->names - used, "%s%.40s", used ? ", " : "", b->from->nodes[node].name);
}

static bool bind_clip(binder *b, const raw_clip *from) {
  raw_model *raw = b->raw;
  raw_clip clip = {.name = raw_string(raw, from->name)};
  unmatched missing = {.last_node = -1};
  if (!clip.name) return false;
  for (int i = 0; i < from->track_count; i++) {
    const raw_track *track = from->tracks + i;
    if (track->kind == TRACK_MORPH) continue;
    if (b->map[track->node] < 0) add_unmatched(&missing, b, track->node);
    else if (!copy_track(b, &clip, track)) return false;
  }
  if (clip.track_count == 0 && missing.count)
    return error_set(raw->error, "%s: clip '%s' moves no node that %s has (%s)", b->from->path, from->name, raw->path,
                     missing.names);
  raw_clip *kept = raw_grow(raw, (void **)&raw->clips, &raw->clip_count, &raw->clip_capacity, sizeof *raw->clips);
  if (!kept) return false;
  *kept = clip;
  return !missing.count ||
         raw_note(raw, "%s: clip '%s' moves %d nodes that the model does not have (%s%s)", b->from->path, from->name,
                  missing.count, missing.names, missing.count > 4 ? ", …" : "");
}

bool bind_clips(raw_model *raw, const raw_model *from) {
  binder b = {.raw = raw, .from = from};
  if (from->clip_count == 0) return error_set(raw->error, "%s: holds no clips", from->path);
  if (!map_nodes(&b)) return false;
  find_scale(&b);
  if (b.scale != 1 && !raw_note(raw, "%s: lengths are multiplied by %.4g to fit the model's", from->path, b.scale))
    return false;
  for (int i = 0; i < from->note_count; i++)
    if (!raw_note(raw, "%s: %s", from->path, from->notes[i])) return false;
  for (int i = 0; i < from->clip_count; i++)
    if (!bind_clip(&b, from->clips + i)) return false;
  return true;
}
