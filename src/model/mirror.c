#include "model/mirror.h"

#include "base/memory.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/joint_index.h"
#include "model/joint_name.h"
#include "model/model_space.h"

#include <string.h>

/* ---- partners ---- */

enum { TEXT_SIZE = JOINT_PLAIN_SIZE + 1 };

typedef struct sided_name {
  char own[TEXT_SIZE], other[TEXT_SIZE]; /* a letter for the side, and the plain name; empty without a side */
} sided_name;

static void read_name(const char *name, const char *prefix, sided_name *out) {
  char plain[JOINT_PLAIN_SIZE];
  joint_side side = joint_name_plain(name ? name : "", prefix, plain);
  memset(out, 0, sizeof *out);
  if (side == SIDE_NONE || !plain[0]) return;
  out->own[0] = side == SIDE_LEFT ? 'l' : 'r';
  out->other[0] = side == SIDE_LEFT ? 'r' : 'l';
  memcpy(out->own + 1, plain, sizeof plain);
  memcpy(out->other + 1, plain, sizeof plain);
}

/* Only names that there is one of on each side: who of two left hands belongs to the right one cannot be told. */
static int find_single(const joint_entry *entries, int count, const char *name) {
  int at = joint_index_find(entries, count, name);
  if (at == count || (at + 1 < count && strcmp(entries[at + 1].name, name) == 0)) return -1;
  return entries[at].joint;
}

bool mirror_find(const skeleton_view *skeleton, int32_t *partners) {
  size_t joints = (size_t)skeleton->count;
  char prefix[JOINT_PLAIN_SIZE];
  sided_name *names = mem_alloc_array(joints, sizeof *names);
  joint_entry *entries = mem_alloc_array(joints, sizeof *entries);
  int count = 0;
  bool room = names && entries;
  if (room) skeleton_prefix(skeleton, prefix, sizeof prefix);
  for (int i = 0; room && i < skeleton->count; i++) {
    read_name(skeleton->names[i], prefix, names + i);
    if (names[i].own[0]) entries[count++] = (joint_entry){names[i].own, i, 0};
  }
  if (room) joint_index_sort(entries, count);
  for (int i = 0; room && i < skeleton->count; i++) {
    bool single = names[i].own[0] && find_single(entries, count, names[i].own) == i;
    int other = single ? find_single(entries, count, names[i].other) : -1;
    partners[i] = other >= 0 ? other : i;
  }
  mem_free(names);
  mem_free(entries);
  return room;
}

/* ---- poses ---- */

static sinew_quat reflect_turn(sinew_quat q) { return (sinew_quat){q.x, -q.y, -q.z, q.w}; }

static float ratio(float a, float b) { return fabsf(b) > 1e-12f ? a / b : 1; }

/* How far a joint is from where its parent holds it at rest, in model space. */
static sinew_vec3 way_from_rest(const skeleton_view *s, const sinew_transform *model, int joint) {
  sinew_transform held = model_space_compose(model + s->parents[joint], s->rest + joint);
  return vec3_sub(model[joint].translation, held.translation);
}

/* The joint's own scale, as a part of that at rest. */
static sinew_vec3 growth(const skeleton_view *s, const sinew_transform *rest, const sinew_transform *model, int joint) {
  sinew_vec3 is = model[joint].scale, was = rest[joint].scale;
  sinew_vec3 above = model[s->parents[joint]].scale, above_was = rest[s->parents[joint]].scale;
  return (sinew_vec3){ratio(ratio(is.x, above.x), ratio(was.x, above_was.x)),
                      ratio(ratio(is.y, above.y), ratio(was.y, above_was.y)),
                      ratio(ratio(is.z, above.z), ratio(was.z, above_was.z))};
}

void mirror_apply(const skeleton_view *s, const int32_t *partners, const sinew_transform *rest,
                  const sinew_transform *model, sinew_transform *local, sinew_transform *mirrored) {
  local[0] = mirrored[0] = s->rest[0];
  for (int i = 1; i < s->count; i++) {
    int other = partners[i];
    const sinew_transform *parent = mirrored + s->parents[i];
    sinew_quat turn = sinew_quat_multiply(model[other].rotation, quat_conjugate(rest[other].rotation));
    sinew_quat wanted = sinew_quat_multiply(reflect_turn(turn), rest[i].rotation);
    sinew_vec3 way = way_from_rest(s, model, other), size = growth(s, rest, model, other);
    way.x = -way.x;
    sinew_transform held = model_space_compose(parent, s->rest + i);
    local[i].rotation = sinew_quat_normalize(sinew_quat_multiply(quat_conjugate(parent->rotation), wanted));
    local[i].translation = model_space_below(parent, vec3_add(held.translation, way));
    local[i].scale =
        (sinew_vec3){s->rest[i].scale.x * size.x, s->rest[i].scale.y * size.y, s->rest[i].scale.z * size.z};
    mirrored[i] = model_space_compose(parent, local + i);
  }
}
