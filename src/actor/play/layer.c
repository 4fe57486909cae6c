#include "actor/stage.h"
#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

sinew_layer_def sinew_layer_def_default(void) { return (sinew_layer_def){.mode = SINEW_LAYER_OVERRIDE, .weight = 1}; }

static layer *find_layer(const sinew_stage *stage, sinew_actor id, int index) {
  actor *a = stage_find(stage, id);
  return a && index >= 0 && index < a->layer_count ? a->layers + index : NULL;
}

static bool is_finite(sinew_pose pose) {
  bool finite = true;
  for (int i = 0; i < pose.joint_count && finite; i++) {
    sinew_transform joint = sinew_pose_joint(&pose, i);
    finite = transform_is_finite(&joint);
  }
  return finite;
}

static const char *check_reference(const actor *a, const sinew_reference *r) {
  if (r->kind == SINEW_REFERENCE_CLIP) {
    if (r->clip < 0 || r->clip >= a->model->clip_count) return "the clip of its reference is not one of the model's";
    if (!isfinite(r->time)) return "the time of its reference is not a finite number";
  }
  if (r->kind == SINEW_REFERENCE_POSE) {
    if (!r->pose.groups || r->pose.joint_count != a->model->joint_count)
      return "the pose of its reference does not have the model's joints";
    if (!is_finite(r->pose)) return "the pose of its reference is not finite";
  }
  return NULL;
}

static const char *check_def(const actor *a, const sinew_layer_def *def) {
  if (!isfinite(def->weight)) return "its weight is not a finite number";
  for (int i = 0; def->joint_weights && i < a->model->joint_count; i++)
    if (!(def->joint_weights[i] >= 0 && def->joint_weights[i] <= 1)) return "a weight of its mask is not in 0 .. 1";
  return check_reference(a, &def->reference);
}

/* Copies the mask and the reference's pose before the old ones are freed: they may be the same memory. */
static bool copy_def(const actor *a, sinew_layer_def *def) {
  size_t joints = (size_t)a->model->joint_count, groups = (size_t)sinew_pose_group_count(a->model->joint_count);
  float *mask = def->joint_weights ? mem_alloc_array(groups * SINEW_LANES, sizeof *mask) : NULL;
  bool has_pose = def->reference.kind == SINEW_REFERENCE_POSE;
  sinew_pose pose = {has_pose ? mem_alloc_array(groups, sizeof *pose.groups) : NULL, a->model->joint_count};
  if ((def->joint_weights && !mask) || (has_pose && !pose.groups)) {
    mem_free(mask);
    mem_free(pose.groups);
    return false;
  }
  if (mask) memcpy(mask, def->joint_weights, joints * sizeof *mask);
  if (has_pose) pose_copy(pose, def->reference.pose);
  def->joint_weights = mask;
  def->reference.pose = pose;
  return true;
}

static void free_def(const sinew_layer_def *def) {
  mem_free((float *)(uintptr_t)def->joint_weights);
  mem_free(def->reference.pose.groups);
}

static bool apply_def(const actor *a, layer *l, const sinew_layer_def *wanted) {
  sinew_layer_def def = *wanted;
  if (!copy_def(a, &def)) return false;
  free_def(&l->asked);
  if (l->asked.weight != def.weight) l->fade_duration = 0;
  l->asked = def;
  return true;
}

static bool make_layer(actor *a, const char *name, const sinew_layer_def *def, layer *fresh) {
  if (!array_fit((void **)&a->layers, &a->layer_capacity, a->layer_count + 1, sizeof *a->layers)) return false;
  fresh->name = mem_copy_string(name);
  if (fresh->name && apply_def(a, fresh, def)) return true;
  mem_free(fresh->name);
  return false;
}

int sinew_actor_add_layer(sinew_stage *stage, sinew_actor id, const char *name, const sinew_layer_def *def,
                          sinew_error *error) {
  actor *a = stage_find(stage, id);
  sinew_layer_def plain = sinew_layer_def_default();
  if (!def) def = &plain;
  const char *reason = NULL;
  if (stage_closed(stage)) reason = stage_closed(stage);
  else if (!a) reason = "the actor is gone";
  else if (!name || !name[0]) reason = "it has no name";
  else if (sinew_actor_find_layer(stage, id, name) >= 0) reason = "the actor has a layer of that name";
  else if (a->layer_count == MAX_LAYERS) reason = "an actor has 16 layers at most";
  else reason = check_def(a, def);
  layer fresh = {0};
  if (!reason && !make_layer(a, name, def, &fresh)) reason = "out of memory";
  if (reason) {
    error_set(error, "the layer '%s' cannot be added: %s", name ? name : "", reason);
    return -1;
  }
  a->layers[a->layer_count] = fresh;
  return a->layer_count++;
}

/* Updates the index of their layer in the actions. */
static void renumber(sinew_stage *stage, const actor *a, int first) {
  for (int position = first; position < a->layer_count; position++)
    for (int i = 0; i < a->layers[position].action_count; i++)
      stage_find_action(stage, a->layers[position].actions[i])->asked.layer = position;
}

bool sinew_actor_remove_layer(sinew_stage *stage, sinew_actor id, int index) {
  actor *a = stage_open(stage, id);
  layer *l = find_layer(stage, id, index);
  if (!a || !l || index == 0) return false;
  for (int i = 0; i < l->action_count; i++) pool_remove(&stage->action_slots, l->actions[i]);
  layer_free(l);
  graph_destroy(l->graph);
  graph_destroy(l->held);
  memmove(l, l + 1, (size_t)(a->layer_count - index - 1) * sizeof *l);
  a->layer_count--;
  renumber(stage, a, index);
  return true;
}

bool sinew_actor_move_layer(sinew_stage *stage, sinew_actor id, int index, int position) {
  actor *a = stage_open(stage, id);
  const layer *l = find_layer(stage, id, index);
  if (!a || !l || index == 0 || position < 1 || position >= a->layer_count) return false;
  layer moved = *l;
  if (index < position)
    memmove(a->layers + index, a->layers + index + 1, (size_t)(position - index) * sizeof *a->layers);
  else memmove(a->layers + position + 1, a->layers + position, (size_t)(index - position) * sizeof *a->layers);
  a->layers[position] = moved;
  renumber(stage, a, 1);
  return true;
}

int sinew_actor_layer_count(const sinew_stage *stage, sinew_actor id) {
  const actor *a = stage_find(stage, id);
  return a ? a->layer_count : 0;
}

const char *sinew_actor_layer_name(const sinew_stage *stage, sinew_actor id, int index) {
  const layer *l = find_layer(stage, id, index);
  return l ? l->name : NULL;
}

static const char *check_names(const actor *a, const char *const *names, int count) {
  if (count != a->layer_count - 1) return "their number differs";
  for (int i = 0; i < count; i++) {
    if (!names[i] || !names[i][0]) return "one has no name";
    bool twice = strcmp(names[i], a->layers[0].name) == 0;
    for (int k = 0; k < i && !twice; k++) twice = strcmp(names[i], names[k]) == 0;
    if (twice) return "a name is used twice";
  }
  return NULL;
}

bool sinew_actor_rename_layers(sinew_stage *stage, sinew_actor id, const char *const *names, int count,
                               sinew_error *error) {
  actor *a = stage_find(stage, id);
  char *fresh[MAX_LAYERS];
  int copied = 0;
  const char *reason = stage_closed(stage);
  if (!reason) reason = a ? check_names(a, names, count) : "the actor is gone";
  for (; !reason && copied < count; copied++)
    if (!(fresh[copied] = mem_copy_string(names[copied]))) reason = "out of memory";
  for (int i = 0; i < copied; i++) {
    char **name = &a->layers[i + 1].name, *other = reason ? fresh[i] : *name;
    if (!reason) *name = fresh[i];
    mem_free(other);
  }
  return !reason || error_set(error, "the layers cannot be renamed: %s", reason);
}

int sinew_actor_find_layer(const sinew_stage *stage, sinew_actor id, const char *name) {
  const actor *a = stage_find(stage, id);
  for (int i = 0; a && name && i < a->layer_count; i++)
    if (strcmp(a->layers[i].name, name) == 0) return i;
  return -1;
}

sinew_layer_def sinew_actor_layer(const sinew_stage *stage, sinew_actor id, int index) {
  const layer *l = find_layer(stage, id, index);
  return l ? l->asked : (sinew_layer_def){0};
}

bool sinew_actor_set_layer(sinew_stage *stage, sinew_actor id, int index, const sinew_layer_def *def) {
  actor *a = stage_open(stage, id);
  layer *l = find_layer(stage, id, index);
  return a && l && !check_def(a, def) && apply_def(a, l, def);
}

bool sinew_actor_set_layer_weight(sinew_stage *stage, sinew_actor id, int index, float weight) {
  layer *l = find_layer(stage, id, index);
  if (!l || !isfinite(weight) || stage_closed(stage)) return false;
  l->asked.weight = weight;
  l->fade_duration = 0;
  return true;
}

bool sinew_actor_fade_layer(sinew_stage *stage, sinew_actor id, int index, float weight, double seconds) {
  layer *l = find_layer(stage, id, index);
  if (!l || !isfinite(weight) || !(seconds >= 0) || !isfinite(seconds) || stage_closed(stage)) return false;
  if (seconds == 0) return sinew_actor_set_layer_weight(stage, id, index, weight);
  l->fade_from = l->asked.weight;
  l->fade_to = weight;
  l->fade_elapsed = 0;
  l->fade_duration = seconds;
  return true;
}

void layer_free(layer *l) {
  mem_free(l->name);
  free_def(&l->asked);
}

void layer_fade(layer *l, double dt) {
  l->first.weight = l->asked.weight;
  if (!(l->fade_duration > 0) || !(dt > 0)) return;
  l->fade_elapsed += dt;
  float t = (float)fmin(l->fade_elapsed / l->fade_duration, 1);
  l->asked.weight = l->fade_from * (1 - t) + l->fade_to * t;
  if (t >= 1) l->fade_duration = 0;
}

int sinew_actor_action_count(const sinew_stage *stage, sinew_actor id, int index) {
  const layer *l = find_layer(stage, id, index);
  return l ? l->action_count : 0;
}

sinew_action sinew_actor_action(const sinew_stage *stage, sinew_actor id, int index, int position) {
  const layer *l = find_layer(stage, id, index);
  return (sinew_action){l && position >= 0 && position < l->action_count ? l->actions[position] : 0};
}
