/* Footsteps found in clips, as markers. */
#include "core/api.h"

#include <math.h>
#include <string.h>

#include <sinew/graph.h>

enum { CONTACTS = 64, RATE = 120 };

typedef struct steps {
  int joints[SINEW_STEP_FEET];
  const char *names[SINEW_STEP_FEET]; /* kept alive by the table */
  sinew_contact contacts[CONTACTS];
  int joint_count, count;
} steps;

/* The balls of the rig's feet, or feet without toes. */
static void find_feet(lua_State *L, const sinew_model *model, steps *s) {
  static const char *const names[] = {"left", "right"};
  for (int side = 0; side < 2; side++) {
    s->names[side] = names[side];
    int joints[SINEW_ROLES];
    roles_find(L, model, joints);
    s->joints[side] = joints[SINEW_ROLE_LEFT_BALL + side];
    if (s->joints[side] < 0)
      s->joints[side] = joint_of_role(L, model, (sinew_role)(SINEW_ROLE_LEFT_FOOT + side), "model:find_steps: feet");
  }
  s->joint_count = 2;
}

/* { LeftToeBase = "left", RightToeBase = "right" } at 3. */
static void read_feet(lua_State *L, const sinew_model *model, steps *s) {
  lua_pushnil(L);
  while (lua_next(L, 3)) {
    if (lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L,
                 "model:find_steps: feet are joints with names: { LeftToeBase = \"left\", RightToeBase = \"right\" }");
    if (s->joint_count == SINEW_STEP_FEET)
      luaL_error(L, "model:find_steps: a model has %d feet at most", SINEW_STEP_FEET);
    s->names[s->joint_count] = lua_tostring(L, -1);
    s->joints[s->joint_count++] = joint_check(L, model, -2);
    lua_pop(L, 1);
  }
  if (s->joint_count == 0) luaL_error(L, "model:find_steps: the feet of this model are unknown: name their joints");
}

static void find(lua_State *L, const sinew_model *model, int clip, steps *s) {
  double moments = fmin(sinew_clip_duration(sinew_model_clip(model, clip)), 20) * RATE;
  budget_charge(L, 200L * (1 + (long)moments) * s->joint_count);
  sinew_steps_job job = {model, clip, s->joints, s->joint_count, s->contacts, CONTACTS, &s->count};
  if (!sinew_find_steps(&job)) {
    const char *reason = sinew_find_steps_check(&job);
    luaL_error(L, "model:find_steps: %s", reason ? reason : "not enough memory");
  }
  if (s->count > CONTACTS) s->count = CONTACTS;
}

static void sort(steps *s) {
  for (int i = 1; i < s->count; i++) {
    sinew_contact item = s->contacts[i];
    int k = i;
    for (; k > 0 && s->contacts[k - 1].start > item.start; k--) s->contacts[k] = s->contacts[k - 1];
    s->contacts[k] = item;
  }
}

static void push_marker(lua_State *L, const sinew_model *model, const steps *s, const sinew_contact *contact) {
  lua_createtable(L, 2, 2);
  lua_pushnumber(L, contact->start);
  lua_rawseti(L, -2, 1);
  lua_pushstring(L, s->names[contact->foot]);
  lua_rawseti(L, -2, 2);
  lua_pushboolean(L, 1);
  lua_setfield(L, -2, "sync");
  joint_push(L, model, s->joints[contact->foot]);
  lua_setfield(L, -2, "data");
}

static int call_find_steps(lua_State *L) {
  steps s = {.count = 0};
  sinew_model *model = model_check(L, 1);
  lua_settop(L, 3);
  int clip = clip_check(L, model, 2);
  if (lua_isnil(L, 3)) find_feet(L, model, &s);
  else read_feet(L, model, &s);
  find(L, model, clip, &s);
  sort(&s);
  lua_createtable(L, s.count, 0);
  for (int i = 0; i < s.count; i++) {
    push_marker(L, model, &s, s.contacts + i);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const api_entry api_step_entries[] = {
    {"model", "find_steps", API_METHOD, "clip: clip, feet?: table", "table[]",
     "Finds when feet touch the ground in a clip, whether it travels or walks on the spot. Returns sync markers for "
     "model:markers, with the joint as data: man:find_steps(\"Walk\"), or with joints and the names of their markers, "
     "man:find_steps(\"Walk\", { LeftToeBase = \"left\", RightToeBase = \"right\" }). Default: the balls of the rig's "
     "feet (model:roles), \"left\" and \"right\".",
     .call = call_find_steps},
    {0}};
