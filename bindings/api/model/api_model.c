#include "api/model/model_request.h"
#include "declare/kinds/declared_crowd.h"

#include <sinew/graph.h>

#include <math.h>
#include <string.h>

/* Finding a name compares it with all joints or all clips. */
enum { CANDIDATES = 512, MODELS_AT_ONCE = 256, PATH_COST = 10, JOINT_COST = 30, ROLE_COST = 200 };

sinew_model *model_check(lua_State *L, int index) {
  sinew_model **box = luaL_checkudata(L, index, "model");
  if (!*box) luaL_error(L, "the model has been freed");
  return *box;
}

void model_push(lua_State *L, sinew_model *model) {
  lua_Integer key = -(lua_Integer)(uintptr_t)model; /* negative: the ids of actors and layers are above 0 */
  if (api_push_known(L, key)) return;
  sinew_model **box = api_new(L, "model", sizeof *box, ++scene_of(L)->declarations.next_id);
  *box = sinew_model_retain(model);
  api_remember(L, key);
}

static void settle(lua_State *L, sinew_model *stand_in, sinew_model *model) {
  if (!api_push_known(L, -(lua_Integer)(uintptr_t)stand_in)) return;
  sinew_model **box = lua_touserdata(L, -1);
  if (*box == stand_in) { /* an earlier wait has not already replaced it */
    *box = sinew_model_retain(model);
    sinew_model_release(stand_in);
    api_remember(L, -(lua_Integer)(uintptr_t)model);
  }
  lua_pop(L, 1);
}

typedef struct settlement {
  sinew_model *stand_in, *model;
} settlement;

static int settle_protected(lua_State *L) {
  const settlement *s = lua_touserdata(L, 1);
  settle(L, s->stand_in, s->model);
  return 0;
}

void model_settle(sinew_scene *scene, sinew_model *stand_in, sinew_model *model) {
  scene_protect(scene, settle_protected, &(settlement){stand_in, model});
}

/* Not api_test, which asks the scene: finalizers also run once that has been closed. */
static void release_at(lua_State *L, int index) {
  sinew_model **box = luaL_testudata(L, index, "model");
  if (!box) return;
  sinew_model_release(*box);
  *box = NULL;
}

int model_release(lua_State *L) {
  release_at(L, 1);
  return 0;
}

void models_close(lua_State *L) {
  api_push_objects(L);
  int all = lua_gettop(L);
  lua_pushnil(L);
  while (lua_istable(L, all) && lua_next(L, all)) {
    release_at(L, -1);
    lua_pop(L, 1);
  }
  lua_settop(L, all - 1);
  retarget_close(L);
}

/* ---- loading ---- */

/* The request is at REQUEST_INDEX; above it are its keys, with and without the state of its files. */
enum { STAMPED_INDEX = REQUEST_INDEX + 1, KEY_INDEX };

/* Pushes the epoch's model with that key. */
static bool push_known(lua_State *L, void (*push_models)(lua_State *L, const char *field), int key) {
  push_models(L, "models");
  if (lua_istable(L, -1)) {
    lua_pushvalue(L, key);
    if (lua_rawget(L, -2) == LUA_TUSERDATA) return model_check(L, -1) != NULL;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return false;
}

/* The model on the top. */
static void remember(lua_State *L) {
  epoch_push(L, "models");
  for (int key = STAMPED_INDEX; key <= KEY_INDEX; key++) {
    lua_pushvalue(L, key);
    lua_pushvalue(L, -3);
    lua_rawset(L, -3);
  }
  lua_pop(L, 1);
}

static sinew_model **push_box(lua_State *L) {
  sinew_model **box = api_new(L, "model", sizeof *box, ++scene_of(L)->declarations.next_id);
  lua_pushvalue(L, REQUEST_INDEX);
  lua_setiuservalue(L, -2, 2);
  return box;
}

/* Whether the model at the top can be used: a model whose load failed is requested again. */
static bool is_usable(lua_State *L, const model_request *r, sinew_error *error) {
  sinew_scene *scene = scene_of(L);
  sinew_model **box = lua_touserdata(L, -1);
  model_load *l = load_find(scene, *box);
  if (!l) return true;
  if (l->failed) return false;
  if (!r->wait) return true;
  const sinew_model *model = load_wait(scene, l, error);
  if (model) settle(L, *box, (sinew_model *)(uintptr_t)model);
  return model != NULL;
}

/* Keeps the old model of a request whose files have changed until the new one is loaded. */
static bool push_old(lua_State *L, const model_request *r) {
  sinew_error error;
  const char *key = lua_tostring(L, KEY_INDEX);
  if (!push_known(L, epoch_push_current, KEY_INDEX) || load_find(scene_of(L), *(sinew_model **)lua_touserdata(L, -1)))
    return false;
  return load_is_under_way(scene_of(L), key) || load_anew(scene_of(L), r, key, &error);
}

static bool push_new(lua_State *L, const model_request *r, sinew_error *error) {
  sinew_scene *scene = scene_of(L);
  budget_charge(L, scene->def.instruction_limit / MODELS_AT_ONCE); /* the clock restarts after an import */
  sinew_model **box = push_box(L);
  *box = load_take(scene, lua_tostring(L, KEY_INDEX));
  if (!*box && r->wait) {
    *box = load_now(scene, r, lua_tostring(L, KEY_INDEX), error);
  } else if (!*box) {
    sinew_model *stand_in = load_behind(scene, r, lua_tostring(L, KEY_INDEX), error);
    if (stand_in) *box = sinew_model_retain(stand_in);
  }
  if (!*box) return false;
  api_remember(L, -(lua_Integer)(uintptr_t)*box);
  scene_watch_sources(scene, *box);
  return true;
}

/* Pushes the model, or returns false and an error message. */
static bool load(lua_State *L, sinew_error *error) {
  error->message[0] = 0;
  model_request *r = request_push(L, error);
  if (!r) return false;
  request_watch(L, r);
  declarations_ask_model(&scene_of(L)->declarations, r->path, &r->values);
  request_push_key(L, r, true);
  request_push_key(L, r, false);
  /* when a model arrived that a recording lacks, nobody knows */
  r->wait |= sinew_host_is_edited(scene_of(L)->host) && !load_was_begun(scene_of(L), lua_tostring(L, KEY_INDEX));
  bool ready = load_take_is_there(scene_of(L), lua_tostring(L, KEY_INDEX));
  bool found = push_known(L, epoch_push, STAMPED_INDEX) || (!ready && push_known(L, epoch_push_current, STAMPED_INDEX));
  found = found && is_usable(L, r, error);
  if (!found && error->message[0]) return false;
  if (!found && !ready && !r->wait) found = push_old(L, r);
  if (!found && !push_new(L, r, error)) return false;
  remember(L);
  return true;
}

/* The request of the model at the top. */
static const model_request *request_of(lua_State *L) {
  lua_getiuservalue(L, -1, 2);
  const model_request *r = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return r;
}

/* A replayed model does not know its sources. */
static bool is_made_of(lua_State *L, const model_request *r, const char *key, const char *path) {
  const sinew_scene *scene = scene_of(L);
  const sinew_model *model = model_check(L, -1);
  sinew_answer answer;
  if (request_has_file(r, path)) return true;
  const char *question = lua_pushfstring(L, "%s of %s", path, key);
  bool is = sinew_host_recall(scene->host, "part", question, SINEW_RECALL_NOW, &answer) && answer.size > 2;
  for (int i = 0; i < sinew_model_source_count(model); i++) is |= strcmp(sinew_model_source(model, i), path) == 0;
  if (!sinew_host_is_replay(scene->host)) outside_note_text(scene, "part", question, is ? "yes" : "no", is ? 3 : 2);
  lua_pop(L, 1);
  return is;
}

bool model_file_changed(lua_State *L, const char *path, bool reads) {
  bool any = false;
  epoch_push_current(L, "models");
  int models = lua_gettop(L);
  lua_pushnil(L);
  while (lua_istable(L, models) && lua_next(L, models)) {
    sinew_error error;
    const model_request *r = request_of(L);
    if (strncmp(lua_tostring(L, -2), "stamped ", 8) != 0 &&
        (is_made_of(L, r, lua_tostring(L, -2), path) || (!reads && request_has_folder(r, path)))) {
      any = !reads || load_anew(scene_of(L), r, lua_tostring(L, -2), &error) || any;
    }
    lua_pop(L, 1);
  }
  return any;
}

folder_news model_folder_changed(lua_State *L, const char *path) {
  folder_news news = FOLDER_OF_NONE;
  epoch_push_current(L, "models");
  int models = lua_gettop(L);
  lua_pushnil(L);
  while (lua_istable(L, models) && lua_next(L, models)) {
    const model_request *r = request_of(L);
    if (request_has_folder(r, path)) {
      bool more = news == FOLDER_HAS_MORE || request_finds_more(L, r);
      news = more ? FOLDER_HAS_MORE : FOLDER_AS_IT_WAS;
    }
    lua_pop(L, 1);
  }
  return news;
}

/* ---- models kept for revival ---- */

static bool is_kept(const declarations *all, const sinew_model *model) {
  bool kept = false;
  for (int i = 0; !kept && i < all->actors.count; i++)
    kept = declaration_is_kept(all->actors.items[i]) && actor_at(all, i)->model == model;
  for (int i = 0; !kept && i < all->crowds.count; i++)
    kept = declaration_is_kept(all->crowds.items[i]) && crowd_at(all, i)->last.model == model;
  return kept;
}

int models_keep(lua_State *L) {
  epoch_push(L, "models");
  epoch_push_current(L, "models");
  int next = lua_gettop(L) - 1, last = next + 1;
  lua_pushnil(L);
  while (lua_istable(L, last) && lua_next(L, last)) {
    lua_pushvalue(L, -2);
    bool known = lua_rawget(L, next) != LUA_TNIL;
    lua_pop(L, 1);
    if (!known && is_kept(&scene_of(L)->declarations, model_check(L, -1))) {
      lua_pushvalue(L, -2);
      lua_pushvalue(L, -2);
      lua_rawset(L, next);
    }
    lua_pop(L, 1);
  }
  return 0;
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

/* ---- the content of a model ---- */

static int call_clips(lua_State *L) {
  const sinew_model *model = model_check(L, 1);
  lua_newtable(L);
  for (int i = 0; i < sinew_model_clip_count(model); i++) {
    lua_pushstring(L, sinew_clip_name(sinew_model_clip(model, i)));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* Distinguishing a joint from others with its name means visiting those. */
const char *joint_push(lua_State *L, const sinew_model *model, int joint) {
  char path[SINEW_JOINT_PATH];
  budget_charge(L, PATH_COST);
  sinew_model_joint_path(model, joint, path, sizeof path);
  return lua_pushstring(L, path);
}

static int call_joints(lua_State *L) {
  const sinew_model *model = model_check(L, 1);
  budget_charge(L, (int64_t)sinew_model_joint_count(model) * JOINT_COST);
  lua_newtable(L);
  for (int i = 1; i < sinew_model_joint_count(model); i++) { /* 0 is the virtual root */
    joint_push(L, model, i);
    lua_rawseti(L, -2, i);
  }
  return 1;
}

int morph_check(lua_State *L, const sinew_model *model, const char *name) {
  const char *names[CANDIDATES];
  int morph = sinew_model_find_morph(model, name), count = 0;
  if (morph >= 0) return morph;
  for (; count < CANDIDATES && count < sinew_model_morph_count(model); count++)
    names[count] = sinew_model_morph_name(model, count);
  return api_unknown(L, "no morph target", name, "", names, count);
}

static int call_morphs(lua_State *L) {
  const sinew_model *model = model_check(L, 1);
  int count = sinew_model_morph_count(model);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, sinew_model_morph_name(model, i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static model_load *load_of(lua_State *L) { return load_find(scene_of(L), model_check(L, 1)); }

static int call_wait(lua_State *L) {
  sinew_error error;
  model_load *l = load_of(L);
  lua_settop(L, 1);
  if (!l) return 1;
  const sinew_model *model = load_wait(scene_of(L), l, &error);
  if (!model) return luaL_error(L, "model:wait: %s", error.message);
  settle(L, l->stand_in, (sinew_model *)(uintptr_t)model);
  return 1;
}

static void get_loaded(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushboolean(L, !load_of(L));
}

static void get_problem(lua_State *L, const api_entry *entry) {
  const model_load *l = load_of(L);
  (void)entry;
  if (l && l->failed) lua_pushstring(L, l->problem);
  else lua_pushnil(L);
}

static int call_duration(lua_State *L) {
  sinew_model *model = model_check(L, 1);
  if (load_of(L)) return lua_pushinteger(L, 0), 1;
  lua_pushnumber(L, sinew_clip_duration(sinew_model_clip(model, clip_check(L, model, 2))));
  return 1;
}

static int call_velocity(lua_State *L) {
  sinew_model *model = model_check(L, 1);
  sinew_vec3 velocity = {0, 0, 0};
  bool known = !load_of(L) && clip_velocity(L, model, clip_check(L, model, 2), &velocity);
  if (known) vector_push(L, &velocity.x, 3);
  else lua_pushnil(L);
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

/* A number from 1 to `count`. */
static int number_check(lua_State *L, const sinew_model *model, int index, int count, const char *what) {
  lua_Integer number = lua_tointeger(L, index);
  if (number < 1 || number > count)
    return luaL_error(L, "no %s %I in %s: they have names, or numbers from 1 to %d", what, number,
                      file_name(sinew_model_path(model)), count);
  return (int)number;
}

/* Suggests a remedy if there are no clips: the hero's clips fit other skeletons. */
static int no_clips(lua_State *L, const sinew_model *model, const char *name) {
  const char *file = file_name(sinew_model_path(model));
  return luaL_error(
      L, "no clip '%s' in %s, which has no clips; to use the hero's: sinew.model(\"%s\", { clips = { \"hero.glb\" } })",
      name, file, file);
}

int clip_check(lua_State *L, sinew_model *model, int index) {
  const char *names[CANDIDATES];
  int count = sinew_model_clip_count(model);
  if (lua_type(L, index) == LUA_TNUMBER) return number_check(L, model, index, count, "clip") - 1;
  const char *name = lua_tostring(L, index);
  int clip = sinew_model_find_clip(model, name);
  if (clip >= 0) return clip;
  if (count == 0) return no_clips(L, model, name);
  if (count > CANDIDATES) count = CANDIDATES;
  for (int i = 0; i < count; i++) names[i] = sinew_clip_name(sinew_model_clip(model, i));
  lua_pushfstring(L, " in %s", file_name(sinew_model_path(model)));
  return api_unknown(L, "no clip", name, lua_tostring(L, -1), names, count);
}

/* ---- joints and roles ---- */

/* Numbers as in model:joints, which leaves out the virtual root. */
int joint_check(lua_State *L, const sinew_model *model, int index) {
  const char *names[CANDIDATES];
  int count = sinew_model_joint_count(model);
  if (lua_type(L, index) == LUA_TNUMBER) return number_check(L, model, index, count - 1, "joint");
  const char *name = lua_tostring(L, index);
  if (!name) return luaL_error(L, "a joint is given by its name or its number (got %s)", luaL_typename(L, index));
  int joint = sinew_model_find_joint(model, name);
  if (joint >= 0) return joint;
  if (count > CANDIDATES) count = CANDIDATES;
  for (int i = 0; i < count; i++) names[i] = sinew_model_joint_name(model, i);
  lua_pushfstring(L, " in %s", file_name(sinew_model_path(model)));
  return api_unknown(L, "no joint", name, lua_tostring(L, -1), names, count);
}

/* Analyses every name, which is slow compared with an instruction of Lua. */
void roles_find(lua_State *L, const sinew_model *model, int joints[SINEW_ROLES]) {
  budget_charge(L, (int64_t)sinew_model_joint_count(model) * ROLE_COST);
  if (!sinew_model_roles(model, joints)) luaL_error(L, "not enough memory for the roles of a model's joints");
}

int joint_of_role(lua_State *L, const sinew_model *model, sinew_role role, const char *what) {
  int joints[SINEW_ROLES];
  roles_find(L, model, joints);
  if (joints[role] >= 0) return joints[role];
  return luaL_error(
      L,
      "%s: the %s of this model is not known: name the joint, or say it for everything with roles = { %s = … } in "
      "sinew.model",
      what, sinew_role_name(role), sinew_role_name(role));
}

static int call_roles(lua_State *L) {
  const sinew_model *model = model_check(L, 1);
  int joints[SINEW_ROLES];
  roles_find(L, model, joints);
  lua_createtable(L, 0, SINEW_ROLES);
  for (int i = 0; i < SINEW_ROLES; i++) {
    if (joints[i] < 0) continue;
    joint_push(L, model, joints[i]);
    lua_setfield(L, -2, sinew_role_name((sinew_role)i));
  }
  return 1;
}

const api_entry api_model_entries[] = {
    {"sinew", "model", API_FUNCTION, "path: string, options?: model_options", "model",
     "Loads a model from the scene's folder or from Sinew's assets. Raises an error if it cannot be read. With { wait "
     "= false } the scene runs while it loads; calls on its actors are queued until then.",
     .call = call_model, .cost = 2000},
    {"sinew", "try_model", API_FUNCTION, "path: string, options?: model_options", "model?, string?",
     "Like sinew.model, but returns nil and the reason instead of raising an error.", .call = call_try_model,
     .cost = 2000},
    {"model", "path", API_FIELD, "string", "", "The file it was loaded from.", .get = get_path},
    {"model", "loaded", API_FIELD, "boolean", "", "Whether it is loaded.", .get = get_loaded},
    {"model", "problem", API_FIELD, "string|nil", "", "Why it could not be loaded in the background, or nil.",
     .get = get_problem},
    {"model", "wait", API_METHOD, "", "model",
     "Waits until it is loaded, and returns it. Raises an error if it cannot be read.", .call = call_wait},
    {"model", "clips", API_METHOD, "", "string[]", "The names of its clips.", .call = call_clips},
    {"model", "joints", API_METHOD, "", "string[]",
     "The names of its joints, parents before children. If the name alone would mean another joint, a path such as "
     "\"Neck/Head\".",
     .call = call_joints},
    {"model", "roles", API_METHOD, "", "table",
     "Which joints are root (the topmost one that clips animate down to the pelvis), pelvis, head, left_hand, "
     "right_hand, left_foot, right_foot, left_ball and right_ball (the toes), as the option roles says, or else as the "
     "body shows: sinew info --rig gives the reasons. plant, root_motion, find_steps and measure use them if you name "
     "no joints.",
     .call = call_roles, .cost = 2000},
    {"model", "morphs", API_METHOD, "", "string[]", "The names of its morph targets.", .call = call_morphs},
    {"model", "duration", API_METHOD, "clip: clip", "number", "The length of a clip in seconds.",
     .call = call_duration},
    {"model", "velocity", API_METHOD, "clip: clip", "vec3|nil",
     "The velocity of a clip in metres per second, x to the left and z ahead, from its hips or its planted feet. "
     "nil if neither shows one.",
     .call = call_velocity, .cost = 20000},
    {0}};
