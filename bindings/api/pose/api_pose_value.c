/* Poses as values: sampled, blended, added, mirrored, retargeted, compared. Lua owns their memory. */
#include "api/pose/pose_object.h"

#include <sinew/pose_file.h>

#include <math.h>
#include <string.h>

/* The instructions charged per joint for more than a copy. */
enum { MIRROR_COST = 70, SAVE_COST = 100, LINE_COST = 30, LOAD_COST = 50 };
enum { FILE_COST = 200000 }; /* a save waits for the disk, which takes no processor time */

const sinew_posed *pose_push_new(lua_State *L, const sinew_model *model) {
  int count = sinew_model_joint_count(model);
  size_t groups = (size_t)sinew_pose_group_count(count) * sizeof(sinew_pose_group);
  budget_charge(L, count);
  pose_object *pose = api_new(L, "pose", sizeof *pose + groups + (size_t)count * sizeof(sinew_mat3x4),
                              ++scene_of(L)->declarations.next_id);
  model_push(L, (sinew_model *)(uintptr_t)model);
  pose->model = lua_touserdata(L, -1);
  lua_setiuservalue(L, -2, 2);
  sinew_pose_group *memory = (sinew_pose_group *)(void *)(pose + 1);
  sinew_model_rest_pose(model, (sinew_pose){memory, count});
  pose->posed = (sinew_posed){model, {memory, count}, (sinew_mat3x4 *)(void *)((char *)memory + groups)};
  return &pose->posed;
}

static int settled(const sinew_posed *posed) {
  pose_settle(posed, 0);
  return 1;
}

static const sinew_posed *same_model(lua_State *L, int index, const sinew_posed *as) {
  const sinew_posed *other = &pose_check(L, index)->posed;
  if (other->model != as->model) luaL_error(L, "the poses are of different models: pose:retarget takes one over");
  return other;
}

static int call_sample(lua_State *L) {
  const sinew_model *model = model_check(L, 1);
  int clip = clip_check(L, model_check(L, 1), 2);
  double time = lua_tonumber(L, 3);
  const sinew_posed *out = pose_push_new(L, model);
  sinew_sample_job job = {model, sinew_model_clip(model, clip), time, out->pose};
  sinew_sample(&job);
  return settled(out);
}

static int call_rest(lua_State *L) { return settled(pose_push_new(L, model_check(L, 1))); }

static int call_pose(lua_State *L) {
  const actor_record *record = actor_check(L, 1);
  const declarations *all = &scene_of(L)->declarations;
  if (!record->actor.id) return luaL_error(L, "actor:pose: the actor is not there yet; ask in a callback");
  const sinew_posed *out = pose_push_new(L, record->model);
  sinew_pose pose = sinew_actor_pose(all->stage, record->actor);
  memcpy(out->pose.groups, pose.groups, (size_t)sinew_pose_group_count(pose.joint_count) * sizeof *pose.groups);
  return settled(out);
}

/* A mask as the jobs want it, padded to whole groups; NULL if there is none. */
static const float *push_mask(lua_State *L, int index, const sinew_model *model) {
  size_t count = (size_t)sinew_model_joint_count(model);
  if (lua_isnoneornil(L, index)) return NULL;
  float *padded = lua_newuserdatauv(L, (count + SINEW_LANES) * sizeof *padded, 0);
  float *weights = mask_read(L, index, model);
  memset(padded, 0, (count + SINEW_LANES) * sizeof *padded);
  memcpy(padded, weights, count * sizeof *weights);
  declarations_free(&scene_of(L)->declarations, weights);
  return padded;
}

static int call_blend(lua_State *L) {
  lua_settop(L, 4);
  const sinew_posed *a = &pose_check(L, 1)->posed, *b = same_model(L, 2, a);
  const float *mask = push_mask(L, 4, a->model);
  const sinew_posed *out = pose_push_new(L, a->model);
  sinew_layer_job job = {a->pose, b->pose, (float)lua_tonumber(L, 3), mask, out->pose, a->model};
  sinew_layer(&job);
  return settled(out);
}

static int call_take(lua_State *L) {
  lua_settop(L, 4);
  const sinew_posed *a = &pose_check(L, 1)->posed, *b = same_model(L, 2, a);
  const float *mask = push_mask(L, 4, a->model);
  if (a->pose.groups == b->pose.groups) return 0;
  budget_charge(L, a->pose.joint_count);
  sinew_layer_job job = {a->pose, b->pose, (float)luaL_optnumber(L, 3, 1), mask, a->pose, a->model};
  sinew_layer(&job);
  pose_settle(a, 0);
  return 0;
}

static int call_add(lua_State *L) {
  lua_settop(L, 4);
  const sinew_posed *a = &pose_check(L, 1)->posed, *b = same_model(L, 2, a), *reference = same_model(L, 3, a);
  const sinew_posed *out = pose_push_new(L, a->model);
  sinew_additive_job job = {.below = a->pose,
                            .pose = b->pose,
                            .reference = reference->pose,
                            .weight = (float)luaL_optnumber(L, 4, 1),
                            .output = out->pose};
  sinew_additive(&job);
  return settled(out);
}

static int call_mirror(lua_State *L) {
  const sinew_posed *a = &pose_check(L, 1)->posed;
  size_t count = (size_t)a->pose.joint_count;
  budget_charge(L, (int64_t)count * MIRROR_COST);
  int32_t *joints = lua_newuserdatauv(L, count * sizeof *joints, 0);
  sinew_transform *scratch = lua_newuserdatauv(L, 3 * count * sizeof *scratch, 0);
  const sinew_posed *out = pose_push_new(L, a->model);
  if (!sinew_model_mirror_joints(a->model, joints)) return luaL_error(L, "not enough memory for a mirrored pose");
  sinew_mirror_job job = {a->model, joints, a->pose, scratch, out->pose};
  sinew_mirror(&job);
  return settled(out);
}

static int call_compare(lua_State *L) {
  const sinew_posed *a = &pose_check(L, 1)->posed, *b = same_model(L, 2, a);
  double most = 0;
  int joint = 1;
  budget_charge(L, a->pose.joint_count);
  for (int i = 1; i < a->pose.joint_count; i++) {
    double square = 0;
    for (int k = 3; k < 12; k += 4) {
      double apart = (double)a->joints[i].m[k] - (double)b->joints[i].m[k];
      square += apart * apart;
    }
    if (square > most) most = square, joint = i;
  }
  lua_pushnumber(L, sqrt(most));
  joint_push(L, a->model, joint);
  return 2;
}

/* ---- files ---- */

static int call_save(lua_State *L) {
  sinew_error error;
  char path[SCENE_PATH];
  const sinew_posed *p = &pose_check(L, 1)->posed;
  refuse_while_loading(L, "pose:save", "save it later");
  budget_charge(L, (int64_t)p->pose.joint_count * SAVE_COST);
  if (!scene_resolve_saved_pose(scene_of(L), lua_tostring(L, 2), path, &error) ||
      (!scene_of(L)->is_recorded && !sinew_pose_write(path, p->model, p->pose, &error)))
    return luaL_error(L, "pose:save: %s", error.message);
  return 0;
}

enum { NAMES_SIZE = 16384, TEXT_INDEX = 3 };

/* Names are kept as text, as many as fit, until the file is closed: a Lua error would leave it open. */
typedef struct name_list {
  char *text; /* each ends with a zero */
  size_t used, size;
  int count;
  bool full;
} name_list;

typedef struct unmet {
  const sinew_model *model;
  name_list missing, unknown;
  int64_t lines; /* of joints that the model lacks */
} unmet;

static void keep_name(name_list *list, const char *name) {
  size_t size = strlen(name) + 1;
  list->full = list->full || size > list->size - list->used;
  if (list->full) return;
  memcpy(list->text + list->used, name, size);
  list->used += size;
  list->count++;
}

static void keep_missing(void *user, int joint) {
  unmet *u = user;
  char path[SINEW_JOINT_PATH];
  if (u->missing.full) return; /* a path is long to find */
  sinew_model_joint_path(u->model, joint, path, sizeof path);
  keep_name(&u->missing, path);
}

static void keep_unknown(void *user, const char *name) {
  unmet *u = user;
  keep_name(&u->unknown, name);
  u->lines++;
}

static void push_names(lua_State *L, const name_list *list) {
  const char *name = list->text;
  lua_createtable(L, list->count, 0);
  for (int i = 0; i < list->count; i++, name += strlen(name) + 1) {
    lua_pushstring(L, name);
    lua_rawseti(L, -2, i + 1);
  }
}

static int call_load_pose(lua_State *L) {
  sinew_error error;
  char path[SCENE_PATH];
  lua_settop(L, 2);
  unmet u = {.model = model_check(L, 2)};
  if (!scene_resolve(scene_of(L), lua_tostring(L, 1), "assets", path, &error))
    return luaL_error(L, "sinew.load_pose: %s", error.message);
  scene_watch(scene_of(L), path);
  if (!scene_push_file(L, path, &error)) return luaL_error(L, "sinew.load_pose: %s", error.message);
  u.missing.text = lua_newuserdatauv(L, u.missing.size = NAMES_SIZE, 0);
  u.unknown.text = lua_newuserdatauv(L, u.unknown.size = NAMES_SIZE, 0);
  const sinew_posed *out = pose_push_new(L, u.model);
  budget_charge(L, (int64_t)out->pose.joint_count * LOAD_COST);
  sinew_pose_report report = {keep_missing, keep_unknown, &u};
  if (!sinew_pose_read_text(path, lua_tostring(L, TEXT_INDEX), u.model, out->pose, &report, &error))
    return luaL_error(L, "sinew.load_pose: %s", error.message);
  budget_charge(L, u.lines * LINE_COST);
  settled(out);
  lua_createtable(L, 0, 2);
  push_names(L, &u.missing);
  lua_setfield(L, -2, "missing");
  push_names(L, &u.unknown);
  lua_setfield(L, -2, "unknown");
  return 2;
}

const api_entry api_pose_value_entries[] = {
    {"model", "sample", API_METHOD, "clip: clip, time: number", "pose", "The pose of a clip at a time.",
     .call = call_sample, .cost = 500},
    {"model", "rest", API_METHOD, "", "pose", "The rest pose of the model.", .call = call_rest, .cost = 200},
    {"actor", "pose", API_METHOD, "", "pose", "A copy of the actor's pose in the last frame.", .call = call_pose,
     .cost = 200},
    {"pose", "blend", API_METHOD, "other: pose, weight: weight, mask?: mask|table", "pose",
     "Blends this pose (0) with another one (1), for the joints of a mask.", .call = call_blend, .cost = 500},
    {"pose", "take", API_METHOD, "other: pose, weight?: weight, mask?: mask|table", "",
     "Like blend, but changes this pose. In a modifier's function it shows a pose.", .call = call_take, .cost = 500},
    {"pose", "add", API_METHOD, "other: pose, reference: pose, weight?: number", "pose",
     "This pose plus the difference between two others.", .call = call_add, .cost = 500},
    {"pose", "mirror", API_METHOD, "", "pose", "The pose with left and right exchanged.", .call = call_mirror,
     .cost = 2000},
    {"pose", "compare", API_METHOD, "other: pose", "number, string",
     "The largest distance between a joint in this pose and in the other, in metres, and that joint's name.",
     .call = call_compare, .cost = 200},
    {"pose", "save", API_METHOD, "file: string", "",
     "Writes it as text, one line per joint: a .pose file in the scene's own folder. It replaces only a pose "
     "file.",
     .call = call_save, .cost = FILE_COST},
    {"sinew", "load_pose", API_FUNCTION, "file: string, model: model", "pose, pose_report",
     "Reads a saved pose for a model, and matches the joints by name; the second result lists names that did not "
     "match. Raises an error if the file is incomplete.",
     .call = call_load_pose, .cost = 20000},
    {0}};
