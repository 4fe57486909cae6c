#include "core/api.h"

#include <sinew/playing.h>

#include <string.h>

static action_handle *check(lua_State *L, int index) { return api_check(L, index, "action"); }

void action_push(lua_State *L, const action_handle *handle) {
  action_handle *copy = api_new(L, "action", sizeof *copy, ++scene_of(L)->declarations.next_id);
  *copy = *handle;
}

/* ---- play ---- */

void play_read(lua_State *L, int options, sinew_play_def *def) {
  fields_read(L, options, &kind_action, "actor:play", def);
  if (def->to < def->from)
    luaL_error(L, "actor:play: 'to' must be later than 'from', and both within the "
                  "clip");
  if (!option_push(L, options, "weight")) return;
  def->solo = false;
  lua_pop(L, 1);
}

int actor_play(lua_State *L, actor_record *record, int64_t layer, int clip_index, int options_index) {
  sinew_error error;
  action_handle handle;
  char line[DECLARED_LINE];
  declarations *all = &scene_of(L)->declarations;
  int clip = clip_check(L, declarations_actor_model(all, record), clip_index);
  layer = layer_option(L, record, options_index, layer);
  sinew_play_def def = declarations_layer_play(all, record, layer);
  play_read(L, options_index, &def);
  const sinew_clip *played = sinew_model_clip(declarations_actor_model(all, record), clip);
  if (option_push(L, options_index, "time")) note_late(L, played, lua_tonumber(L, -1)), lua_pop(L, 1);
  if (option_push(L, options_index, "from")) note_late(L, played, lua_tonumber(L, -1)), lua_pop(L, 1);
  if (option_push(L, options_index, "to")) note_late(L, played, lua_tonumber(L, -1)), lua_pop(L, 1);
  bool restarts = option_push(L, options_index, "restart") && lua_toboolean(L, -1);
  if (!restarts && declarations_leading_play(all, record, clip, layer, &def, &handle)) {
    note_repeated(L, "asks for what plays already", "once is enough");
    action_push(L, &handle);
    return 1;
  }
  scene_line(L, line);
  note_repeated(L, "begins an action", "call it when something changes");
  note_still(L, record, layer, clip, line);
  if (!declarations_play(all, record, clip, layer, &def, line, &handle, &error))
    return luaL_error(L, "%s", error.message);
  action_push(L, &handle);
  return 1;
}

/* ---- fields ---- */

static double clip_duration(lua_State *L, const action_handle *handle) {
  const sinew_clip *clip = declarations_action_clip(&scene_of(L)->declarations, handle);
  return clip ? sinew_clip_duration(clip) : 0;
}

static double clip_phase(lua_State *L, double time) {
  double duration = clip_duration(L, check(L, 1));
  return duration > 0 ? time / duration : 0;
}

static void get_phase(lua_State *L, const api_entry *entry) {
  sinew_play_def def;
  (void)entry;
  declarations_action_values(&scene_of(L)->declarations, check(L, 1), &def);
  lua_pushnumber(L, clip_phase(L, def.time));
}

static void get_field(lua_State *L, const api_entry *entry) {
  sinew_play_def def;
  declarations_action_values(&scene_of(L)->declarations, check(L, 1), &def);
  field_push(L, kind_field(&kind_action, entry->name), &def);
}

static double clamp(double value, double low, double high) {
  if (value < low) return low;
  return value > high ? high : value;
}

/* Ignores actions that have ended: scripts that steer one each frame need not check first. */
static void set_field(lua_State *L, const api_entry *entry) {
  sinew_play_def def;
  declarations *all = &scene_of(L)->declarations;
  const action_handle *handle = check(L, 1);
  bool phase = strcmp(entry->name, "phase") == 0;
  const store_field *f = kind_field(&kind_action, phase ? "time" : entry->name);
  if (!declarations_action_values(all, handle, &def)) return;
  const play_record *play = declarations_play_record(all, handle);
  if (all->loading && play && play->head.next_set) def = play->next.def;
  field_read(L, 3, f, "action", &def);
  double duration = clip_duration(L, handle);
  if (phase) def.time *= duration;
  const sinew_clip *clip = declarations_action_clip(all, handle);
  if (strcmp(f->name, "time") == 0 && clip) note_late(L, clip, def.time);
  if (strcmp(f->name, "time") == 0) def.time = clamp(def.time, 0, duration);
  declarations_set_action(all, handle, &def);
}

static void get_playing(lua_State *L, const api_entry *entry) {
  sinew_playing p;
  const declarations *all = &scene_of(L)->declarations;
  sinew_action_playing(all->stage, declarations_living_action(all, check(L, 1)), &p);
  lua_pushnumber(L, entry->data ? p.speed : (lua_Number)p.normalized_weight);
}

static void get_done(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushboolean(L, declarations_action_done(&scene_of(L)->declarations, check(L, 1)));
}

static void get_clip(lua_State *L, const api_entry *entry) {
  const sinew_clip *clip = declarations_action_clip(&scene_of(L)->declarations, check(L, 1));
  (void)entry;
  lua_pushstring(L, clip ? sinew_clip_name(clip) : "");
}

static void get_actor(lua_State *L, const api_entry *entry) {
  const actor_record *record = declarations_actor(&scene_of(L)->declarations, check(L, 1)->actor);
  (void)entry;
  if (record) actor_push(L, record);
  else lua_pushnil(L);
}

static void get_duration(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushnumber(L, clip_duration(L, check(L, 1)));
}

static int call_stop(lua_State *L) {
  double fade = luaL_optnumber(L, 2, sinew_play_def_default().fade);
  declarations_stop_action(&scene_of(L)->declarations, check(L, 1), fade);
  return 0;
}

static int call_seek(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  const action_handle *handle = check(L, 1);
  if (all->loading) return luaL_error(L, "call action:seek in a callback; actor:play has the option 'time'");
  double time = clamp(lua_tonumber(L, 2), 0, clip_duration(L, handle));
  sinew_action_seek(all->stage, declarations_living_action(all, handle), time, lua_toboolean(L, 3));
  return 0;
}

static int unknown_marker(lua_State *L, const sinew_marker *markers, int count, const char *name) {
  enum { MOST = 64 };
  const char *names[MOST];
  int most = count < MOST ? count : MOST;
  for (int i = 0; i < most; i++) names[i] = markers[i].name;
  return api_unknown(L, "action:go_to: no marker", name, " in this clip; model:markers gives it some", names, most);
}

static int call_go_to(lua_State *L) {
  const declarations *all = &scene_of(L)->declarations;
  const action_handle *handle = check(L, 1);
  refuse_while_loading(L, "action:go_to", "actor:play has the option 'time'");
  sinew_action action = declarations_living_action(all, handle);
  const sinew_model *model = sinew_actor_model(all->stage, sinew_action_actor(all->stage, action));
  int count = 0;
  const char *name = lua_tostring(L, 2);
  const sinew_marker *markers = model ? sinew_stage_markers(all->stage, model, handle->clip, &count) : NULL;
  bool known = !model;
  for (int i = 0; i < count; i++) known = known || strcmp(markers[i].name, name) == 0;
  if (!known) return unknown_marker(L, markers, count, name);
  lua_pushboolean(L, sinew_action_go_to(all->stage, action, name, luaL_optnumber(L, 3, sinew_play_def_default().fade)));
  return 1;
}

/* Yields to the code that resumed the coroutine: scripts/sinew/task.lua, which returns with the event. */
int action_wait(lua_State *L) {
  if (!lua_isyieldable(L))
    return luaL_error(L, "action:wait works only inside a task: require(\"sinew.task\").run(function() ... end)");
  lua_settop(L, 2);
  return lua_yield(L, 2);
}

const api_entry api_action_entries[] = {
    {"action", "go_to", API_METHOD, "marker: string, seconds?: seconds", "boolean",
     "Jumps to the next marker of that name in its clip, otherwise to the first: markers are sections. The marker "
     "raises its event, and the pose blends in by inertia in that many seconds, default 0.2. Returns false if the "
     "action has ended or is fading out.",
     .call = call_go_to},
    {"action", "time", API_FIELD, "number", "", "The time within the clip, in seconds; assign it to seek.",
     .get = get_field, .set = set_field},
    {"action", "phase", API_FIELD, "number", "", "The same as a fraction of the clip, from 0 to 1.", .get = get_phase,
     .set = set_field},
    {"action", "speed", API_FIELD, "number", "", "1 is the clip's own speed, 0 stops it, below 0 it runs backwards.",
     .get = get_field, .set = set_field},
    {"action", "weight", API_FIELD, "weight", "", "Its weight in the blend.", .get = get_field, .set = set_field},
    {"action", "loop", API_FIELD, "loop", "", "\"once\", \"forever\", \"ping_pong\" or a number of times.",
     .get = get_field, .set = set_field},
    {"action", "paused", API_FIELD, "boolean", "", "Whether its time is stopped.", .get = get_field, .set = set_field},
    {"action", "normalized_weight", API_FIELD, "number", "",
     "Its normalised weight within its layer in the last frame, from 0 to 1.", .get = get_playing},
    {"action", "rate", API_FIELD, "number", "",
     "The rate at which its clip advanced in the last frame, in seconds of the clip per second: its own speed, "
     "or that of its sync group.",
     .get = get_playing, .data = 1},
    {"action", "done", API_FIELD, "boolean", "", "Whether it has ended or was replaced.", .get = get_done},
    {"action", "actor", API_FIELD, "actor|nil", "", "The actor that plays it; nil if the actor was removed.",
     .get = get_actor},
    {"action", "clip", API_FIELD, "string", "", "The name of its clip.", .get = get_clip},
    {"action", "duration", API_FIELD, "number", "", "The length of the clip in seconds.", .get = get_duration},
    {"action", "seek", API_METHOD, "time: number, events?: boolean", "",
     "Jumps to a time of the clip. With events = true the events in between are raised, as if it had played.",
     .call = call_seek},
    {"action", "wait", API_METHOD, "event: heard_event", "table|nil",
     "In a task (sinew.task): waits until this action raises the event, \"finish\" for instance, and returns it; nil "
     "if the action ends without it.",
     .call = action_wait, .at_once = true},
    {"action", "stop", API_METHOD, "fade?: seconds", "", "Fades it out in that many seconds, default 0.2.",
     .call = call_stop},
    {0}};
