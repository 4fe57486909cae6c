#include "model/names/mirror.h"

#include "base/memory/memory.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model_space.h"
#include "model/names/joint_name.h"
#include "model/names/model_names.h"

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

/* Only names that occur once on each side: with two left hands, the right one's partner is unknown. */
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

/* ---- transforms ---- */

static sinew_quat reflect_rotation(sinew_quat q) { return (sinew_quat){q.x, -q.y, -q.z, q.w}; }

static float ratio(float a, float b) { return fabsf(b) > 1e-12f ? a / b : 1; }

mirror_rule mirror_find_rule(const skeleton_view *s, const int32_t *partners, const sinew_transform *rest, int joint) {
  int other = partners[joint];
  const sinew_transform *parent = rest + s->parents[joint], *other_parent = rest + s->parents[other];
  const sinew_transform *own = s->rest + joint, *others = s->rest + other;
  return (mirror_rule){
      .before = sinew_quat_multiply(quat_conjugate(parent->rotation), reflect_rotation(other_parent->rotation)),
      .after = sinew_quat_multiply(reflect_rotation(quat_conjugate(rest[other].rotation)), rest[joint].rotation),
      .parent = *parent,
      .other_parent = *other_parent,
      .from = others->translation,
      .to = own->translation,
      .size = {ratio(own->scale.x, others->scale.x), ratio(own->scale.y, others->scale.y),
               ratio(own->scale.z, others->scale.z)}};
}

sinew_quat mirror_rotation(const mirror_rule *rule, sinew_quat q) {
  return sinew_quat_multiply(sinew_quat_multiply(rule->before, reflect_rotation(q)), rule->after);
}

sinew_vec3 mirror_offset(const mirror_rule *rule, sinew_vec3 offset) {
  const sinew_transform *from = &rule->other_parent, *to = &rule->parent;
  sinew_vec3 v = quat_rotate(
      from->rotation, (sinew_vec3){from->scale.x * offset.x, from->scale.y * offset.y, from->scale.z * offset.z});
  v.x = -v.x;
  return model_space_below(&(sinew_transform){{0}, to->rotation, to->scale}, v);
}

sinew_vec3 mirror_position(const mirror_rule *rule, sinew_vec3 position) {
  return vec3_add(rule->to, mirror_offset(rule, vec3_sub(position, rule->from)));
}

sinew_vec3 mirror_size(const mirror_rule *rule, sinew_vec3 scale) {
  return (sinew_vec3){rule->size.x * scale.x, rule->size.y * scale.y, rule->size.z * scale.z};
}
