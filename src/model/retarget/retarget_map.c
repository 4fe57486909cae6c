#include "model/retarget/retarget_map.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "model/body/body.h"
#include "model/names/mirror.h"

skeleton_view model_skeleton(const sinew_model *model, sinew_transform *rest) {
  for (int i = 0; i < model->joint_count; i++) rest[i] = sinew_model_joint_rest(model, i);
  return (skeleton_view){model->joint_count, model->joint_names, model->parents, rest, model->ranks, model->parts};
}

static bool open_map(sinew_retarget_map *map, const sinew_joint_pair *pairs, int count, sinew_error *error) {
  size_t theirs = (size_t)map->from->joint_count, ours = (size_t)map->to->joint_count;
  sinew_transform *rest = mem_alloc_array(theirs + ours, sizeof *rest);
  map->plan.joints = mem_alloc_array(ours, sizeof *map->plan.joints);
  map->theirs.rest = rest; /* freed with the map */
  if (!rest || !map->plan.joints) return error_memory(error, map->to->path, (theirs + ours) * sizeof *rest);
  map->theirs = model_skeleton(map->from, rest);
  map->ours = model_skeleton(map->to, rest + theirs);
  map->plan.theirs = &map->theirs;
  map->plan.ours = &map->ours;
  joint_map_job job = {&map->theirs,          &map->ours, pairs, count, map->to->path, error, &map->from->body->person,
                       &map->to->body->person};
  if (!joint_map_find(&job, &map->map)) return false;
  return retarget_plan_make(&map->plan, &map->map) || error_memory(error, map->to->path, ours);
}

static bool check_map(const sinew_retarget_map *map, const sinew_joint_pair *pairs, int count, sinew_error *error) {
  for (int i = 0; i < count; i++)
    if (!map->map.pair_found[i])
      return error_set(error, "%s: has no joint '%s', which the map names", map->from->path, pairs[i].theirs);
  for (int i = 1; i < map->to->joint_count; i++)
    if (map->map.theirs[i] >= 0) return true;
  return error_set(error, "%s: has no joint that is one of %s, by name or by guess; a map can say which is",
                   map->from->path, map->to->path);
}

sinew_retarget_map *sinew_retarget_map_create(sinew_model *from, sinew_model *to, const sinew_joint_pair *pairs,
                                              int count, sinew_error *error) {
  sinew_retarget_map *map = mem_alloc_zeroed(sizeof *map);
  if (!map) {
    error_memory(error, to->path, sizeof *map);
    return NULL;
  }
  map->from = sinew_model_retain(from);
  map->to = sinew_model_retain(to);
  if (open_map(map, pairs, count, error) && check_map(map, pairs, count, error)) return map;
  sinew_retarget_map_destroy(map);
  return NULL;
}

void sinew_retarget_map_destroy(sinew_retarget_map *map) {
  if (!map) return;
  sinew_model_release(map->from);
  sinew_model_release(map->to);
  joint_map_reset(&map->map);
  mem_free((void *)(uintptr_t)map->theirs.rest);
  mem_free(map->plan.joints);
  mem_free(map);
}

const sinew_model *sinew_retarget_map_from(const sinew_retarget_map *map) { return map->from; }

const sinew_model *sinew_retarget_map_to(const sinew_retarget_map *map) { return map->to; }

int sinew_retarget_map_joint(const sinew_retarget_map *map, int joint, sinew_match_kind *kind) {
  int theirs = joint > 0 && joint < map->to->joint_count ? map->map.theirs[joint] : -1;
  if (kind) *kind = theirs < 0 ? SINEW_MATCH_NONE : (sinew_match_kind)map->map.kinds[theirs];
  return theirs;
}

float sinew_retarget_map_scale(const sinew_retarget_map *map) { return map->plan.scale; }

bool sinew_model_mirror_joints(const sinew_model *model, int32_t *joints) {
  skeleton_view skeleton = {model->joint_count, model->joint_names, model->parents, NULL, NULL, NULL};
  return mirror_find(&skeleton, joints);
}
