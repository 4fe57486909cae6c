/* Masks: weights of joints by patterns of their names, of which the most specific wins. */
#include "core/api.h"
#include "core/scene.h"

#include <stdio.h>
#include <string.h>

static int joint_depth(const sinew_model *model, int joint) {
  int depth = 0;
  while ((joint = sinew_model_joint_parent(model, joint)) >= 0) depth++;
  return depth;
}

enum { GENERATIONS = 32 };

/* Weights of a joint, its children, their children …; the last one is for all further ones. */
typedef struct falloff {
  float weights[GENERATIONS];
  int count;
} falloff;

/* The state of a mask while it is read. For each joint: its weight, the rank of the pattern that painted it, and the
 * number of joints between it and the top of that pattern, −1 outside. */
typedef struct canvas {
  const sinew_model *model;
  float *weights;
  int *ranks, *generations;
} canvas;

/* Joints come after their parents, so one loop finds all below the top. */
static void find_generations(const canvas *c, int top, bool subtree) {
  int count = sinew_model_joint_count(c->model);
  for (int joint = top; joint < count; joint++) {
    int parent = sinew_model_joint_parent(c->model, joint);
    bool below = subtree && joint > top && parent >= top && c->generations[parent] >= 0;
    c->generations[joint] = joint == top ? 0 : below ? c->generations[parent] + 1 : -1;
  }
}

/* rank: a deeper subtree is more specific than a shallower one, and a joint's own name than any subtree. */
static void paint(const canvas *c, int top, bool subtree, const falloff *f) {
  int rank = subtree ? joint_depth(c->model, top) + 1 : 1 << 20;
  find_generations(c, top, subtree);
  for (int joint = top; joint < sinew_model_joint_count(c->model); joint++) {
    int generation = c->generations[joint];
    if (generation < 0 || rank < c->ranks[joint]) continue;
    c->ranks[joint] = rank;
    c->weights[joint] = f->weights[generation < f->count ? generation : f->count - 1];
  }
}

static void paint_pattern(lua_State *L, const canvas *c, const char *pattern, const falloff *f) {
  size_t size = strlen(pattern);
  bool subtree = size >= 2 && strcmp(pattern + size - 2, "**") == 0;
  if (subtree) size -= size > 2 && pattern[size - 3] == '/' ? 3 : 2;
  lua_pushlstring(L, pattern, size);
  int joint = size == 0 && subtree ? 0 : joint_check(L, c->model, -1);
  budget_charge(L, sinew_model_joint_count(c->model));
  paint(c, joint, subtree, f);
  lua_pop(L, 1);
}

static bool read_weight(lua_State *L, int index, float *weight) {
  *weight = (float)lua_tonumber(L, index);
  return lua_type(L, index) == LUA_TNUMBER && *weight >= 0 && *weight <= 1;
}

/* Reads the value at the top: a weight, or a list of weights. */
static bool read_falloff(lua_State *L, falloff *f) {
  f->count = 1;
  if (!lua_istable(L, -1)) return read_weight(L, -1, f->weights);
  f->count = (int)lua_rawlen(L, -1);
  bool fine = f->count >= 1 && f->count <= GENERATIONS;
  for (int i = 0; i < f->count && fine; i++) {
    lua_rawgeti(L, -1, i + 1);
    fine = read_weight(L, -1, f->weights + i);
    lua_pop(L, 1);
  }
  return fine;
}

/* The value on the top. */
static void refuse_weight(lua_State *L, const char *joint) {
  luaL_error(L, "a mask's weight for '%s' must be a number from 0 to 1, or a list of them (got %s)", joint,
             api_describe(L, -1));
}

static void read_patterns(lua_State *L, int index, const canvas *c) {
  falloff f;
  index = lua_absindex(L, index);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    bool named = lua_type(L, -2) == LUA_TSTRING;
    if (!named || !read_falloff(L, &f)) {
      if (named && !lua_istable(L, -1)) refuse_weight(L, lua_tostring(L, -2));
      luaL_error(L, "a mask is a table of joint names with weights from 0 to 1, as in { [\"Spine1/**\"] = 1 }, or "
                    "with a list of them for the joint, its children and so on: { [\"Spine/**\"] = { 0.3, 0.6, 1 } }");
    }
    paint_pattern(L, c, lua_tostring(L, -2), &f);
    lua_pop(L, 1);
  }
}

typedef struct mask {
  sinew_model *model; /* compared, never dereferenced */
  int count;
  float weights[];
} mask;

static mask *push_mask(lua_State *L, int index, sinew_model *model) {
  int count = sinew_model_joint_count(model);
  index = lua_absindex(L, index);
  mask *m = api_new(L, "mask", sizeof *m + (size_t)count * sizeof(float), ++scene_of(L)->declarations.next_id);
  m->model = model;
  m->count = count;
  int *ranks = lua_newuserdatauv(L, 2 * (size_t)count * sizeof *ranks, 0);
  memset(ranks, 0, 2 * (size_t)count * sizeof *ranks);
  read_patterns(L, index, &(canvas){model, m->weights, ranks, ranks + count});
  lua_pop(L, 1);
  return m;
}

/* While the model is loading its joints are not known: the patterns themselves are returned. */
static int call_mask(lua_State *L) {
  if (load_find(scene_of(L), model_check(L, 1))) return lua_settop(L, 2), 1;
  push_mask(L, 2, model_check(L, 1));
  return 1;
}

float *mask_read(lua_State *L, int index, const sinew_model *model) {
  mask *m = api_test(L, index, "mask");
  if (!m) m = push_mask(L, index, (sinew_model *)(uintptr_t)model);
  if (m->count != sinew_model_joint_count(model)) {
    luaL_error(L, "the mask was made for another model: use the mask of the actor's own");
  }
  size_t size = (size_t)m->count * sizeof(float);
  float *weights = declarations_allocate(&scene_of(L)->declarations, size ? size : 1);
  if (!weights) luaL_error(L, "not enough memory for a mask");
  memcpy(weights, m->weights, size);
  return weights;
}

const api_entry api_mask_entries[] = {
    {"model", "mask", API_METHOD, "weights: table", "mask",
     "A weight from 0 to 1 for each joint: { [\"Spine1/**\"] = 1, Head = 0.5 }. \"/**\" means a joint and everything "
     "below it. The most specific pattern wins; joints that no pattern matches get 0.",
     .call = call_mask},
    {0}};
