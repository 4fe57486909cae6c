/* Curves of clips, as scripts make and read them. */
#include "core/api.h"

#include <math.h>
#include <string.h>

enum { KEYS = 4096, NAMES = 64 };

static int fail_key(lua_State *L, int number) {
  return luaL_error(L, "model:curve: a key is { time, value }, two numbers (number %d)", number);
}

/* Exactly two values in order: a third, or a named one, would have no effect. */
static bool is_pair(lua_State *L, int table) {
  int count = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    if (++count <= 2) continue;
    lua_pop(L, 1);
    return false;
  }
  return count == 2 && lua_rawlen(L, table) == 2;
}

static int read_keys(lua_State *L, int list, double duration, sinew_curve_key *keys) {
  int count = (int)lua_rawlen(L, list);
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, list, i + 1) != LUA_TTABLE || !is_pair(L, lua_gettop(L))) fail_key(L, i + 1);
    int key = lua_gettop(L);
    bool numbers = lua_rawgeti(L, key, 1) == LUA_TNUMBER;
    numbers = lua_rawgeti(L, key, 2) == LUA_TNUMBER && numbers;
    if (!numbers) fail_key(L, i + 1);
    keys[i] = (sinew_curve_key){clip_time(lua_tonumber(L, -2), duration), lua_tonumber(L, -1)};
    if (!isfinite(keys[i].value)) luaL_error(L, "model:curve: the value of key %d is not a finite number", i + 1);
    if (!(keys[i].time >= 0 && keys[i].time <= duration))
      luaL_error(L, "model:curve: key %d lies at %f s, outside the clip (0 to %f s)", i + 1, api_rounded(keys[i].time),
                 api_rounded(duration));
    if (i && keys[i].time < keys[i - 1].time)
      luaL_error(L, "model:curve: keys must be in order of time, and number %d is earlier than the one before it",
                 i + 1);
    lua_settop(L, key - 1);
  }
  return count;
}

static int call_curve(lua_State *L) {
  sinew_error error;
  declarations *all = &scene_of(L)->declarations;
  sinew_model *model = model_check(L, 1);
  int clip = clip_check(L, model, 2);
  const char *name = lua_tostring(L, 3);
  if (!name[0] || strlen(name) > 63) return luaL_error(L, "model:curve: a name has 1 to 63 bytes");
  if (lua_rawlen(L, 4) > KEYS) return luaL_error(L, "model:curve: a curve has %d keys at most", KEYS);
  budget_charge(L, (int64_t)lua_rawlen(L, 4));
  sinew_curve_key *keys = lua_newuserdatauv(L, KEYS * sizeof *keys, 0);
  int count = read_keys(L, 4, sinew_clip_duration(sinew_model_clip(model, clip)), keys);
  if (!declarations_set_curve(all, model, clip, name, keys, count, &error)) return luaL_error(L, "%s", error.message);
  return 0;
}

static int call_curves(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  sinew_model *model = model_check(L, 1);
  int clip = clip_check(L, model, 2);
  const char *name;
  lua_newtable(L);
  for (int i = 0; (name = declarations_curve_name(all, model, clip, i)) != NULL; i++) {
    lua_pushstring(L, name);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

int curve_unknown(lua_State *L, const char *what, const char *name, const sinew_model *model) {
  const char *names[NAMES];
  int count = 0;
  const sinew_stage *stage = scene_of(L)->declarations.stage;
  while (count < NAMES && (names[count] = sinew_stage_curve_name(stage, model, count))) count++;
  return api_unknown(L, what, name, " in any clip of the model; model:curve gives it to one", names, count);
}

static int call_actor_curve(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  const actor_record *record = actor_check(L, 1);
  const sinew_model *model = declarations_actor_model(all, record);
  const char *name = lua_tostring(L, 2);
  if (!declarations_has_curve(all, model, name)) return curve_unknown(L, "actor:curve: no curve", name, model);
  lua_pushnumber(L, sinew_actor_curve(all->stage, record->actor, name, luaL_optnumber(L, 3, 0)));
  return 1;
}

const api_entry api_curve_entries[] = {
    {"model", "curve", API_METHOD, "clip: clip, name: string, keys: list", "",
     "Gives a clip a curve, a number that changes over its time, and replaces one of that name: "
     "man:curve(\"Wave\", \"grip\", { { 0, 1 }, { 0.4, 0 } }). It is linear between keys and constant before the "
     "first and after the last; two keys at one time make a step. Without keys, the curve is removed, and a "
     "curve of that name in the model's file returns.",
     .call = call_curve},
    {"model", "curves", API_METHOD, "clip: clip", "string[]",
     "The names of a clip's curves, those from the model's file and those of scripts.", .call = call_curves},
    {"actor", "curve", API_METHOD, "name: string, rest?: number", "number",
     "The current value of the curve of that name, blended from the playing clips as the pose is. A clip of the base "
     "layer without the curve counts as `rest`, default 0; on a layer above, such a clip leaves the value unchanged.",
     .call = call_actor_curve},
    {0}};
