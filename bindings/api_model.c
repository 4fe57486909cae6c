#include "api.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { CLIP_FILES = 16, CANDIDATES = 512 };

sinew_model *model_check(lua_State *L, int index) {
  sinew_model **box = luaL_checkudata(L, index, "model");
  return *box;
}

void model_push(lua_State *L, sinew_model *model) {
  lua_Integer key = -(lua_Integer)(uintptr_t)model; /* ids of actors and layers are above 0 */
  if (api_push_known(L, key)) return;
  sinew_model **box = api_new(L, "model", sizeof *box, ++scene_of(L)->world.next_id);
  *box = sinew_model_retain(model);
  api_remember(L, key);
}

/* ---- loading ---- */

typedef struct request {
  char path[SCENE_PATH];
  char clips[CLIP_FILES][SCENE_PATH];
  const char *clip_list[CLIP_FILES];
  int clip_count;
} request;

static bool resolve_clips(lua_State *L, int options, request *r, sinew_error *error) {
  if (!option_push(L, options, "clips")) return true;
  int list = lua_gettop(L);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, list); i++) {
    if (r->clip_count == CLIP_FILES) return world_fail(error, "clips: more than %d files", CLIP_FILES);
    if (lua_rawgeti(L, list, i) != LUA_TSTRING) return world_fail(error, "clips must be a list of file names");
    char *path = r->clips[r->clip_count];
    if (!scene_resolve(scene_of(L), lua_tostring(L, -1), "assets", path, error)) return false;
    r->clip_list[r->clip_count++] = path;
  }
  lua_settop(L, list - 1);
  return true;
}

static void push_stamp(lua_State *L, const char *path) {
  struct stat info = {0};
  stat(path, &info);
  lua_pushfstring(L, "%s|%I|%I.%I;", path, (LUAI_UACINT)info.st_size, (LUAI_UACINT)info.st_mtim.tv_sec,
                  (LUAI_UACINT)info.st_mtim.tv_nsec);
}

/* The same file, unchanged, is the same model, also across reloads. */
static void push_cache_key(lua_State *L, const request *r) {
  push_stamp(L, r->path);
  for (int i = 0; i < r->clip_count; i++) push_stamp(L, r->clips[i]);
  lua_concat(L, 1 + r->clip_count);
}

static bool push_cached(lua_State *L, int key) {
  generation_push(L, "models");
  lua_pushvalue(L, key);
  if (lua_rawget(L, -2) == LUA_TUSERDATA) return true;
  lua_pop(L, 2);
  generation_push_current(L, "models");
  if (!lua_istable(L, -1)) return false;
  lua_pushvalue(L, key);
  return lua_rawget(L, -2) == LUA_TUSERDATA;
}

static void remember(lua_State *L, int key) {
  generation_push(L, "models");
  lua_pushvalue(L, key);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/* Pushes the model, or returns false and a sentence. */
static bool load(lua_State *L, sinew_error *error) {
  request *r = lua_newuserdatauv(L, sizeof *r, 0); /* too large for the C stack of a coroutine's host */
  memset(r, 0, sizeof *r);
  if (!scene_resolve(scene_of(L), lua_tostring(L, 1), "assets", r->path, error)) return false;
  if (!resolve_clips(L, 2, r, error)) return false;
  scene_add_file(scene_of(L), r->path);
  for (int i = 0; i < r->clip_count; i++) scene_add_file(scene_of(L), r->clips[i]);
  push_cache_key(L, r);
  int key = lua_gettop(L);
  if (!push_cached(L, key)) {
    sinew_model **box = api_new(L, "model", sizeof *box, ++scene_of(L)->world.next_id);
    sinew_load_options options = sinew_load_options_default();
    options.clip_files = r->clip_list;
    options.clip_file_count = r->clip_count;
    *box = sinew_model_load(r->path, &options, error);
    if (!*box) return false;
    api_remember(L, -(lua_Integer)(uintptr_t)*box);
  }
  remember(L, key);
  return true;
}

static int call_model(lua_State *L) {
  sinew_error error;
  lua_settop(L, 2);
  if (!load(L, &error)) return luaL_error(L, "sinew.model: %s", error.message);
  return 1;
}

static int call_try_model(lua_State *L) {
  sinew_error error;
  lua_settop(L, 2);
  if (load(L, &error)) return 1;
  lua_pushnil(L);
  lua_pushstring(L, error.message);
  return 2;
}

/* ---- what a model has ---- */

static int call_clips(lua_State *L) {
  const sinew_model *model = model_check(L, 1);
  lua_newtable(L);
  for (int i = 0; i < sinew_model_clip_count(model); i++) {
    lua_pushstring(L, sinew_clip_name(sinew_model_clip(model, i)));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int call_joints(lua_State *L) {
  const sinew_model *model = model_check(L, 1);
  lua_newtable(L);
  for (int i = 1; i < sinew_model_joint_count(model); i++) { /* 0 is the virtual root */
    lua_pushstring(L, sinew_model_joint_name(model, i));
    lua_rawseti(L, -2, i);
  }
  return 1;
}

static int call_duration(lua_State *L) {
  sinew_model *model = model_check(L, 1);
  lua_pushnumber(L, sinew_clip_duration(sinew_model_clip(model, clip_check(L, model, 2))));
  return 1;
}

static void get_path(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushstring(L, sinew_model_path(model_check(L, 1)));
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

int clip_check(lua_State *L, sinew_model *model, int index) {
  const char *names[CANDIDATES];
  const char *name = lua_tostring(L, index);
  int clip = sinew_model_find_clip(model, name), count = sinew_model_clip_count(model);
  if (clip >= 0) return clip;
  if (count > CANDIDATES) count = CANDIDATES;
  for (int i = 0; i < count; i++) names[i] = sinew_clip_name(sinew_model_clip(model, i));
  lua_pushfstring(L, " in %s", file_name(sinew_model_path(model)));
  return api_unknown(L, "no clip", name, lua_tostring(L, -1), names, count);
}

/* ---- masks: patterns of joint names, the most specific wins ---- */

static int unknown_joint(lua_State *L, const sinew_model *model, const char *name) {
  const char *names[CANDIDATES];
  int count = sinew_model_joint_count(model);
  if (count > CANDIDATES) count = CANDIDATES;
  for (int i = 0; i < count; i++) names[i] = sinew_model_joint_name(model, i);
  lua_pushfstring(L, " in %s", file_name(sinew_model_path(model)));
  return api_unknown(L, "no joint", name, lua_tostring(L, -1), names, count);
}

static int joint_depth(const sinew_model *model, int joint) {
  int depth = 0;
  while ((joint = sinew_model_joint_parent(model, joint)) >= 0) depth++;
  return depth;
}

static bool is_below(const sinew_model *model, int joint, int top) {
  while (joint > top) joint = sinew_model_joint_parent(model, joint);
  return joint == top;
}

/* rank: a deeper subtree is more specific than a shallower one, and a joint's own name than any subtree. */
static void paint(const sinew_model *model, int top, bool subtree, float weight, float *weights, int *ranks) {
  int rank = subtree ? joint_depth(model, top) + 1 : 1 << 20;
  for (int joint = 0; joint < sinew_model_joint_count(model); joint++) {
    bool hit = subtree ? is_below(model, joint, top) : joint == top;
    if (!hit || rank < ranks[joint]) continue;
    ranks[joint] = rank;
    weights[joint] = weight;
  }
}

static void paint_pattern(lua_State *L, const sinew_model *model, const char *pattern, float weight, float *weights,
                          int *ranks) {
  size_t size = strlen(pattern);
  bool subtree = size >= 2 && strcmp(pattern + size - 2, "**") == 0;
  if (subtree) size -= size > 2 && pattern[size - 3] == '/' ? 3 : 2;
  lua_pushlstring(L, pattern, size);
  const char *name = lua_tostring(L, -1);
  int joint = size == 0 && subtree ? 0 : sinew_model_find_joint(model, name);
  if (joint < 0) unknown_joint(L, model, name);
  paint(model, joint, subtree, weight, weights, ranks);
  lua_pop(L, 1);
}

static void read_patterns(lua_State *L, int index, const sinew_model *model, float *weights, int *ranks) {
  index = lua_absindex(L, index);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1)) ||
        lua_tonumber(L, -1) < 0 || lua_tonumber(L, -1) > 1) {
      luaL_error(L, "a mask is a table of joint names with weights from 0 to 1, as in { [\"Spine1/**\"] = 1 }");
    }
    float weight = (float)lua_tonumber(L, -1);
    paint_pattern(L, model, lua_tostring(L, -2), weight, weights, ranks);
    lua_pop(L, 1);
  }
}

typedef struct mask {
  sinew_model *model; /* only compared, never followed */
  int count;
  float weights[];
} mask;

static mask *push_mask(lua_State *L, int index, sinew_model *model) {
  int count = sinew_model_joint_count(model);
  index = lua_absindex(L, index);
  mask *m = api_new(L, "mask", sizeof *m + (size_t)count * sizeof(float), ++scene_of(L)->world.next_id);
  m->model = model;
  m->count = count;
  int *ranks = lua_newuserdatauv(L, (size_t)count * sizeof *ranks, 0);
  memset(ranks, 0, (size_t)count * sizeof *ranks);
  read_patterns(L, index, model, m->weights, ranks);
  lua_pop(L, 1);
  return m;
}

static int call_mask(lua_State *L) {
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
  float *weights = world_allocate(&scene_of(L)->world, size ? size : 1);
  if (!weights) luaL_error(L, "not enough memory for a mask");
  memcpy(weights, m->weights, size);
  return weights;
}

const api_entry api_model_entries[] = {
    {"sinew", "model", API_FUNCTION, "path: string, options?: model_options", "model",
     "Loads a model from the scene's folder or from Sinew's assets. Raises where it cannot be read.",
     .call = call_model},
    {"sinew", "try_model", API_FUNCTION, "path: string, options?: model_options", "model?, string?",
     "As sinew.model, but returns nil and the reason in place of raising.", .call = call_try_model},
    {"model", "path", API_FIELD, "string", "", "The file it was loaded from.", .get = get_path},
    {"model", "clips", API_METHOD, "", "string[]", "The names of its clips.", .call = call_clips},
    {"model", "joints", API_METHOD, "", "string[]", "The names of its joints, parents before children.",
     .call = call_joints},
    {"model", "duration", API_METHOD, "clip: string", "number", "How long a clip is, in seconds.",
     .call = call_duration},
    {"model", "mask", API_METHOD, "weights: table", "mask",
     "A weight from 0 to 1 for each joint: { [\"Spine1/**\"] = 1, Head = 0.5 }. \"/**\" is a joint with all below it; "
     "the "
     "most specific pattern wins, and joints that none names get 0.",
     .call = call_mask},
    {0}};
