/* Footsteps found in clips, as markers. */
#include "core/api.h"

#include <math.h>
#include <string.h>

#include <sinew/motion.h>

enum { CONTACTS = 64, RATE = 240, MOMENTS_MOST = 60 * 240 };

/* A foot of a person stands if it is nearer to the ground and slower than this: metres, metres per second, and for how
 * many seconds. */
static const float height = 0.03f, speed = 0.5f;
static const double shortest = 0.04;

typedef struct steps {
  int joints[SINEW_FEET_MAX];
  const char *names[SINEW_FEET_MAX]; /* kept alive by the table */
  sinew_contact contacts[CONTACTS];
  int joint_count, count;
} steps;

/* The balls of the rig's feet. */
static void find_feet(lua_State *L, const sinew_model *model, steps *s) {
  static const char *const names[] = {"left", "right"};
  for (int side = 0; side < 2; side++) {
    s->names[side] = names[side];
    s->joints[side] = joint_of_role(L, model, (sinew_role)(SINEW_ROLE_LEFT_BALL + side), "model:find_steps: feet");
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
    if (s->joint_count == SINEW_FEET_MAX)
      luaL_error(L, "model:find_steps: a model has %d feet at most", SINEW_FEET_MAX);
    s->names[s->joint_count] = lua_tostring(L, -1);
    s->joints[s->joint_count++] = joint_check(L, model, -2);
    lua_pop(L, 1);
  }
  if (s->joint_count == 0) luaL_error(L, "model:find_steps: the feet of this model are unknown: name their joints");
}

/* A clip that walks on the spot moves relative to its ground: its feet tell how fast. */
static void find(lua_State *L, const sinew_model *model, const sinew_clip *clip, steps *s) {
  double moments = ceil(fmin(sinew_clip_duration(clip) * RATE, MOMENTS_MOST));
  int count = moments < 2 ? 2 : (int)moments;
  sinew_vec3 *path = lua_newuserdatauv(L, (size_t)count * sizeof *path, 0);
  budget_charge(L, 200L * count * s->joint_count);
  sinew_root_from_feet_job root = {model, clip, s->joints, s->joint_count, height, path, count};
  sinew_find_contacts_job contacts = {.model = model,
                                      .clip = clip,
                                      .feet = s->joints,
                                      .foot_count = s->joint_count,
                                      .path = path,
                                      .path_count = count,
                                      .height = height,
                                      .speed = speed,
                                      .shortest = shortest,
                                      .rate = RATE,
                                      .loop = true,
                                      .output = s->contacts,
                                      .capacity = CONTACTS,
                                      .count = &s->count};
  const char *reason = sinew_root_from_feet_check(&root);
  if (reason) luaL_error(L, "model:find_steps: %s", reason);
  if (!sinew_root_from_feet(&root) || !sinew_find_contacts(&contacts)) luaL_error(L, "not enough memory for steps");
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
  find(L, model, sinew_model_clip(model, clip), &s);
  sort(&s);
  lua_createtable(L, s.count, 0);
  for (int i = 0; i < s.count; i++) {
    push_marker(L, model, &s, s.contacts + i);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const api_entry api_step_entries[] = {
    {"model", "find_steps", API_METHOD, "clip: clip, feet?: table", "table",
     "Finds when feet touch the ground in a clip, whether it travels or walks on the spot. Returns sync markers for "
     "model:markers, with the joint as data: man:find_steps(\"Walk\"), or with joints and the names of their markers, "
     "man:find_steps(\"Walk\", { LeftToeBase = \"left\", RightToeBase = \"right\" }). Default: the balls of the rig's "
     "feet (model:roles), \"left\" and \"right\".",
     .call = call_find_steps},
    {0}};
