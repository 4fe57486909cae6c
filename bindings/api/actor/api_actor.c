#include "core/call_lock.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CANDIDATES = 512, NAME_COST = 10 };

typedef struct actor_handle {
  int64_t id; /* first: the queue reads it */
  int hint;
  char name[DECLARED_NAME]; /* its first name, for messages after it is removed */
} actor_handle;

int actor_gone(lua_State *L, int64_t id) {
  const actor_handle *handle = api_push_known(L, id) ? lua_touserdata(L, -1) : NULL;
  if (!handle) return luaL_error(L, "this actor has been removed");
  return luaL_error(L, "actor '%s' has been removed", handle->name);
}

actor_record *actor_check(lua_State *L, int index) {
  actor_handle *handle = api_check(L, index, "actor");
  actor_record *record = declarations_actor_near(&scene_of(L)->declarations, handle->id, &handle->hint);
  if (!record) actor_gone(L, handle->id);
  return record;
}

void actor_push(lua_State *L, const actor_record *record) {
  if (api_push_known(L, record->head.id)) return;
  actor_handle *handle = api_new(L, "actor", sizeof *handle, record->head.id);
  handle->id = record->head.id;
  snprintf(handle->name, sizeof handle->name, "%s", record->head.name);
  api_remember(L, record->head.id);
}

/* ---- sinew.actor ---- */

static int unknown_actor(lua_State *L, const char *name) {
  const declarations *all = &scene_of(L)->declarations;
  const char *names[CANDIDATES];
  int count = 0;
  for (int i = 0; i < all->actors.count && count < CANDIDATES; i++)
    if (declarations_find_actor(all, all->actors.items[i]->name)) names[count++] = all->actors.items[i]->name;
  return api_unknown(L, "no actor", name, "; sinew.actor(name, model) makes one", names, count);
}

/* "hero.glb" → "hero", or "hero 2" if this run already has that name. */
static const char *name_from_file(lua_State *L, const char *path) {
  const declarations *all = &scene_of(L)->declarations;
  const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
  const char *dot = strrchr(file, '.');
  const char *name = lua_pushlstring(L, file, dot ? (size_t)(dot - file) : strlen(file));
  actor_record *first = declarations_named_actor(all, name);
  if (!first) return name;
  if (first->numbered_at != all->renamed) first->number = 2;
  first->numbered_at = all->renamed;
  for (;; first->number++) {
    budget_charge(L, NAME_COST);
    name = lua_pushfstring(L, "%s %d", first->head.name, first->number);
    if (!declarations_named_actor(all, name)) return name;
    lua_pop(L, 1);
  }
}

static bool is_model_file(const char *name) {
  const char *dot = strrchr(name, '.');
  size_t size = dot ? strlen(dot) : 0;
  return size >= 2 && size <= 10 && isalpha((unsigned char)dot[1]);
}

static void set_property(lua_State *L, actor_record *record, const store_field *f, int index) {
  actor_values v = declarations_actor_values(&scene_of(L)->declarations, record);
  field_read(L, index, f, "sinew.actor", &v);
  scene_note_line(L);
  if (!declarations_set_actor(&scene_of(L)->declarations, record, f, &v))
    luaL_error(L, "out of memory for actor.%s", f->name);
}

static void read_options(lua_State *L, int index, actor_record *record) {
  for (const store_field *f = kind_actor.fields; f->name; f++) {
    if (!option_push(L, index, f->name)) continue;
    set_property(L, record, f, lua_gettop(L));
    lua_pop(L, 1);
  }
}

static int declare(lua_State *L, const char *name, sinew_model *model, int options) {
  sinew_error error;
  char line[DECLARED_LINE];
  scene_line(L, line);
  if (strlen(name) >= DECLARED_NAME || !name[0]) {
    return luaL_error(L, "sinew.actor: a name has 1 to %d bytes", DECLARED_NAME - 1);
  }
  actor_record *record = declare_actor(&scene_of(L)->declarations, name, model, line, &error);
  if (!record) return luaL_error(L, "%s", error.message);
  read_options(L, options, record);
  params_declare(L, options, record);
  actor_push(L, record);
  return 1;
}

void actor_declare(lua_State *L, const char *name, sinew_model *model) {
  lua_pushnil(L); /* no options */
  declare(L, name ? name : name_from_file(L, sinew_model_path(model)), model, lua_gettop(L));
}

static int find_or_load(lua_State *L, const char *name) {
  const actor_record *record = declarations_find_actor(&scene_of(L)->declarations, name);
  bool stale = record && scene_of(L)->loading && record->head.declared && !record->head.next_set;
  if (record && !stale) {
    actor_push(L, record);
    return 1;
  }
  if (!is_model_file(name)) return unknown_actor(L, name);
  api_push_sinew(L);
  lua_getfield(L, -1, "model");
  lua_pushstring(L, name);
  call_lock_call(L, 1, 1);
  sinew_model *model = model_check(L, -1);
  return declare(L, name_from_file(L, name), model, 3);
}

static int call_actor(lua_State *L) {
  const char *name = lua_tostring(L, 1);
  lua_settop(L, 3);
  if (lua_isnil(L, 2) && lua_isnil(L, 3)) return find_or_load(L, name);
  if (lua_isnil(L, 2))
    return luaL_error(L, "sinew.actor: options need a model before them, as in sinew.actor(name, model, options)");
  if (lua_type(L, 2) == LUA_TSTRING) {
    api_push_sinew(L);
    lua_getfield(L, -1, "model");
    lua_pushvalue(L, 2);
    call_lock_call(L, 1, 1);
    lua_replace(L, 2);
    lua_settop(L, 3);
  }
  return declare(L, name, model_check(L, 2), 3);
}

/* ---- fields ---- */

static void get_field(lua_State *L, const api_entry *entry) {
  actor_values v = declarations_actor_values(&scene_of(L)->declarations, actor_check(L, 1));
  const store_field *f = kind_field(&kind_actor, entry->name);
  if (field_is_vector(f)) vector_push_field(L, f->name, field_at(f, &v), f->size / (int)sizeof(float));
  else field_push(L, f, &v);
}

static void set_field(lua_State *L, const api_entry *entry) {
  set_property(L, actor_check(L, 1), kind_field(&kind_actor, entry->name), 3);
}

static void get_name(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushstring(L, actor_check(L, 1)->head.name);
}

static void get_model(lua_State *L, const api_entry *entry) {
  (void)entry;
  model_push(L, declarations_actor_model(&scene_of(L)->declarations, actor_check(L, 1)));
}

static void get_line(lua_State *L, const api_entry *entry) {
  const actor_record *record = actor_check(L, 1);
  (void)entry;
  lua_pushstring(L, record->head.next_set ? record->head.next_line : record->head.line);
}

/* ---- morphs ---- */

/* A name, or a number as model:morphs lists them. */
static const char *read_morph(lua_State *L, const actor_record *record) {
  const sinew_model *model = declarations_actor_model(&scene_of(L)->declarations, record);
  if (!lua_isinteger(L, 2)) return sinew_model_morph_name(model, morph_check(L, model, luaL_checkstring(L, 2)));
  lua_Integer number = lua_tointeger(L, 2);
  int count = sinew_model_morph_count(model);
  if (number < 1 || number > count)
    luaL_error(L, "no morph target %I: they have names, or numbers from 1 to %d", number, count);
  return sinew_model_morph_name(model, (int)number - 1);
}

static actor_record *morphs_owner(lua_State *L) {
  actor_handle *handle = api_check(L, 1, "actor_morphs");
  actor_record *record = declarations_actor_near(&scene_of(L)->declarations, handle->id, &handle->hint);
  if (!record) actor_gone(L, handle->id);
  return record;
}

static int morphs_index(lua_State *L) {
  if (queue_holds(L, 1)) return lua_pushinteger(L, 0), 1;
  const actor_record *record = morphs_owner(L);
  const char *name = read_morph(L, record);
  lua_pushnumber(L, declarations_get_morph(&scene_of(L)->declarations, record, name));
  return 1;
}

static int morphs_newindex(lua_State *L) {
  sinew_error error;
  if (queue_holds(L, 1)) {
    lua_settop(L, 3);
    lua_pushcfunction(L, morphs_newindex);
    queue_set(L);
    return 0;
  }
  call_lock_check(L, "actor.morphs");
  actor_record *record = morphs_owner(L);
  const char *name = read_morph(L, record);
  const char *what = lua_pushfstring(L, "actor.morphs.%s", name);
  api_check_value(L, 3, "number", 6, what);
  note_percent(L, what, lua_tonumber(L, 3));
  budget_charge(L, record->parts[PART_MORPHS].count); /* a load compares the value with each of them */
  scene_note_line(L);
  note_change(L, record, SINEW_NOTE_MORPH, what);
  if (!declarations_set_morph(&scene_of(L)->declarations, record, name, lua_tonumber(L, 3), &error)) {
    return luaL_error(L, "%s", error.message);
  }
  return 0;
}

static void get_morphs(lua_State *L, const api_entry *entry) {
  const actor_record *record = actor_check(L, 1);
  if (api_push_part(L, entry->name)) return;
  actor_handle *handle = lua_newuserdatauv(L, sizeof *handle, 0);
  *handle = (actor_handle){.id = record->head.id};
  if (luaL_newmetatable(L, "actor_morphs")) {
    lua_pushcfunction(L, morphs_index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, morphs_newindex);
    lua_setfield(L, -2, "__newindex");
    lua_pushliteral(L, "morphs");
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  api_keep_part(L, entry->name);
}

/* ---- methods ---- */

static int call_play(lua_State *L) { return actor_play(L, actor_check(L, 1), 0, 2, 3); }

int refuse_while_loading(lua_State *L, const char *what, const char *instead) {
  if (!scene_of(L)->declarations.loading) return 0;
  return luaL_error(L, "%s cannot be called at the top level of a scene: %s, or call it from sinew.update or a handler",
                    what, instead);
}

static int call_stop(lua_State *L) {
  declarations *all = &scene_of(L)->declarations;
  const actor_record *record = actor_check(L, 1);
  double fade = luaL_optnumber(L, 2, sinew_play_def_default().fade);
  refuse_while_loading(L, "actor:stop", "leave the play out");
  for (int layer = 0; layer < sinew_actor_layer_count(all->stage, record->actor); layer++) {
    for (int i = sinew_actor_action_count(all->stage, record->actor, layer) - 1; i >= 0; i--) {
      sinew_action_stop(all->stage, sinew_actor_action(all->stage, record->actor, layer, i), fade);
    }
  }
  return 0;
}

static int call_remove(lua_State *L) {
  actor_record *record = actor_check(L, 1);
  refuse_while_loading(L, "actor:remove", "take its declaration out");
  declarations_forget_actor(&scene_of(L)->declarations, record);
  return 0;
}

/* Before the first evaluation a new actor stands in its rest pose. */
static sinew_mat3x4 rest_matrix(const sinew_model *model, int joint) {
  sinew_transform rest = sinew_model_joint_rest(model, joint);
  sinew_mat3x4 matrix = sinew_mat3x4_from_transform(&rest);
  for (int parent = sinew_model_joint_parent(model, joint); parent >= 0;
       parent = sinew_model_joint_parent(model, parent)) {
    rest = sinew_model_joint_rest(model, parent);
    sinew_mat3x4 above = sinew_mat3x4_from_transform(&rest);
    matrix = sinew_mat3x4_multiply(&above, &matrix);
  }
  return matrix;
}

/* The joints of a model that is still loading count as being at the actor's position. */
static int call_joint(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  const actor_record *record = actor_check(L, 1);
  if (queue_holds(L, 1)) {
    sinew_vec3 at = declarations_actor_values(all, record).position.translation;
    vector_push(L, &at.x, 3);
    return 1;
  }
  const sinew_model *model = declarations_actor_model(all, record);
  int joint = joint_check(L, model, 2);
  const sinew_mat3x4 *joints = model == record->model ? sinew_actor_joints(all->stage, record->actor) : NULL;
  sinew_mat3x4 matrix = joints ? joints[joint] : rest_matrix(model, joint);
  sinew_transform position = declarations_actor_values(all, record).position;
  sinew_mat3x4 world_matrix = sinew_mat3x4_from_transform(&position);
  sinew_vec3 at = sinew_mat3x4_transform_point(&world_matrix, (sinew_vec3){matrix.m[3], matrix.m[7], matrix.m[11]});
  vector_push(L, &at.x, 3);
  return 1;
}

const api_entry api_actor_entries[] = {
    {"sinew", "actor", API_FUNCTION, "name: actor_name, model?: model|string, options?: actor_options", "actor",
     "Declares an actor. With the name alone it finds an existing actor; a file name alone (\"hero.glb\") declares an "
     "actor named after the file.",
     .call = call_actor, .cost = 2000},
    {"actor", "name", API_FIELD, "string", "", "Its name.", .get = get_name},
    {"actor", "model", API_FIELD, "model", "", "Its model.", .get = get_model},
    {"actor", "line", API_FIELD, "string", "", "The line that declared it, \"scene.lua:12\".", .get = get_line},
    {"actor", "position", API_FIELD, "vec3", "", "Its position in metres, in world space.", .get = get_field,
     .set = set_field},
    {"actor", "rotation", API_FIELD, "rotation", "",
     "A quaternion {x, y, z, w}; you may also assign a number, the angle about y in radians.", .get = get_field,
     .set = set_field},
    {"actor", "scale", API_FIELD, "vec3|positive", "", "Its scale; you may also assign one number.", .get = get_field,
     .set = set_field},
    {"actor", "visible", API_FIELD, "boolean", "", "Whether it is drawn; a hidden actor still moves.", .get = get_field,
     .set = set_field},
    {"actor", "opacity", API_FIELD, "fraction", "", "0 (invisible) to 1 (opaque).", .get = get_field, .set = set_field},
    {"actor", "skinning", API_FIELD, "skinning", "",
     "How the skin follows the joints: \"linear\", or \"dual_quaternion\", which keeps the volume of twisting limbs.",
     .get = get_field, .set = set_field},
    {"actor", "morphs", API_FIELD, "sinew.Morphs", "", "Weights of morph targets by name: actor.morphs.Smile = 1.",
     .get = get_morphs},
    {"actor", "play", API_METHOD, "clip: clip, options?: play_options", "action",
     "Plays a clip. It crossfades from whatever the layer plays; with a weight it joins the blend instead.",
     .call = call_play, .cost = 200, .waits = true},
    {"actor", "stop", API_METHOD, "fade?: seconds", "",
     "Fades out all its actions in that many seconds, default "
     "0.2.",
     .call = call_stop, .waits = true},
    {"actor", "joint", API_METHOD, "joint: joint", "vec3", "The position of a joint in the last frame, in world space.",
     .call = call_joint},
    {"actor", "remove", API_METHOD, "", "", "Removes it from the stage.", .call = call_remove},
    {0}};
