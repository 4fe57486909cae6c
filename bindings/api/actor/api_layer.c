#include "api/pose/pose_object.h"

#include <math.h>
#include <string.h>

static const layer_handle *check(lua_State *L, actor_record **record, layer_record **layer) {
  const layer_handle *handle = api_check(L, 1, "layer");
  *record = declarations_actor(&scene_of(L)->declarations, handle->actor);
  *layer = *record ? declarations_layer(*record, handle->layer) : NULL;
  if (!*record) actor_gone(L, handle->actor);
  if (handle->layer && !*layer) luaL_error(L, "this layer has been removed");
  return handle;
}

void layer_push(lua_State *L, const actor_record *actor, const layer_record *layer) {
  if (layer && api_push_known(L, layer->head.id)) return;
  layer_handle *handle = api_new(L, "layer", sizeof *handle, layer ? layer->head.id : actor->head.id);
  *handle = (layer_handle){.actor = actor->head.id, .layer = layer ? layer->head.id : 0};
  if (layer) api_remember(L, layer->head.id);
}

static int unknown_layer(lua_State *L, const actor_record *record, const char *name) {
  const char *names[20] = {"base"};
  int count = 1;
  const declaration_list *layers = &record->parts[PART_LAYERS];
  for (int i = 0; i < layers->count && count < 20; i++) names[count++] = layers->items[i]->name;
  lua_pushfstring(L, " in actor '%s'; actor:layer(name, options) makes one", record->head.name);
  return api_unknown(L, "no layer", name, lua_tostring(L, -1), names, count);
}

int64_t layer_option(lua_State *L, const actor_record *record, int options, int64_t fallback) {
  if (!option_push(L, options, "layer")) return fallback;
  const char *name = lua_tostring(L, -1);
  const layer_record *found = declarations_find_layer(record, name);
  bool base = strcmp(name, "base") == 0;
  if (!found && !base) unknown_layer(L, record, name);
  lua_pop(L, 1);
  return base ? 0 : found->head.id;
}

/* The option at the index: a clip, a clip at a time, or a pose, which stays in Lua. */
static sinew_reference read_reference(lua_State *L, int index, sinew_model *model) {
  if (api_test(L, index, "pose")) {
    const sinew_posed *posed = &pose_check(L, index)->posed;
    if (posed->model != model)
      luaL_error(L, "actor:layer: the pose of 'reference' is of another model: pose:retarget takes one over");
    return (sinew_reference){.kind = SINEW_REFERENCE_POSE, .pose = posed->pose};
  }
  double time = option_number(L, index, "time", 0);
  bool at_time = lua_istable(L, index), named = !at_time || option_push(L, index, "clip");
  if (!named) luaL_error(L, "actor:layer: 'reference' names no clip: { clip = \"Idle\", time = 0.5 }");
  int clip = clip_check(L, model, at_time ? lua_gettop(L) : index);
  return (sinew_reference){.kind = SINEW_REFERENCE_CLIP, .clip = clip, .time = time};
}

static void read_play(lua_State *L, int index, sinew_play_def *def) {
  if (option_push(L, index, "layer")) luaL_error(L, "actor:layer: 'play' cannot name a layer: it is this one");
  play_read(L, index, def);
}

static void read_options(lua_State *L, const actor_record *record, layer_values *values) {
  sinew_model *model = declarations_actor_model(&scene_of(L)->declarations, record);
  fields_read(L, 3, &kind_layer, "actor:layer", values);
  if (option_push(L, 3, "play")) read_play(L, lua_gettop(L), &values->play);
  if (option_push(L, 3, "reference")) values->def.reference = read_reference(L, lua_gettop(L), model);
  if (!option_push(L, 3, "mask")) return;
  values->def.joint_weights = mask_read(L, lua_gettop(L), model); /* owned by none: the last */
  values->mask_count = sinew_model_joint_count(model);
}

static int call_layer(lua_State *L) {
  sinew_error error;
  char line[DECLARED_LINE];
  actor_record *record = actor_check(L, 1);
  const char *name = lua_tostring(L, 2);
  bool base = strcmp(name, "base") == 0;
  lua_settop(L, 3);
  layer_record *layer = lua_isnil(L, 3) && !base ? declarations_find_layer(record, name) : NULL;
  if (lua_isnil(L, 3) && !layer && !base) return unknown_layer(L, record, name);
  if (base && !lua_isnil(L, 3)) return luaL_error(L, "actor:layer: the base layer is always there and has no options");
  if (!name[0] || strlen(name) >= DECLARED_NAME) {
    return luaL_error(L, "actor:layer: a name has 1 to %d bytes", DECLARED_NAME - 1);
  }
  if (!layer && !base) {
    layer_values values = {.def = sinew_layer_def_default(), .play = sinew_play_def_default()};
    scene_line(L, line);
    read_options(L, record, &values);
    bool fits = values.def.weight >= 0 && values.def.weight <= 1;
    if (!fits && values.def.mode == SINEW_LAYER_OVERRIDE)
      return luaL_error(L,
                        "actor:layer: 'options'.weight is a number from 0 to 1 (got %f); an additive layer takes any",
                        (double)values.def.weight);
    layer = declare_layer(&scene_of(L)->declarations, record, name, &values, line, &error);
    if (!layer) return luaL_error(L, "%s", error.message);
  }
  layer_push(L, record, layer);
  return 1;
}

static void get_weight(lua_State *L, const api_entry *entry) {
  actor_record *record;
  layer_record *layer;
  (void)entry;
  check(L, &record, &layer);
  lua_pushnumber(L, layer ? (lua_Number)declarations_get_layer_weight(&scene_of(L)->declarations, record, layer) : 1);
}

static void set_weight(lua_State *L, const api_entry *entry) {
  actor_record *record;
  layer_record *layer;
  (void)entry;
  check(L, &record, &layer);
  if (!layer) luaL_error(L, "the weight of the base layer is always 1");
  declarations_set_layer_weight(&scene_of(L)->declarations, record, layer, (float)lua_tonumber(L, 3));
}

static void get_name(lua_State *L, const api_entry *entry) {
  actor_record *record;
  layer_record *layer;
  (void)entry;
  check(L, &record, &layer);
  lua_pushstring(L, layer ? layer->head.name : "base");
}

static void get_mode(lua_State *L, const api_entry *entry) {
  actor_record *record;
  layer_record *layer;
  (void)entry;
  check(L, &record, &layer);
  const layer_values *values = layer ? (layer->head.next_set ? &layer->next : &layer->last) : NULL;
  lua_pushstring(L, values && values->def.mode == SINEW_LAYER_ADDITIVE ? "additive" : "override");
}

static int call_play(lua_State *L) {
  actor_record *record;
  layer_record *layer;
  const layer_handle *handle = check(L, &record, &layer);
  return actor_play(L, record, handle->layer, 2, 3);
}

static int call_stop(lua_State *L) {
  actor_record *record;
  layer_record *layer;
  const layer_handle *handle = check(L, &record, &layer);
  double seconds = luaL_optnumber(L, 2, sinew_play_def_default().fade);
  declarations_stop_layer(&scene_of(L)->declarations, record, handle->layer, seconds);
  return 0;
}

static int call_fade(lua_State *L) {
  actor_record *record;
  layer_record *layer;
  check(L, &record, &layer);
  if (!layer) return luaL_error(L, "the weight of the base layer is always 1");
  double seconds = luaL_optnumber(L, 3, sinew_play_def_default().fade);
  declarations_fade_layer(&scene_of(L)->declarations, record, layer, (float)lua_tonumber(L, 2), seconds);
  return 0;
}

static int call_set_mask(lua_State *L) {
  actor_record *record;
  layer_record *layer;
  declarations *all = &scene_of(L)->declarations;
  check(L, &record, &layer);
  if (!layer) return luaL_error(L, "the base layer has all joints");
  double seconds = luaL_optnumber(L, 3, sinew_play_def_default().fade);
  const sinew_model *model = declarations_actor_model(all, record);
  if (!declarations_set_mask(all, record, layer, mask_read(L, 2, model), sinew_model_joint_count(model), seconds))
    return luaL_error(L, "not enough memory for a mask");
  return 0;
}

const api_entry api_layer_entries[] = {
    {"actor", "layer", API_METHOD, "name: layer_name, options?: layer_options", "layer",
     "Declares a layer on top of those before it. With the name alone it finds an existing layer.", .call = call_layer,
     .waits = true},
    {"layer", "name", API_FIELD, "string", "", "Its name.", .get = get_name},
    {"layer", "mode", API_FIELD, "mode", "", "\"override\" or \"additive\".", .get = get_mode},
    {"layer", "weight", API_FIELD, "number", "",
     "The fraction of the layers below that it covers, from 0 to 1; "
     "an additive layer takes any number.",
     .get = get_weight, .set = set_weight},
    {"layer", "fade", API_METHOD, "weight: number, seconds?: seconds", "",
     "Fades its weight to another one in that many seconds; default 0.2.", .call = call_fade},
    {"layer", "stop", API_METHOD, "seconds?: seconds", "",
     "Fades out everything that plays on it in that many seconds, default 0.2. Its weight and its graph stay.",
     .call = call_stop},
    {"layer", "set_mask", API_METHOD, "mask: mask|table, seconds?: seconds", "",
     "Changes its mask; model:mask describes masks. Joints blend to the new mask in that many seconds; default 0.2.",
     .call = call_set_mask},
    {"layer", "play", API_METHOD, "clip: clip, options?: play_options", "action", "Plays a clip on this layer.",
     .call = call_play, .cost = 200},
    {0}};
