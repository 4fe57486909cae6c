/* General functions of the module `sinew`: numbers, input, text. */
#include "core/api.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- numbers ---- */

/* Frame-rate independent smoothing: the remaining distance shrinks by e^(-rate·dt). */
static int call_damp(lua_State *L) {
  double from = lua_tonumber(L, 1), to = lua_tonumber(L, 2), rate = lua_tonumber(L, 3), dt = lua_tonumber(L, 4);
  lua_pushnumber(L, to + (from - to) * sinew_exp(-rate * dt));
  return 1;
}

static int call_clamp(lua_State *L) {
  lua_Number value = lua_tonumber(L, 1), low = lua_tonumber(L, 2), high = lua_tonumber(L, 3);
  lua_pushnumber(L, value < low ? low : value > high ? high : value);
  return 1;
}

static int call_lerp(lua_State *L) {
  float a[3], b[3], t = (float)lua_tonumber(L, 3);
  if (lua_type(L, 1) == LUA_TNUMBER && lua_type(L, 2) == LUA_TNUMBER) {
    lua_pushnumber(L, lua_tonumber(L, 1) + (lua_tonumber(L, 2) - lua_tonumber(L, 1)) * lua_tonumber(L, 3));
    return 1;
  }
  if (!vector_read(L, 1, a, 3) || !vector_read(L, 2, b, 3)) {
    return luaL_error(L, "sinew.lerp: 'from' and 'to' must be two numbers or two vectors");
  }
  for (int i = 0; i < 3; i++) a[i] += (b[i] - a[i]) * t;
  vector_push(L, a, 3);
  return 1;
}

static int call_vec3(lua_State *L) {
  float v[3] = {(float)lua_tonumber(L, 1), (float)lua_tonumber(L, 2), (float)lua_tonumber(L, 3)};
  vector_push(L, v, 3);
  return 1;
}

/* ---- input ---- */

static int call_strength(lua_State *L) {
  lua_pushnumber(L, sinew_host_strength(scene_of(L)->host, lua_tostring(L, 1)));
  return 1;
}

static int call_is_down(lua_State *L) {
  lua_pushboolean(L, sinew_host_is_down(scene_of(L)->host, lua_tostring(L, 1)));
  return 1;
}

static int call_mouse(lua_State *L) {
  float x, y;
  sinew_host_mouse(scene_of(L)->host, &x, &y);
  lua_pushnumber(L, (lua_Number)x);
  lua_pushnumber(L, (lua_Number)y);
  for (int button = 1; button <= 3; button++) lua_pushboolean(L, sinew_host_is_mouse_down(scene_of(L)->host, button));
  return 5;
}

static int call_wheel(lua_State *L) {
  lua_pushnumber(L, (lua_Number)sinew_host_wheel(scene_of(L)->host));
  return 1;
}

/* ---- text ---- */

void scene_print(sinew_scene *scene, sinew_log_level level, const char *line) {
  if (scene->silent) return;
  line = declarations_printable(&scene->declarations, line);
  if (!line) return;
  sinew_host_log(scene->host, level, line);
  if (scene->def.print) {
    scene->def.print(scene->def.print_user, line);
  } else {
    sinew_print(line);
  }
}

static const char *push_line(lua_State *L, int first, int last) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = first; i <= last; i++) {
    if (i > first) luaL_addchar(&b, '\t');
    sandbox_push_text(L, i);
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
  return lua_tostring(L, -1);
}

int api_print(lua_State *L) {
  budget_charge(L, 500); /* the terminal may be slow */
  scene_print(scene_of(L), SINEW_LOG_INFO, push_line(L, 1, lua_gettop(L)));
  return 0;
}

/* ---- fields ---- */

static void get_time(lua_State *L, const api_entry *entry) {
  (void)entry;
  const sinew_scene *scene = scene_of(L);
  lua_pushnumber(L, sinew_host_time(scene->host) - scene->time_before);
}

static void get_frame(lua_State *L, const api_entry *entry) {
  (void)entry;
  const sinew_scene *scene = scene_of(L);
  lua_pushinteger(L, (lua_Integer)(sinew_host_frame(scene->host) - scene->frames_before));
}

static void get_renderer(lua_State *L, const api_entry *entry) {
  (void)entry;
  const sinew_scene *scene = scene_of(L);
  const char *words = sinew_host_renderer(scene->host) ? sinew_host_renderer(scene->host) : "";
  sinew_answer answer;
  bool then = sinew_host_recall(scene->host, "host", "renderer", SINEW_RECALL_LAST, &answer);
  if (!then) outside_note_text(scene, "host", "renderer", words, strlen(words));
  lua_pushlstring(L, then ? answer.data : words, then ? answer.size : strlen(words));
}

static void get_version(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushstring(L, sinew_version());
}

/* Pushes nothing if the selected actor is not one of the scene's. */
static void get_selected(lua_State *L, const api_entry *entry) {
  sinew_actor actor;
  int joint;
  const sinew_scene *scene = scene_of(L);
  (void)entry;
  bool chosen = sinew_host_selected(scene->host, &actor, &joint);
  const char *name = chosen ? sinew_actor_name(scene->declarations.stage, actor) : NULL;
  const actor_record *record = name ? declarations_find_actor(&scene->declarations, name) : NULL;
  if (!record) {
    lua_pushnil(L);
    return;
  }
  lua_createtable(L, 0, 2);
  actor_push(L, record);
  lua_setfield(L, -2, "actor");
  joint_push(L, sinew_actor_model(scene->declarations.stage, actor), joint);
  lua_setfield(L, -2, "joint");
}

static void get_module(lua_State *L, const api_entry *entry) { api_push_module(L, entry->spec); }

static int call_quit(lua_State *L) {
  sinew_host_quit(scene_of(L)->host);
  return 0;
}

static bool draws(const sinew_scene *scene) {
  sinew_answer answer;
  bool here = sinew_host_output(scene->host) != SINEW_OUTPUT_NONE;
  if (sinew_host_recall(scene->host, "host", "draws", SINEW_RECALL_LAST, &answer)) return answer.size > 2;
  outside_note_text(scene, "host", "draws", here ? "yes" : "no", here ? 3 : 2);
  return here;
}

enum { RECORDINGS_AT_ONCE = 16 };

/* Starting a program, and waiting for the previous one to end, takes the machine's time, not the script's. */
static void pay_for_recording(lua_State *L, const char *path) {
  sinew_scene *scene = scene_of(L);
  const char *now = sinew_host_recording(scene->host);
  if (!now || strcmp(now, path) != 0) budget_charge(L, scene->def.instruction_limit / RECORDINGS_AT_ONCE);
}

/* A run without pictures has nothing to record; the scene need not know. */
static int call_record(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  char path[SCENE_PATH];
  sinew_error error = {0};
  lua_settop(L, 2);
  refuse_while_loading(L, "sinew.record", "begin in a callback");
  sinew_record_def def = sinew_record_def_default();
  def.target = path, def.rate = option_number(L, 2, "rate", 30),
  def.seconds = option_number(L, 2, "seconds", def.seconds);
  bool named = lua_isstring(L, 1), records = draws(scene);
  bool is_there = !named || scene_resolve_film(scene, lua_tostring(L, 1), path, &error);
  if (named && is_there && records) pay_for_recording(L, path);
  bool fine =
      is_there && (!records || scene->is_recorded || sinew_host_record(scene->host, named ? &def : NULL, &error));
  if (!fine) return luaL_error(L, "sinew.record: %s", error.message);
  lua_pushboolean(L, named && records);
  return 1;
}

static int call_report(lua_State *L) {
  lua_State *from = lua_isthread(L, 2) ? lua_tothread(L, 2) : L;
  luaL_tolstring(L, 1, NULL);
  nil_words(L);
  luaL_traceback(L, from, lua_tostring(L, -1), from == L ? 1 : 0);
  scene_report(scene_of(L), lua_tostring(L, -1));
  return 0;
}

const api_entry api_sinew_entries[] = {
    {"sinew", "ui", API_FIELD, "sinew.ui", "", "Sliders, buttons, panels.", .get = get_module},
    {"sinew", "view", API_FIELD, "sinew.view", "", "Debug views.", .get = get_module},
    {"sinew", "debug", API_FIELD, "sinew.debug", "", "Lines and text to draw in the scene.", .get = get_module},
    {"sinew", "camera", API_FIELD, "sinew.camera", "", "The camera.", .get = get_module},
    {"sinew", "light", API_FIELD, "sinew.light", "", "The sun, the sky, the exposure.", .get = get_module},
    {"sinew", "selected", API_FIELD, "table|nil", "",
     "The picked joint, { actor =, joint = }, or nil. Ctrl+click picks; so does a click while the scene is "
     "paused.",
     .get = get_selected},
    {"sinew", "time", API_FIELD, "number", "", "Seconds of scene time since the scene was started.", .get = get_time},
    {"sinew", "frame", API_FIELD, "integer", "", "Number of the current frame since the scene was started, from 1.",
     .get = get_frame},
    {"sinew", "version", API_FIELD, "string", "", "The version of Sinew.", .get = get_version},
    {"sinew", "renderer", API_FIELD, "string", "",
     "The renderer in words: the device, the OpenGL version, and what was reduced for a software rasteriser. Empty if "
     "nothing draws.",
     .get = get_renderer},
    {"sinew", "quit", API_FUNCTION, "", "", "Ends the run after this frame.", .call = call_quit},
    {"sinew", "record", API_FUNCTION, "file?: string, options?: record_options", "boolean",
     "Starts recording the picture as a video: a .mp4, .webm or .gif in the scene's own folder, replacing one recorded "
     "before. While it records, each frame takes 1 / rate seconds of the scene, however long it takes to draw. Naming "
     "the same file again continues; naming none ends the video. Returns false if the run draws nothing.",
     .call = call_record, .cost = 1000},
    {"sinew", "log", API_FUNCTION, "...", "", "Writes to the log on the picture and to the terminal, like print.",
     .call = api_print},
    {"sinew", "report", API_FUNCTION, "message: any, task?: any", "",
     "Shows an error on the picture as if a callback had failed, and continues. With a coroutine, the message says "
     "where it failed. Repeated errors are counted.",
     .call = call_report, .cost = 1000},
    {"sinew", "strength", API_FUNCTION, "key: key", "number",
     "How far a gamepad's stick is pushed in that direction (\"left_stick_up\"), or a trigger is pulled, from 0 to 1. "
     "For any other key 1 while it is held, otherwise 0.",
     .call = call_strength},
    {"sinew", "is_down", API_FUNCTION, "key: key", "boolean", "Whether a key is held.", .call = call_is_down},
    {"sinew", "wheel", API_FUNCTION, "", "number",
     "How far the mouse wheel has turned in this frame, in notches, positive away from you; 0 over a panel.",
     .call = call_wheel},
    {"sinew", "mouse", API_FUNCTION, "", "number, number, boolean, boolean, boolean",
     "The mouse position in pixels from the top left, and whether the left, right and middle buttons are held.",
     .call = call_mouse},
    {"sinew", "damp", API_FUNCTION, "from: number, to: number, rate: number, dt: number", "number",
     "Moves a value towards another for dt seconds, at any frame rate alike: to + (from - to) * exp(-rate * dt). "
     "At a rate of 8 it covers 93 % of the distance in a third of a second.",
     .call = call_damp},
    {"sinew", "clamp", API_FUNCTION, "value: number, minimum: number, maximum: number", "number",
     "The value, limited to a range.", .call = call_clamp},
    {"sinew", "lerp", API_FUNCTION, "from: number|vec3, to: number|vec3, t: number", "number|vec3",
     "Interpolates linearly: from at t = 0, to at t = 1.", .call = call_lerp},
    {"sinew", "vec3", API_FUNCTION, "x: number, y: number, z: number", "vec3",
     "A vector that can be added, subtracted, and multiplied by a number.", .call = call_vec3},
    {0}};
