/* sinew.crowd – thousands of characters that share a model and a graph; arrays hold their differences. */
#include "api/graph/node.h"
#include "core/crowd_object.h"
#include "scene/loads.h"

#include <math.h>
#include <string.h>

enum { CANDIDATES = 256, MEMBER_COST = 20 };

typedef struct crowd_handle {
  int64_t id;
  int hint;
} crowd_handle;

static crowd_record *record_of(lua_State *L, crowd_handle *handle) {
  crowd_record *record = declarations_crowd(&scene_of(L)->declarations, handle->id, &handle->hint);
  if (!record) luaL_error(L, "this crowd has been removed");
  return record;
}

crowd_record *crowd_find(lua_State *L, int index) {
  crowd_handle *handle = api_test(L, index, "crowd");
  return handle ? declarations_crowd(&scene_of(L)->declarations, handle->id, &handle->hint) : NULL;
}

crowd_record *crowd_check(lua_State *L, int index) { return record_of(L, api_check(L, index, "crowd")); }

static void crowd_push(lua_State *L, const crowd_record *record) {
  if (api_push_known(L, record->head.id)) return;
  crowd_handle *handle = api_new(L, "crowd", sizeof *handle, record->head.id);
  handle->id = record->head.id;
  api_remember(L, record->head.id);
}

/* ---- sinew.crowd ---- */

static int find(lua_State *L, const char *name) {
  const declarations *all = &scene_of(L)->declarations;
  const char *names[CANDIDATES];
  int count = 0;
  const crowd_record *record = declarations_find_crowd(all, name);
  if (record && !(all->loading && record->head.declared && !record->head.next_set)) {
    crowd_push(L, record);
    return 1;
  }
  for (int i = 0; i < all->crowds.count && count < CANDIDATES; i++)
    if (declarations_find_crowd(all, all->crowds.items[i]->name)) names[count++] = all->crowds.items[i]->name;
  return api_unknown(L, "no crowd", name, "; sinew.crowd(model, count) makes one", names, count);
}

static void read_name(lua_State *L, char name[DECLARED_NAME]) {
  declarations_name_crowd(&scene_of(L)->declarations, name);
  if (!option_push(L, 3, "name")) return;
  size_t size = lua_rawlen(L, -1);
  if (size < 1 || size >= DECLARED_NAME) luaL_error(L, "sinew.crowd: a name has 1 to %d bytes", DECLARED_NAME - 1);
  declarations_copy(name, DECLARED_NAME, lua_tostring(L, -1));
  lua_pop(L, 1);
}

/* Without a graph, the first clip; nothing while the model is loading. */
static void read_graph(lua_State *L, const char *name, crowd_values *v, const char *const *params, int param_count) {
  int top = lua_gettop(L);
  node_reader *r = node_push_reader(L, v->model, "crowd", name);
  memcpy(r->params, params, (size_t)param_count * sizeof *params);
  r->param_count = param_count;
  if (!option_push(L, 3, "graph")) {
    if (sinew_model_clip_count(v->model) == 0) luaL_error(L, "sinew.crowd: the model has no clips that could play");
    lua_pushstring(L, sinew_clip_name(sinew_model_clip(v->model, 0)));
  }
  node_read(L, lua_gettop(L), r);
  if (r->function_count > 0)
    luaL_error(
        L, "sinew.crowd: its conditions are text and the positions of its samples numbers; only actors take functions");
  node_check(L, r);
  if (!crowd_graph_make(&v->graph, r->nodes, r->node_count)) {
    graph_copy read = node_graph(r);
    v->own_graph = declarations_copy_graph(&scene_of(L)->declarations, &read);
    if (!v->own_graph) luaL_error(L, "sinew.crowd: out of memory for its graph");
  }
  lua_settop(L, top);
}

static void check_material(lua_State *L, const sinew_model *model, const char *name) {
  const char *candidates[CANDIDATES];
  int count = 0, materials = sinew_model_material_count(model);
  for (int i = 0; i < materials; i++) {
    const char *known = sinew_model_material(model, i).name;
    if (crowd_tints(name, known)) return;
    if (count < CANDIDATES) candidates[count++] = known;
  }
  api_unknown(L, "sinew.crowd: tinted: no material", name, "", candidates, count);
}

static void add_tinted(lua_State *L, crowd_values *v, const char *name, bool arrived) {
  size_t used = strlen(v->tinted), size = strlen(name);
  if (size == 0 || strstr(name, ", ") || used + size + 3 > sizeof v->tinted)
    luaL_error(L, "sinew.crowd: tinted: names are not empty, have no comma, and %d bytes in all at most",
               CROWD_TINTED - 3);
  if (arrived) check_material(L, v->model, name);
  memcpy(v->tinted + used, ", ", used > 0 ? 2 : 0);
  memcpy(v->tinted + used + (used > 0 ? 2 : 0), name, size + 1);
}

/* A name or a list of names; checked only once the model is loaded. */
static void read_tinted(lua_State *L, crowd_values *v, bool arrived) {
  if (!option_push(L, 3, "tinted")) return;
  bool is_list = lua_istable(L, -1);
  for (lua_Integer i = 1; i <= (is_list ? (lua_Integer)lua_rawlen(L, -1) : 1); i++) {
    if (is_list) lua_rawgeti(L, -1, i);
    else lua_pushvalue(L, -1);
    if (lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L, "sinew.crowd: tinted is the name of a material, or a list of names");
    add_tinted(L, v, lua_tostring(L, -1), arrived);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Reads a model at 1, a number at 2 and options at 3; returns the number of parameters. The graph comes last, because
 * an error raised after it would leak its memory. */
static int read_values(lua_State *L, const char *name, crowd_values *v, const char *params[CROWD_PARAMS]) {
  double numbers[CROWD_PARAMS];
  *v = (crowd_values){
      .model = model_check(L, 1), .count = (int)lua_tointeger(L, 2), .detail = sinew_crowd_detail_default()};
  int count = params_read(L, 3, "sinew.crowd", params, numbers, CROWD_PARAMS);
  for (int i = 0; i < count; i++) v->params[i] = (float)numbers[i];
  bool arrived = !load_find(scene_of(L), v->model);
  read_tinted(L, v, arrived);
  fields_read(L, 3, &kind_crowd, "sinew.crowd", v);
  if (arrived) read_graph(L, name, v, params, count);
  return count;
}

/* Repeats the declaration with its arguments, below the crowd, once the model is loaded. */
static int call_arrive(lua_State *L) {
  sinew_error error;
  crowd_values v;
  const char *params[CROWD_PARAMS];
  crowd_record *record = crowd_check(L, 1);
  lua_remove(L, 1);
  int count = read_values(L, record->head.name, &v, params);
  if (!declarations_arrive_crowd(&scene_of(L)->declarations, record, &v, params, count, &error))
    return luaL_error(L, "sinew.crowd: %s", error.message);
  return 0;
}

/* Each has its palette. */
static void charge_members(lua_State *L, lua_Integer count, const sinew_model *model) {
  budget_charge(L, (int64_t)count * (MEMBER_COST + (model ? sinew_model_palette_count(model) : 0)));
}

static int declare(lua_State *L) {
  sinew_error error;
  crowd_values v;
  char name[DECLARED_NAME], line[DECLARED_LINE];
  const char *params[CROWD_PARAMS];
  sinew_scene *scene = scene_of(L);
  read_name(L, name);
  scene_line(L, line);
  charge_members(L, lua_tointeger(L, 2), model_check(L, 1));
  int count = read_values(L, name, &v, params);
  bool waits = v.graph.node_count == 0 && !v.own_graph;
  const crowd_record *record = declare_crowd(&scene->declarations, name, &v, params, count, line, &error);
  if (!record) return luaL_error(L, "sinew.crowd: %s", error.message);
  crowd_push(L, record);
  if (!waits) return 1;
  lua_insert(L, 1);
  lua_pushcfunction(L, call_arrive);
  queue_add(L, "");
  lua_rawgeti(L, 1, 1); /* the crowd */
  return 1;
}

static int call_crowd(lua_State *L) {
  lua_settop(L, 3);
  if (lua_isnil(L, 2) && lua_type(L, 1) == LUA_TSTRING && lua_isnil(L, 3)) return find(L, lua_tostring(L, 1));
  if (lua_isnil(L, 2)) return luaL_error(L, "sinew.crowd: how many members? sinew.crowd(model, 1000, options)");
  if (lua_type(L, 1) == LUA_TSTRING) {
    api_push_sinew(L);
    lua_getfield(L, -1, "model");
    lua_pushvalue(L, 1);
    call_lock_call(L, 1, 1);
    lua_replace(L, 1);
    lua_settop(L, 3);
  }
  return declare(L);
}

/* ---- fields ---- */

static void get_array(lua_State *L, const api_entry *entry) { crowd_array_push(L, 1, crowd_check(L, 1), entry->data); }

static void set_array(lua_State *L, const api_entry *entry) {
  crowd_array_assign(L, crowd_check(L, 1), entry->data, 3);
}

static void get_count(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushinteger(L, declarations_crowd_count(&scene_of(L)->declarations, crowd_check(L, 1)));
}

static void get_name(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushstring(L, crowd_check(L, 1)->head.name);
}

static void get_model(lua_State *L, const api_entry *entry) {
  (void)entry;
  model_push(L, declarations_crowd_values(&scene_of(L)->declarations, crowd_check(L, 1))->model);
}

static void get_line(lua_State *L, const api_entry *entry) {
  const crowd_record *record = crowd_check(L, 1);
  (void)entry;
  lua_pushstring(L, record->head.next_set ? record->head.next_line : record->head.line);
}

/* ---- parameters and morphs: crowd.params.speed is an array ---- */

/* The array with the name at 2; pushes the crowd. */
static crowd_record *push_param(lua_State *L, int *array) {
  const char *names[CROWD_PARAMS], *name = luaL_checkstring(L, 2);
  api_check(L, 1, "crowd_params");
  lua_getiuservalue(L, 1, 1);
  crowd_record *record = crowd_check(L, -1);
  int param = declarations_crowd_param(record, name);
  *array = CROWD_FIELDS + param;
  if (param >= 0) return record;
  for (int i = 0; i < record->param_count; i++) names[i] = record->params[i];
  const char *after =
      lua_pushfstring(L, " in crowd '%s'; declare it with params = { %s = 0 }", record->head.name, name);
  api_unknown(L, "no parameter", name, after, names, record->param_count);
  return record;
}

static crowd_record *push_morph(lua_State *L, int *array) {
  const char *name = luaL_checkstring(L, 2);
  api_check(L, 1, "crowd_morphs");
  lua_getiuservalue(L, 1, 1);
  crowd_record *record = crowd_check(L, -1);
  const sinew_model *model = declarations_crowd_values(&scene_of(L)->declarations, record)->model;
  if (load_find(scene_of(L), model))
    luaL_error(L, "crowd '%s' has no morphs until its model is loaded; model:wait() waits for it", record->head.name);
  morph_check(L, model, name);
  *array = declarations_crowd_morph(record, name);
  if (*array < 0) luaL_error(L, "crowd '%s' has arrays of %d morph targets at most", record->head.name, CROWD_MORPHS);
  return record;
}

typedef crowd_record *push_owner(lua_State *L, int *array);

static int arrays_index(lua_State *L, push_owner *push) {
  int array;
  const crowd_record *record = push(L, &array);
  crowd_array_push(L, -1, record, array);
  return 1;
}

static int arrays_newindex(lua_State *L, push_owner *push) {
  int array;
  crowd_record *record = push(L, &array);
  lua_settop(L, 3);
  crowd_array_assign(L, record, array, 3);
  return 0;
}

static int params_index(lua_State *L) { return arrays_index(L, push_param); }
static int params_newindex(lua_State *L) { return arrays_newindex(L, push_param); }
static int morphs_index(lua_State *L) { return arrays_index(L, push_morph); }
static int morphs_newindex(lua_State *L) {
  call_lock_check(L, "crowd.morphs");
  return arrays_newindex(L, push_morph);
}

static void get_arrays(lua_State *L, const api_entry *entry, const char *type, lua_CFunction index,
                       lua_CFunction newindex) {
  crowd_check(L, 1);
  if (api_push_part(L, entry->name)) return;
  lua_newuserdatauv(L, 0, 1);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  if (luaL_newmetatable(L, type)) {
    lua_pushcfunction(L, index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, newindex);
    lua_setfield(L, -2, "__newindex");
    lua_pushstring(L, entry->name);
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  api_keep_part(L, entry->name);
}

static void get_params(lua_State *L, const api_entry *entry) {
  get_arrays(L, entry, "crowd_params", params_index, params_newindex);
}

static void get_morphs(lua_State *L, const api_entry *entry) {
  get_arrays(L, entry, "crowd_morphs", morphs_index, morphs_newindex);
}

/* ---- methods ---- */

static void put_all(lua_State *L, const int *arrays, int count) {
  crowd_record *record = crowd_check(L, 1);
  int member = crowd_member_check(L, record, 2);
  for (int i = 0; i < count; i++)
    if (!lua_isnoneornil(L, 3 + i)) crowd_array_put(L, record, arrays[i], member, 3 + i);
}

static int call_position(lua_State *L) {
  static const int arrays[] = {CROWD_X, CROWD_Y, CROWD_Z, CROWD_YAW, CROWD_SCALE};
  put_all(L, arrays, 5);
  return 0;
}

static int call_tint(lua_State *L) {
  static const int arrays[] = {CROWD_RED, CROWD_GREEN, CROWD_BLUE, CROWD_OPACITY};
  put_all(L, arrays, 4);
  return 0;
}

static int call_joint(lua_State *L) {
  const crowd_record *record = crowd_check(L, 1);
  int member = crowd_member_check(L, record, 2);
  if (member >= record->body.count) return luaL_error(L, "crowd:joint: it is not there yet; ask in a callback");
  bool waits = !record->body.crowd.id; /* all joints are then at the member's position */
  sinew_vec3 at = declarations_member_joint(record, member, waits ? 0 : joint_check(L, record->last.model, 3));
  vector_push(L, &at.x, 3);
  return 1;
}

static int call_state(lua_State *L) {
  sinew_machine_state state;
  const crowd_record *record = crowd_check(L, 1);
  const graph_copy *graph = record->last.own_graph;
  int member = crowd_member_check(L, record, 2), node = graph ? node_find(graph, luaL_optstring(L, 3, "")) : -1;
  if (node < 0 || !sinew_crowd_machine(scene_of(L)->declarations.stage, record->body.crowd, member, node, &state))
    return lua_pushnil(L), 1;
  lua_pushstring(L, node_state_name(graph, node, state.state));
  lua_pushnumber(L, state.time);
  lua_pushnumber(L, (lua_Number)state.fade);
  return 3;
}

static int call_resize(lua_State *L) {
  sinew_error error;
  crowd_record *record = crowd_check(L, 1);
  refuse_while_loading(L, "crowd:resize", "change the number in its declaration");
  charge_members(L, lua_tointeger(L, 2), record->last.model);
  if (!declarations_resize_crowd(&scene_of(L)->declarations, record, (int)lua_tointeger(L, 2), &error))
    return luaL_error(L, "crowd:resize: %s", error.message);
  return 0;
}

static int call_remove(lua_State *L) {
  crowd_record *record = crowd_check(L, 1);
  refuse_while_loading(L, "crowd:remove", "take its declaration out");
  declarations_forget_crowd(&scene_of(L)->declarations, record);
  return 0;
}

#define ARRAY(name, index, doc)                                                                                        \
  {                                                                                                                    \
    "crowd", name, API_FIELD, "crowd_array|table|number|boolean", "", doc, .get = get_array, .set = set_array,         \
                                                                           .data = index                               \
  }

const api_entry api_crowd_entries[] = {
    {"sinew", "crowd", API_FUNCTION, "model: model|string, count?: count, options?: crowd_options", "crowd",
     "Declares thousands of characters that share a model and a graph. Each property of the members is an array: "
     "crowd.x[3] = 1.5 for one member, crowd.params.speed = 1.4 for all. With a name alone it finds an existing crowd.",
     .call = call_crowd, .cost = 2000},
    {"crowd", "name", API_FIELD, "string", "", "Its name.", .get = get_name},
    {"crowd", "model", API_FIELD, "model", "", "The model of its members.", .get = get_model},
    {"crowd", "line", API_FIELD, "string", "", "The line that declared it, \"scene.lua:12\".", .get = get_line},
    {"crowd", "count", API_FIELD, "integer", "", "The number of members.", .get = get_count},
    {"crowd", "params", API_FIELD, "table", "", "The arrays of its parameters, by name: crowd.params.speed[3] = 1.6.",
     .get = get_params},
    {"crowd", "morphs", API_FIELD, "table", "",
     "The arrays of morph targets by name, added to what clips do: crowd.morphs.Smile[3] = 1.", .get = get_morphs},
    ARRAY("x", CROWD_X,
          "Positions of the members in metres. You may assign a number for all, or a table, to any of these arrays."),
    ARRAY("y", CROWD_Y, "Likewise, up."),
    ARRAY("z", CROWD_Z, "Likewise."),
    ARRAY("yaw", CROWD_YAW, "Angles about y, in radians."),
    ARRAY("scale", CROWD_SCALE, "Sizes; 1."),
    ARRAY("phase", CROWD_PHASE, "Phases within the clips, 0 to 1."),
    ARRAY("rate", CROWD_RATE, "The speed of time; 1 is the clips' own speed, and below 0 they run backwards."),
    ARRAY("red", CROWD_RED, "Multiplies the colour, linear; default 1."),
    ARRAY("green", CROWD_GREEN, "Likewise."),
    ARRAY("blue", CROWD_BLUE, "Likewise."),
    ARRAY("opacity", CROWD_OPACITY, "0 to 1."),
    ARRAY("visible", CROWD_VISIBLE, "Whether they are drawn; hidden members still move."),
    {"crowd", "place", API_METHOD, "member: count, x: number, y: number, z: number, yaw?: number, scale?: positive", "",
     "Places a member.", .call = call_position},
    {"crowd", "tint", API_METHOD, "member: count, red: number, green: number, blue: number, opacity?: number", "",
     "Colours a member.", .call = call_tint},
    {"crowd", "joint", API_METHOD, "member: count, joint: joint", "vec3",
     "The position of a member's joint in world space. This evaluates the member.", .call = call_joint, .cost = 200},
    {"crowd", "state", API_METHOD, "member: count, path?: string", "string?, number?, number?",
     "The current state of a member's state machine, as actor:state. nil before its first frame, and for a crowd "
     "without states.",
     .call = call_state},
    {"crowd", "resize", API_METHOD, "count: count", "",
     "Changes the number of members; the remaining members are not affected.", .call = call_resize, .cost = 2000},
    {"crowd", "remove", API_METHOD, "", "", "Removes it from the stage.", .call = call_remove},
    {0}};
