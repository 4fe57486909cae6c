#include "api/graph/node.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is_any(lua_State *L, int i) { return !lua_isnoneornil(L, i); }
/* Most are kept in single precision, where a larger one would be infinite. */
static bool is_number(lua_State *L, int i) {
  return lua_type(L, i) == LUA_TNUMBER && fabs(lua_tonumber(L, i)) <= (double)FLT_MAX;
}
static bool is_positive(lua_State *L, int i) { return is_number(L, i) && lua_tonumber(L, i) > 0; }
static bool is_amount(lua_State *L, int i) {
  return is_number(L, i) && lua_tonumber(L, i) >= 0 && lua_tonumber(L, i) <= 1e9;
}
/* More than a full turn is probably an angle in degrees. */
static bool is_angle(lua_State *L, int i) { return is_number(L, i) && fabs(lua_tonumber(L, i)) <= 6.2832; }
static bool is_integer(lua_State *L, int i) { return lua_isinteger(L, i); }
static bool is_count(lua_State *L, int i) {
  return lua_isinteger(L, i) && lua_tointeger(L, i) >= 1 && lua_tointeger(L, i) <= 1000000;
}
static bool is_cycles(lua_State *L, int i) { return is_count(L, i) && lua_tointeger(L, i) <= SINEW_MAX_CYCLES; }

/* A name is scanned and copied into messages, however long it is. */
enum { BYTES_PER_STEP = 16 };
static bool is_string(lua_State *L, int i) {
  if (lua_type(L, i) != LUA_TSTRING) return false;
  size_t length;
  const char *text = lua_tolstring(L, i, &length);
  budget_charge(L, (int64_t)length / BYTES_PER_STEP);
  return !memchr(text, 0, length); /* names and paths end there */
}

static bool is_name(lua_State *L, int i) { return is_string(L, i) || is_integer(L, i); }
static bool is_boolean(lua_State *L, int i) { return lua_isboolean(L, i); }
static bool is_table(lua_State *L, int i) { return lua_istable(L, i); }

/* Whether all keys are of the kind: positions without a gap, or names. */
static bool has_keys(lua_State *L, int i, bool names) {
  lua_Integer length = lua_istable(L, i) ? (lua_Integer)lua_rawlen(L, i) : 0, count = 0;
  if (!lua_istable(L, i)) return false;
  i = lua_absindex(L, i);
  luaL_checkstack(L, 4, NULL);
  lua_pushnil(L);
  while (lua_next(L, i)) {
    lua_pop(L, 1);
    bool position = lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= length;
    if (names ? lua_type(L, -1) == LUA_TSTRING : position) count++;
    else return lua_pop(L, 1), false;
  }
  budget_charge(L, count / BYTES_PER_STEP);
  return names || count == length;
}

static bool is_list(lua_State *L, int i) { return has_keys(L, i, false); }
static bool is_named(lua_State *L, int i) { return has_keys(L, i, true); }
static bool is_fraction(lua_State *L, int i) {
  return is_number(L, i) && lua_tonumber(L, i) >= 0 && lua_tonumber(L, i) <= 1;
}
static bool is_ratio(lua_State *L, int i) {
  return is_number(L, i) && lua_tonumber(L, i) >= 0 && lua_tonumber(L, i) <= 10;
}
static bool is_turn_rate(lua_State *L, int i) {
  return is_number(L, i) && lua_tonumber(L, i) >= 0 && lua_tonumber(L, i) <= 63; /* ten turns a second */
}
static bool is_function(lua_State *L, int i) { return lua_isfunction(L, i); }
static bool is_nil(lua_State *L, int i) { return lua_isnil(L, i); }
#define OBJECT(name)                                                                                                   \
  static bool is_##name(lua_State *L, int i) { return api_test(L, i, #name); }

OBJECT(model)
OBJECT(actor)
OBJECT(mask)
OBJECT(pose)
OBJECT(motor)
OBJECT(level)
OBJECT(crowd)
OBJECT(crowd_array)

static bool is_key(lua_State *L, int i) { return is_string(L, i) && sinew_is_key(lua_tostring(L, i)); }

static bool is_vec3(lua_State *L, int i) {
  float v[3];
  return vector_read(L, i, v, 3);
}

/* Colours of surfaces and lines; those of lights may be brighter. */
static bool has_parts(lua_State *L, int i, float most) {
  float v[3];
  bool fits = vector_read(L, i, v, 3);
  for (int k = 0; fits && k < 3; k++) fits = v[k] >= 0 && v[k] <= most;
  return fits;
}

static bool is_color(lua_State *L, int i) { return has_parts(L, i, 1); }
static bool is_glow(lua_State *L, int i) { return has_parts(L, i, 100); }

static bool is_direction(lua_State *L, int i) {
  float v[3];
  return vector_read(L, i, v, 3) && v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > 0;
}

static bool is_range(lua_State *L, int i) {
  float v[2];
  return lua_istable(L, i) && vector_read(L, i, v, 2);
}

static bool is_rotation(lua_State *L, int i) {
  float v[4];
  if (lua_type(L, i) == LUA_TNUMBER) note_degrees(L, lua_tonumber(L, i));
  return rotation_read(L, i, v);
}

static bool is_loop(lua_State *L, int i) {
  sinew_loop_mode loop;
  int count;
  return loop_read(L, i, &loop, &count);
}

static bool is_word(lua_State *L, int i, const store_kind *kind, const char *field) {
  return is_string(L, i) && field_word(kind_field(kind, field), lua_tostring(L, i)) >= 0;
}

/* The words of a field. */
#define WORD(name, kind, field)                                                                                        \
  static bool is_##name(lua_State *L, int i) { return is_word(L, i, &kind_##kind, field); }

WORD(mode, layer, "mode")
WORD(space, layer, "space")
WORD(ease, action, "ease")
WORD(transition_kind, action, "blend")
WORD(match, node, "match")
WORD(skinning, actor, "skinning")
WORD(surface, view, "surface")
WORD(environment, light, "environment")
WORD(curve, light, "curve")
WORD(retarget_mode, model, "retarget")

static bool is_interpolation(lua_State *L, int i) {
  static const char *const words[] = {"linear", "step", "cubic", NULL};
  return is_string(L, i) && field_word(&(store_field){.words = words}, lua_tostring(L, i)) >= 0;
}

static bool is_event(lua_State *L, int i) { return is_string(L, i) && event_index(lua_tostring(L, i)) >= 0; }

static const api_type types[] = {
    {"any", "any", "a value", is_any},
    {"number", "number", "a finite number", is_number},
    {"positive", "number", "a number above 0", is_positive},
    {"seconds", "number", "seconds, 0 or more", is_amount},
    {"weight", "number", "a weight, 0 or more", is_amount},
    {"angle", "number", "an angle in radians; math.rad converts degrees", is_angle},
    {"integer", "integer", "a whole number", is_integer},
    {"count", "integer", "a whole number from 1 to 1000000", is_count},
    {"cycles", "integer", "a whole number from 1 to 8", is_cycles},
    {"string", "string", "a string", is_string},
    {"clip", "sinew.ClipName|integer", "the name or the number of a clip", is_name},
    {"joint", "sinew.JointName|integer",
     "the name or the number of a joint, or a path such as \"Neck/Head\" if several share its name", is_name},
    {"layer_name", "sinew.LayerName", "a string", is_string},
    {"state_name", "sinew.StateName", "a string", is_string},
    {"heard_event", "sinew.EventName", "a string", is_string},
    {"sent_event", "sinew.SentEventName", "a string", is_string},
    {"param_name", "sinew.ParamName", "a string", is_string},
    {"actor_name", "sinew.ActorName", "a string", is_string},
    {"boolean", "boolean", "true or false", is_boolean},
    {"table", "table", "a table", is_table},
    {"list", "any[]", "a list, { first, second, … }", is_list},
    {"named", "table", "a table by names, { name = … }", is_named},
    {"fraction", "number", "a number from 0 to 1", is_fraction},
    {"ratio", "number", "a number from 0 to 10", is_ratio},
    {"turn_rate", "number", "radians per second, up to 63; math.rad converts degrees", is_turn_rate},
    {"color", "sinew.Vec3|number[]", "a colour {red, green, blue}, each from 0 to 1", is_color},
    {"glow", "sinew.Vec3|number[]", "a colour {red, green, blue}, each from 0 to 100", is_glow},
    {"direction", "sinew.Vec3|number[]", "a direction {x, y, z} that is not zero", is_direction},
    {"function", "function", "a function", is_function},
    {"nil", "nil", "nil", is_nil},
    {"model", "sinew.Model", "a model", is_model},
    {"actor", "sinew.Actor", "an actor", is_actor},
    {"mask", "sinew.Mask", "a mask", is_mask},
    {"motor", "sinew.Motor", "a motor", is_motor},
    {"level", "sinew.Level", "a level", is_level},
    {"crowd", "sinew.Crowd", "a crowd", is_crowd},
    {"crowd_array", "sinew.CrowdArray", "an array of a crowd", is_crowd_array},
    {"key", "sinew.Key", "the name of a key", is_key},
    {"range", "number[]", "two finite numbers {least, most}", is_range},
    {"vec3", "sinew.Vec3|number[]", "three finite numbers {x, y, z}", is_vec3},
    {"rotation", "sinew.Quat|number[]|number", "a quaternion {x, y, z, w}, or an angle about y in radians",
     is_rotation},
    {"loop", "\"once\"|\"forever\"|\"ping_pong\"|integer", "\"once\", \"forever\", \"ping_pong\" or a number of times",
     is_loop},
    {"mode", "\"override\"|\"additive\"", "\"override\" or \"additive\"", is_mode},
    {"node", "sinew.Node", "a node of a graph", node_is},
    {"modifier", "sinew.Modifier", "a modifier", modifier_is},
    {"pose", "sinew.Pose", "a pose", is_pose},
    {"space", "\"local\"|\"model\"", "\"local\" or \"model\"", is_space},
    {"ease", "\"linear\"|\"in\"|\"out\"|\"in_out\"", "\"linear\", \"in\", \"out\" or \"in_out\"", is_ease},
    {"match", "\"time\"|\"travelled\"|\"to_stop\"|\"turn\"", "\"time\", \"travelled\", \"to_stop\" or \"turn\"",
     is_match},
    {"retarget_mode", "\"auto\"|\"copy\"|\"fit\"", "\"auto\", \"copy\" or \"fit\"", is_retarget_mode},
    {"transition_kind", "\"crossfade\"|\"frozen\"|\"inertial\"", "\"crossfade\", \"frozen\" or \"inertial\"",
     is_transition_kind},
    {"skinning", "\"linear\"|\"dual_quaternion\"", "\"linear\" or \"dual_quaternion\"", is_skinning},
    {"surface", "\"shaded\"|\"normals\"|\"joints\"|\"weight\"|\"velocity\"",
     "\"shaded\", \"normals\", \"joints\", \"weight\" or \"velocity\"", is_surface},
    {"environment", "\"colors\"|\"studio\"|\"noon\"|\"golden_hour\"|\"overcast\"|\"night\"",
     "\"colors\", \"studio\", \"noon\", \"golden_hour\", \"overcast\" or \"night\"", is_environment},
    {"curve", "\"neutral\"|\"aces\"", "\"neutral\" or \"aces\"", is_curve},
    {"interpolation", "\"linear\"|\"step\"|\"cubic\"", "\"linear\", \"step\" or \"cubic\"", is_interpolation},
    {"event", "sinew.CallbackName", "the name of an event", is_event},
};

const api_type *api_find_type(const char *name, size_t size) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strlen(types[i].name) == size && memcmp(types[i].name, name, size) == 0) return &types[i];
  return NULL;
}

int api_type_number(const api_type *type) { return (int)(type - types) + 1; }
const api_type *api_type_at(int number) { return types + number - 1; }

bool sinew_scene_api_type(int index, const char **name, const char **stub) {
  if (index < 0 || (size_t)index >= sizeof types / sizeof *types) return false;
  *name = types[index].name;
  *stub = types[index].stub;
  return true;
}

bool loop_read(lua_State *L, int index, sinew_loop_mode *loop, int *count) {
  static const char *const names[] = {"once", "forever", "ping_pong"};
  static const sinew_loop_mode modes[] = {SINEW_LOOP_ONCE, SINEW_LOOP_FOREVER, SINEW_LOOP_PING_PONG};
  *count = 1;
  if (is_count(L, index)) {
    *loop = SINEW_LOOP_COUNT;
    *count = (int)lua_tointeger(L, index);
    return true;
  }
  for (int i = 0; i < 3 && lua_type(L, index) == LUA_TSTRING; i++) {
    *loop = modes[i];
    if (strcmp(lua_tostring(L, index), names[i]) == 0) return true;
  }
  return false;
}

void loop_push(lua_State *L, sinew_loop_mode loop, int count) {
  switch (loop) {
  case SINEW_LOOP_ONCE: lua_pushliteral(L, "once"); break;
  case SINEW_LOOP_PING_PONG: lua_pushliteral(L, "ping_pong"); break;
  case SINEW_LOOP_COUNT: lua_pushinteger(L, count); break;
  default: lua_pushliteral(L, "forever"); break;
  }
}
