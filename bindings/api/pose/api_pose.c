/* Poses: their joints, one by one or all at once. */
#include "api/pose/pose_object.h"

#include <sinew/modifier_jobs.h>

#include <math.h>
#include <string.h>

enum { NUMBERS = 10 /* of a joint: position, rotation, scale */ };

static bool in_model(lua_State *L, int index) { return lua_isstring(L, index) && lua_tostring(L, index)[0] == 'm'; }

static int call_get(lua_State *L) {
  const sinew_posed *p = &pose_check(L, 1)->posed;
  int joint = joint_check(L, p->model, 2);
  sinew_transform t =
      in_model(L, 3) ? sinew_transform_from_mat3x4(p->joints + joint) : sinew_pose_joint(&p->pose, joint);
  transform_push(L, &t);
  return 1;
}

static sinew_transform into_local(const sinew_posed *p, int joint, const sinew_transform *model) {
  sinew_mat3x4 inverse, matrix = sinew_mat3x4_from_transform(model);
  sinew_mat3x4_inverse(p->joints + sinew_model_joint_parent(p->model, joint), &inverse);
  matrix = sinew_mat3x4_multiply(&inverse, &matrix);
  return sinew_transform_from_mat3x4(&matrix);
}

static int call_set(lua_State *L) {
  const sinew_posed *p = &pose_check(L, 1)->posed;
  int joint = joint_check(L, p->model, 2);
  bool model = in_model(L, 4);
  sinew_transform t = model ? sinew_transform_from_mat3x4(p->joints + joint) : sinew_pose_joint(&p->pose, joint);
  transform_read(L, 3, &t);
  if (model) t = into_local(p, joint, &t);
  sinew_pose_set_joint(&p->pose, joint, &t);
  pose_settle(p, joint);
  return 0;
}

/* "x", "y", "z" or a vector. */
static sinew_vec3 axis_check(lua_State *L, int index) {
  float v[3] = {0};
  const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
  if (!name) vector_read(L, index, v, 3);
  else if (strlen(name) == 1 && name[0] >= 'x' && name[0] <= 'z') v[name[0] - 'x'] = 1;
  else luaL_error(L, "pose:rotate: an axis is \"x\", \"y\", \"z\" or {x, y, z} (got '%s')", name);
  return (sinew_vec3){v[0], v[1], v[2]};
}

/* Converts a rotation about an axis of the model to the parent space of the joint. */
static sinew_quat turn_from_model(const sinew_posed *p, int joint, sinew_vec3 axis, float angle) {
  sinew_mat3x4 inverse, above = p->joints[sinew_model_joint_parent(p->model, joint)];
  bool mirrored = sinew_transform_from_mat3x4(&above).scale.x < 0;
  above.m[3] = above.m[7] = above.m[11] = 0;
  sinew_mat3x4_inverse(&above, &inverse);
  return sinew_quat_from_axis_angle(sinew_mat3x4_transform_point(&inverse, axis), mirrored ? -angle : angle);
}

static int call_rotate(lua_State *L) {
  const sinew_posed *p = &pose_check(L, 1)->posed;
  int joint = joint_check(L, p->model, 2);
  sinew_vec3 axis = axis_check(L, 3);
  float angle = (float)lua_tonumber(L, 4);
  sinew_transform t = sinew_pose_joint(&p->pose, joint);
  if (in_model(L, 5)) {
    t.rotation = sinew_quat_multiply(turn_from_model(p, joint, axis, angle), t.rotation);
  } else {
    t.rotation = sinew_quat_multiply(t.rotation, sinew_quat_from_axis_angle(axis, angle));
  }
  t.rotation = sinew_quat_normalize(t.rotation);
  sinew_pose_set_joint(&p->pose, joint, &t);
  pose_settle(p, joint);
  return 0;
}

/* ---- all at once ---- */

static void get_count(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushinteger(L, pose_check(L, 1)->posed.pose.joint_count - 1);
}

static int call_read(lua_State *L) {
  const sinew_posed *p = &pose_check(L, 1)->posed;
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) lua_createtable(L, (p->pose.joint_count - 1) * NUMBERS, 0), lua_replace(L, 2);
  budget_charge(L, (int64_t)p->pose.joint_count * NUMBERS);
  lua_Integer at = 0;
  for (int joint = 1; joint < p->pose.joint_count; joint++) {
    float v[NUMBERS];
    sinew_transform t = sinew_pose_joint(&p->pose, joint);
    memcpy(v, &t, sizeof v);
    for (int i = 0; i < NUMBERS; i++) {
      lua_pushnumber(L, (lua_Number)v[i]);
      lua_rawseti(L, 2, ++at);
    }
  }
  return 1;
}

static void read_numbers(lua_State *L, int joint, float v[NUMBERS]) {
  for (int i = 0; i < NUMBERS; i++) {
    bool number = lua_rawgeti(L, 2, (lua_Integer)(joint - 1) * NUMBERS + i + 1) == LUA_TNUMBER;
    v[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (!number || !isfinite(v[i]))
      luaL_error(
          L, "pose:write: number %d of joint %d is not a finite number; ten each are needed, as pose:read gives them",
          i + 1, joint);
  }
}

static int call_write(lua_State *L) {
  const sinew_posed *p = &pose_check(L, 1)->posed;
  float v[NUMBERS];
  budget_charge(L, (int64_t)p->pose.joint_count * NUMBERS * 2);
  for (int joint = 1; joint < p->pose.joint_count; joint++) read_numbers(L, joint, v); /* all or nothing */
  for (int joint = 1; joint < p->pose.joint_count; joint++) {
    sinew_transform t;
    read_numbers(L, joint, v);
    memcpy(&t, v, sizeof t);
    t.rotation = sinew_quat_normalize(t.rotation);
    sinew_pose_set_joint(&p->pose, joint, &t);
  }
  pose_settle(p, 0);
  return 0;
}

/* The limb of the tip: its parent bends, and the limb begins at its grandparent. */
static int call_ik(lua_State *L) {
  const sinew_posed *p = &pose_check(L, 1)->posed;
  int tip = joint_check(L, p->model, 2), middle = sinew_model_joint_parent(p->model, tip);
  int upper = middle > 0 ? sinew_model_joint_parent(p->model, middle) : -1;
  float target[3], pole[3] = {0}, error = 0;
  vector_read(L, 3, target, 3);
  double weight = option_number(L, 4, "weight", 1);
  bool has_pole = option_push(L, 4, "pole");
  if (has_pole) vector_read(L, -1, pole, 3);
  if (upper <= 0)
    return luaL_error(L, "pose:ik: '%s' is not the end of a limb of two bones", sinew_model_joint_name(p->model, tip));
  sinew_two_bone_job job = {.posed = *p,
                            .upper = upper,
                            .middle = middle,
                            .tip = tip,
                            .target = {target[0], target[1], target[2]},
                            .has_pole = has_pole,
                            .pole = {pole[0], pole[1], pole[2]},
                            .soften = (float)option_number(L, 4, "soften", 0.97),
                            .stretch = (float)option_number(L, 4, "stretch", 1),
                            .weight = (float)(weight < 1 ? weight : 1),
                            .reach_error = &error};
  if (option_push(L, 4, "keep_tip")) job.keep_tip = lua_toboolean(L, -1);
  const char *reason = sinew_two_bone_check(&job);
  if (reason) return luaL_error(L, "pose:ik: %s", reason);
  sinew_two_bone(&job);
  pose_settle(p, upper);
  lua_pushnumber(L, (lua_Number)error);
  return 1;
}

const api_entry api_pose_entries[] = {
    {"pose", "count", API_FIELD, "integer", "", "The number of joints, as listed by model:joints.", .get = get_count},
    {"pose", "get", API_METHOD, "joint: joint, space?: space", "joint_transform",
     "The transform of a joint: position, rotation and scale, relative to its parent or in model space.",
     .call = call_get, .cost = 20},
    {"pose", "set", API_METHOD, "joint: joint, transform: joint_transform, space?: space", "",
     "Sets the transform of a joint; parts that are left out stay as they are.", .call = call_set, .cost = 100},
    {"pose", "rotate", API_METHOD, "joint: joint, axis: string|vec3, angle: number, space?: space", "",
     "Rotates a joint by an angle in radians about \"x\", \"y\", \"z\" or a vector, in its own space or in model "
     "space.",
     .call = call_rotate, .cost = 100},
    {"pose", "ik", API_METHOD, "tip: joint, target: vec3, options?: pose_ik_options", "number",
     "Bends the limb that ends in a joint so that the joint reaches a point in model space, as the modifier sinew.ik "
     "does. Returns the remaining distance in metres.",
     .call = call_ik, .cost = 400},
    {"pose", "read", API_METHOD, "buffer?: table", "table",
     "Fills a table with ten numbers per joint: position, rotation and scale, relative to the parent. Reusing a table "
     "leaves no garbage.",
     .call = call_read},
    {"pose", "write", API_METHOD, "buffer: table", "", "Sets all joints from such a table.", .call = call_write},
    {0}};
