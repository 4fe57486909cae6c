/* Requests for models: finds their files, and reads their options. */
#include "api/model/model_request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A string that lives as long as the table at `keep`. */
static const char *keep_in(lua_State *L, int keep, int index) {
  lua_pushvalue(L, index);
  lua_rawseti(L, keep, (lua_Integer)lua_rawlen(L, keep) + 1);
  return lua_tostring(L, index);
}

/* A string that outlives the call: a table in the request's user value keeps it alive. */
static const char *keep_text(lua_State *L, int index) {
  lua_getiuservalue(L, REQUEST_INDEX, 1);
  const char *text = keep_in(L, lua_gettop(L), index);
  lua_pop(L, 1);
  return text;
}

/* The files stay in a userdata until all are found: otherwise a Lua error would leak them. */
static bool find_clips(lua_State *L, model_request *r, int list, file_names *files, sinew_error *error) {
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, list); i++) {
    if (lua_rawgeti(L, list, i) != LUA_TSTRING)
      return declarations_fail(error,
                               "clips must be a list of names of files, folders or patterns such as \"pack/*.fbx\"");
    if (!scene_resolve_all(scene_of(L), lua_tostring(L, -1), "assets", files, error)) return false;
    if (r->wanted_count < REQUEST_CLIPS) r->wanted[r->wanted_count++] = keep_text(L, lua_gettop(L));
    lua_pop(L, 1);
  }
  return true;
}

/* The model itself may be among the files of a pattern. */
static bool is_model(const model_request *r, const file_names *files, const char *path) {
  return files->from_pattern && strcmp(path, r->path) == 0;
}

enum { TEXT = 1 << 18 };

static bool read_clips(lua_State *L, model_request *r, sinew_error *error) {
  if (!option_push(L, 2, "clips")) return true;
  int list = lua_gettop(L);
  file_names files = {.text = lua_newuserdatauv(L, TEXT, 0), .size = TEXT};
  if (!find_clips(L, r, list, &files, error)) return false;
  const char *path = files.text;
  for (int i = 0; i < files.count; i++, path += strlen(path) + 1) {
    if (is_model(r, &files, path)) continue;
    if (r->options.clip_file_count == REQUEST_CLIPS)
      return declarations_fail(error, "clips: more than %d files", REQUEST_CLIPS);
    lua_pushstring(L, path);
    r->clips[r->options.clip_file_count++] = keep_text(L, lua_gettop(L));
    lua_pop(L, 1);
  }
  r->options.skip_unfit_clip_files = files.from_pattern;
  lua_settop(L, list - 1);
  return true;
}

int joint_pairs_read(lua_State *L, int map, int keep, sinew_joint_pair *pairs, sinew_error *error) {
  int count = 0;
  lua_pushnil(L);
  while (lua_next(L, map)) {
    bool none = lua_isboolean(L, -1) && !lua_toboolean(L, -1);
    int at = count++;
    if (at == REQUEST_PAIRS) {
      declarations_fail(error, "map: more than %d joints", REQUEST_PAIRS);
      return -1;
    }
    if (lua_type(L, -2) != LUA_TSTRING || (!none && lua_type(L, -1) != LUA_TSTRING)) {
      declarations_fail(error, "map is a table such as { [\"their joint\"] = \"our joint\", [\"another\"] = false }");
      return -1;
    }
    int top = lua_gettop(L);
    sinew_joint_pair pair = {keep_in(L, keep, top - 1), none ? NULL : keep_in(L, keep, top)};
    for (; at > 0 && strcmp(pairs[at - 1].theirs, pair.theirs) > 0; at--) pairs[at] = pairs[at - 1];
    pairs[at] = pair;
    lua_pop(L, 1);
  }
  return count;
}

static bool read_map(lua_State *L, model_request *r, sinew_error *error) {
  if (!option_push(L, 2, "map")) return true;
  int map = lua_gettop(L);
  lua_getiuservalue(L, REQUEST_INDEX, 1);
  r->options.map_count = joint_pairs_read(L, map, map + 1, r->map, error);
  lua_settop(L, map - 1);
  for (int i = 0, used = 0; i < r->options.map_count && used < (int)sizeof r->values.map; i++)
    used += snprintf(r->values.map + used, sizeof r->values.map - (size_t)used, "%s%s = %s", i ? ", " : "",
                     r->map[i].theirs, r->map[i].ours ? r->map[i].ours : "false");
  return r->options.map_count >= 0;
}

/* In the order of their names, so that equal roles have equal keys. */
static bool read_roles(lua_State *L, model_request *r, sinew_error *error) {
  if (!option_push(L, 2, "roles")) return true;
  int table = lua_gettop(L), *count = &r->options.role_count, used = 0;
  lua_getiuservalue(L, REQUEST_INDEX, 1);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
      return declarations_fail(error, "roles is a table such as { left_foot = \"Foot.L\", right_foot = \"Foot.R\" }");
    if (*count == REQUEST_ROLES) return declarations_fail(error, "roles: more than %d", REQUEST_ROLES);
    int at = (*count)++, top = lua_gettop(L);
    sinew_joint_role role = {keep_in(L, table + 1, top - 1), keep_in(L, table + 1, top)};
    for (; at > 0 && strcmp(r->roles[at - 1].role, role.role) > 0; at--) r->roles[at] = r->roles[at - 1];
    r->roles[at] = role;
  }
  lua_settop(L, table - 1);
  for (int i = 0; i < *count && used < (int)sizeof r->values.roles; i++)
    used += snprintf(r->values.roles + used, sizeof r->values.roles - (size_t)used, "%s%s = %s", i ? ", " : "",
                     r->roles[i].role, r->roles[i].joint);
  return true;
}

static const char *option_text(lua_State *L, int index, const char *name) {
  if (!option_push(L, index, name)) return NULL;
  const char *text = keep_text(L, lua_gettop(L));
  lua_pop(L, 1);
  return text;
}

static void read_edit(lua_State *L, sinew_clip_edit *edit) {
  int index = lua_gettop(L);
  *edit = sinew_clip_edit_default();
  edit->clip = option_text(L, index, "clip");
  edit->name = option_text(L, index, "name");
  edit->from = option_number(L, index, "from", edit->from);
  edit->to = option_number(L, index, "to", edit->to);
  edit->reverse = flag_option(L, index, "reverse", false);
  edit->loop = flag_option(L, index, "loop", false);
  edit->mirror = flag_option(L, index, "mirror", false);
}

static bool read_edits(lua_State *L, model_request *r, sinew_error *error) {
  if (!option_push(L, 2, "edits")) return true;
  int list = lua_gettop(L);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, list); i++) {
    if (r->options.edit_count == REQUEST_EDITS) return declarations_fail(error, "edits: more than %d", REQUEST_EDITS);
    lua_rawgeti(L, list, i);
    const char *what = lua_pushfstring(L, "sinew.model: 'options'.edits[%d]", (int)i);
    api_check_value(L, list + 1, "clip_edit", 9, what);
    lua_settop(L, list + 1);
    read_edit(L, &r->edits[r->options.edit_count++]);
    lua_settop(L, list);
  }
  lua_settop(L, list - 1);
  return true;
}

/* "z" is short for "+z". */
static const char *find_axis(const char *text, char axis[AXIS_SIZE]) {
  snprintf(axis, AXIS_SIZE, "%s%s", text[0] && !text[1] ? "+" : "", text);
  return text[0] ? axis : NULL;
}

static bool read_all(lua_State *L, model_request *r, sinew_error *error) {
  r->options = sinew_load_options_default();
  r->values = (model_values){.unit = (double)NAN, .influences = r->options.max_influences};
  fields_read(L, 2, &kind_model, "sinew.model", &r->values);
  r->options.unit = isnan(r->values.unit) ? 0 : r->values.unit;
  r->options.max_influences = r->values.influences;
  r->options.exact = r->values.exact;
  r->options.retarget = r->values.retarget;
  r->options.up = find_axis(r->values.up, r->up);
  r->options.front = find_axis(r->values.front, r->front);
  if (!scene_resolve(scene_of(L), lua_tostring(L, 1), "assets", r->path, error)) return false;
  if (!read_clips(L, r, error) || !read_map(L, r, error) || !read_roles(L, r, error) || !read_edits(L, r, error))
    return false;
  r->options.clip_files = r->clips;
  r->options.map = r->map;
  r->options.roles = r->roles;
  r->options.edits = r->edits;
  return true;
}

model_request *request_push(lua_State *L, sinew_error *error) {
  lua_settop(L, 2);
  model_request *r = lua_newuserdatauv(L, sizeof *r, 1);
  memset(r, 0, sizeof *r);
  lua_newtable(L);
  lua_setiuservalue(L, REQUEST_INDEX, 1);
  r->wait = !option_push(L, 2, "wait") || lua_toboolean(L, -1) || scene_of(L)->def.always_wait;
  lua_settop(L, REQUEST_INDEX);
  return read_all(L, r, error) ? r : NULL;
}

/* ---- keys ---- */

/* Pushes the stamp of a file, which changes when the file does. */
static void push_stamp(lua_State *L, const char *path) {
  struct stat info = {0};
  sinew_answer answer;
  size_t size;
  if (sinew_host_recall(scene_of(L)->host, "stamp", path, SINEW_RECALL_LAST, &answer)) {
    lua_pushlstring(L, answer.data, answer.size);
    return;
  }
  stat(path, &info);
  lua_pushfstring(L, "%I|%I.%I", (LUAI_UACINT)info.st_size, (LUAI_UACINT)info.st_mtim.tv_sec,
                  (LUAI_UACINT)info.st_mtim.tv_nsec);
  const char *stamp = lua_tolstring(L, -1, &size);
  outside_note_text(scene_of(L), "stamp", path, stamp, size);
}

/* The buffer may occupy a stack slot, so the stamp is pushed directly before it is added. */
static void add_file(lua_State *L, luaL_Buffer *b, const char *path, bool stamped) {
  lua_pushfstring(L, "%s|", path);
  luaL_addvalue(b);
  if (stamped) push_stamp(L, path);
  else lua_pushliteral(L, "");
  luaL_addvalue(b);
  luaL_addchar(b, ';');
}

static void add_edit(lua_State *L, luaL_Buffer *b, const sinew_clip_edit *e) {
  lua_pushfstring(L, "%s|%s|%f|%f|%d%d%d;", e->clip ? e->clip : "", e->name ? e->name : "", e->from, e->to, e->reverse,
                  e->loop, e->mirror);
  luaL_addvalue(b);
}

void request_push_key(lua_State *L, const model_request *r, bool stamped) {
  const sinew_load_options *o = &r->options;
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  luaL_addstring(&b, stamped ? "stamped " : "");
  add_file(L, &b, r->path, stamped);
  for (int i = 0; i < o->clip_file_count; i++) add_file(L, &b, r->clips[i], stamped);
  for (int i = 0; i < o->map_count; i++) {
    lua_pushfstring(L, "%s>%s;", o->map[i].theirs, o->map[i].ours ? o->map[i].ours : "");
    luaL_addvalue(&b);
  }
  for (int i = 0; i < o->role_count; i++) {
    lua_pushfstring(L, "%s=%s;", o->roles[i].role, o->roles[i].joint);
    luaL_addvalue(&b);
  }
  for (int i = 0; i < o->edit_count; i++) add_edit(L, &b, &o->edits[i]);
  char values[REQUEST_OPTIONS];
  sinew_load_options_text(o, values, sizeof values);
  luaL_addstring(&b, values);
  luaL_pushresult(&b);
}

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

bool request_has_file(const model_request *r, const char *path) {
  if (same(r->path, path)) return true;
  for (int i = 0; i < r->options.clip_file_count; i++)
    if (same(r->clips[i], path)) return true;
  return false;
}

static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) : 0;
}

bool request_has_folder(const model_request *r, const char *path) {
  size_t length = strlen(path);
  for (int i = 0; i < r->options.clip_file_count && r->options.skip_unfit_clip_files; i++)
    if (folder_length(r->clips[i]) == length && memcmp(r->clips[i], path, length) == 0) return true;
  return false;
}

bool request_finds_more(lua_State *L, const model_request *r) {
  file_names files = {.text = lua_newuserdatauv(L, TEXT, 0), .size = TEXT};
  const char *path = files.text;
  sinew_error error;
  bool more = false;
  for (int i = 0; i < r->wanted_count; i++)
    if (!scene_resolve_all(scene_of(L), r->wanted[i], "assets", &files, &error)) break;
  for (int i = 0; i < files.count; i++, path += strlen(path) + 1) more = more || !request_has_file(r, path);
  lua_pop(L, 1);
  return more;
}

void request_watch(lua_State *L, const model_request *r) {
  char folder[SCENE_PATH] = "";
  scene_watch(scene_of(L), r->path);
  for (int i = 0; i < r->options.clip_file_count; i++) {
    size_t length = folder_length(r->clips[i]);
    scene_watch(scene_of(L), r->clips[i]);
    if (!r->options.skip_unfit_clip_files || length == 0 || length >= sizeof folder ||
        (strlen(folder) == length && memcmp(folder, r->clips[i], length) == 0))
      continue;
    memcpy(folder, r->clips[i], length);
    folder[length] = '\0';
    scene_watch(scene_of(L), folder);
  }
}
