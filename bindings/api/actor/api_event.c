/* Markers of clips, and handlers for the events that they raise. */
#include "core/api.h"

#include <math.h>
#include <string.h>

enum {
  MARKERS = 256,
  COST_OF_ASKING = 16, /* whether a handler wants the event */
  EVENT_COST = 50      /* of its table */
};

/* ---- markers ---- */

/* Stores the caller's value of a marker under a number. It lives as long as the epoch that gave it. */
static int64_t keep_data(lua_State *L, int value) {
  if (lua_isnil(L, value)) return 0;
  lua_Integer tag = ++scene_of(L)->declarations.next_id;
  epoch_push(L, "marker_data");
  lua_pushvalue(L, value);
  lua_rawseti(L, -2, tag);
  lua_pop(L, 1);
  return tag;
}

/* { time, name, sync = true, silent = true, data = anything } */
static void read_marker(lua_State *L, int index, double duration, sinew_marker *out) {
  int marker = lua_gettop(L);
  if (!lua_istable(L, marker)) luaL_error(L, "model:markers: a marker is { time, \"name\" } (number %d)", index);
  api_check_value(L, marker, "marker", strlen("marker"), "model:markers: marker");
  lua_rawgeti(L, marker, 1);
  lua_rawgeti(L, marker, 2);
  if (lua_type(L, -2) != LUA_TNUMBER || lua_type(L, -1) != LUA_TSTRING)
    luaL_error(L, "model:markers: a marker is { time, \"name\" } (number %d)", index);
  *out = (sinew_marker){.time = clip_time(lua_tonumber(L, -2), duration), .name = lua_tostring(L, -1)};
  if (!(out->time >= 0 && out->time <= duration))
    luaL_error(L, "model:markers: '%s' lies at %f s, outside the clip (0 to %f s)", out->name, api_rounded(out->time),
               api_rounded(duration));
  fields_read(L, marker, &kind_marker, "model:markers", out);
  lua_pushliteral(L, "data");
  lua_rawget(L, marker);
  out->tag = keep_data(L, lua_gettop(L));
  lua_settop(L, marker);
}

static int call_markers(lua_State *L) {
  sinew_error error;
  declarations *all = &scene_of(L)->declarations;
  sinew_model *model = model_check(L, 1);
  lua_settop(L, 3);
  int clip = clip_check(L, model, 2), count = (int)lua_rawlen(L, 3);
  if (count > MARKERS) return luaL_error(L, "model:markers: a clip has %d markers at most", MARKERS);
  sinew_marker *markers = lua_newuserdatauv(L, MARKERS * sizeof *markers, 0);
  double duration = sinew_clip_duration(sinew_model_clip(model, clip));
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 3, i + 1);
    read_marker(L, i + 1, duration, markers + i);
    lua_pop(L, 1);
  }
  scene_note_line(L);
  if (!declarations_set_markers(all, model, clip, markers, count, &error)) return luaL_error(L, "%s", error.message);
  return 0;
}

/* ---- handlers ---- */

static const char *const event_fields[] = {"call", "event", "line"};

static int call_on(lua_State *L) {
  char line[DECLARED_LINE];
  const actor_record *record = actor_check(L, 1);
  scene_line(L, line);
  note_repeated(L, "adds a handler", "each stays; add it once");
  epoch_push(L, "actor_handlers");
  if (lua_rawgeti(L, -1, record->head.id) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, record->head.id);
  }
  lua_createtable(L, 0, 4);
  lua_pushboolean(L, !scene_of(L)->loading);
  lua_setfield(L, -2, "runtime");
  lua_pushvalue(L, 3);
  lua_setfield(L, -2, event_fields[0]);
  lua_pushvalue(L, 2);
  lua_setfield(L, -2, event_fields[1]);
  lua_pushstring(L, line);
  lua_setfield(L, -2, event_fields[2]);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  return 0;
}

static void set_text(lua_State *L, const char *field, const char *text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, field);
}

static void set_states(lua_State *L, const sinew_event *event) {
  set_text(L, "from", event->from_key);
  set_text(L, "to", event->to_key);
  set_text(L, "state", event->kind == SINEW_EVENT_ENTER ? event->to_key : event->from_key);
}

static void push_event(lua_State *L, const actor_record *record, const sinew_event *event) {
  lua_createtable(L, 0, 8);
  if (event->clip < 0) set_states(L, event);
  else set_text(L, "clip", sinew_clip_name(sinew_model_clip(record->model, event->clip)));
  set_text(L, "name", event->name);
  actor_push(L, record);
  lua_setfield(L, -2, "actor");
  lua_pushnumber(L, event->time);
  lua_setfield(L, -2, "time");
  lua_pushnumber(L, (lua_Number)event->weight);
  lua_setfield(L, -2, "weight");
  set_text(L, "layer", sinew_actor_layer_name(scene_of(L)->declarations.stage, event->actor, event->layer));
  if (event->action.id) action_push(L, &(action_handle){record->head.id, 0, event->action, event->clip});
  else lua_pushnil(L);
  lua_setfield(L, -2, "action");
  epoch_push_current(L, "marker_data");
  if (event->tag && lua_istable(L, -1)) lua_rawgeti(L, -1, event->tag);
  else lua_pushnil(L);
  lua_setfield(L, -3, "data");
  lua_pop(L, 1);
}

static bool handler_hears(lua_State *L, int handler, const char *name) {
  lua_getfield(L, handler, event_fields[1]);
  const char *wanted = lua_tostring(L, -1);
  bool hears = strcmp(wanted, name) == 0 || strcmp(wanted, "*") == 0;
  lua_getfield(L, handler, "suspended");
  hears = hears && !lua_toboolean(L, -1);
  lua_pop(L, 2);
  return hears;
}

/* A handler may change anything, so the actor of each event is looked up again. */
static void deliver(lua_State *L, const sinew_event *event) {
  int handlers = lua_gettop(L);
  lua_Integer count = (lua_Integer)lua_rawlen(L, handlers); /* handlers added meanwhile get the next event */
  budget_charge(L, count * COST_OF_ASKING);
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, handlers, i);
    int handler = lua_gettop(L);
    const actor_record *record = declarations_actor_on_stage(&scene_of(L)->declarations, event->actor);
    if (record && handler_hears(L, handler, event->name) && budget_allows(scene_of(L))) {
      lua_getfield(L, handler, event_fields[0]);
      push_event(L, record, event);
      if (!scene_call(scene_of(L), 1, 0)) {
        lua_pushboolean(L, 1);
        lua_setfield(L, handler, "suspended");
        scene_show_problem(scene_of(L), event_index("update") + 1, event->name);
      }
    }
    lua_settop(L, handlers);
  }
}

/* Then a handler or a coroutine has had its time to play something, and callbacks theirs to give markers. */
enum { LATER = 6, PERIOD = 3 };

static void remember_end(sinew_scene *scene, const sinew_event *event) {
  int oldest = 0;
  for (int i = 0; i < (int)(sizeof scene->ended / sizeof *scene->ended); i++)
    if (scene->ended[i].frame < scene->ended[oldest].frame) oldest = i;
  scene->ended[oldest].event = *event;
  scene->ended[oldest].frame = sinew_host_frame(scene->host);
}

static int deliver_all(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  int count;
  const sinew_event *events = sinew_stage_events(scene->declarations.stage, &count, NULL);
  luaL_checkstack(L, 32, NULL);
  for (int i = 0; i < count; i++) {
    const actor_record *record = declarations_actor_on_stage(&scene->declarations, events[i].actor);
    lua_settop(L, 1);
    if (record && events[i].kind == SINEW_EVENT_LOOP && events[i].weight > 0.5f) note_travelling(L, record, events + i);
    if (record && events[i].kind == SINEW_EVENT_FINISH && events[i].action.id && events[i].layer == 0)
      remember_end(scene, events + i);
    if (record && events[i].kind == SINEW_EVENT_ENTER && i >= SINEW_MACHINE_STEPS)
      note_hurried(L, record, events, i + 1);
    epoch_push_current(L, "actor_handlers");
    if (record && lua_istable(L, -1) && lua_rawgeti(L, -1, record->head.id) == LUA_TTABLE) deliver(L, events + i);
  }
  return 0;
}

static void look_at_ends(lua_State *L, sinew_scene *scene) {
  for (int i = 0; i < (int)(sizeof scene->ended / sizeof *scene->ended); i++) {
    if (scene->ended[i].frame == 0 || sinew_host_frame(scene->host) < scene->ended[i].frame + LATER) continue;
    const actor_record *record = declarations_actor_on_stage(&scene->declarations, scene->ended[i].event.actor);
    if (record) note_held(L, record, &scene->ended[i].event);
    scene->ended[i].frame = 0;
  }
}

static void look_at_handlers(lua_State *L, const actor_record *record) {
  int handlers = lua_gettop(L);
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, handlers); i > 0; i--) {
    lua_rawgeti(L, handlers, i);
    lua_getfield(L, -1, event_fields[1]);
    lua_getfield(L, -2, event_fields[2]);
    note_unheard(L, record, lua_tostring(L, -2), lua_tostring(L, -1));
    lua_settop(L, handlers);
  }
}

/* Once in each epoch. */
static void look_at_names(lua_State *L, const sinew_scene *scene) {
  const declarations *all = &scene->declarations;
  epoch_push_current(L, "handlers_known");
  if (!lua_isnil(L, -1) || sinew_host_frame(scene->host) < scene->frames_before + LATER) return;
  epoch_push(L, "handlers_known");
  epoch_push_current(L, "actor_handlers");
  int list = lua_gettop(L);
  for (int i = 0; lua_istable(L, list) && i < all->actors.count; i++) {
    const actor_record *record = actor_at(all, i);
    if (lua_rawgeti(L, list, record->head.id) == LUA_TTABLE) look_at_handlers(L, record);
    lua_settop(L, list);
  }
}

static int look_later(lua_State *L) {
  sinew_scene *scene = scene_of(L);
  luaL_checkstack(L, 16, NULL);
  look_at_ends(L, scene);
  look_at_names(L, scene);
  return 0;
}

void events_deliver(sinew_scene *scene) {
  int count;
  if (scene->loaded_once && sinew_host_frame(scene->host) % PERIOD == 0) scene_protect(scene, look_later, NULL);
  sinew_stage_events(scene->declarations.stage, &count, NULL);
  if (count && scene->loaded_once && !scene_protect(scene, deliver_all, NULL))
    scene_show_problem(scene, event_index("update") + 1, "events");
}

static int call_events(lua_State *L) {
  int count, heard = 0;
  const actor_record *record = actor_check(L, 1);
  const sinew_event *events = sinew_stage_events(scene_of(L)->declarations.stage, &count, NULL);
  budget_charge(L, count);
  lua_newtable(L);
  for (int i = 0; i < count; i++) {
    if (events[i].actor.id != record->actor.id) continue;
    budget_charge(L, EVENT_COST);
    push_event(L, record, events + i);
    lua_rawseti(L, -2, ++heard);
  }
  return 1;
}

const api_entry api_event_entries[] = {
    {"model", "markers", API_METHOD, "clip: clip, markers: list", "",
     "Replaces the markers of a clip: { { 0.1, \"left\", sync = true }, { 0.62, \"right\", sync = true } }. Playing "
     "past one raises an event of that name.",
     .call = call_markers},
    {"actor", "on", API_METHOD, "event: heard_event, handler: function", "",
     "Calls the function for each event of that name: a marker's, \"loop\", \"finish\", \"enter\" or \"exit\" of "
     "a state machine's states, or \"*\" for all. It receives a table: name, actor, action, clip, time, weight, "
     "layer, data. \"enter\" and \"exit\" have state, from and to instead of clip and data; the time of \"exit\" "
     "is the duration of the state in seconds.",
     .call = call_on},
    {"actor", "events", API_METHOD, "", "table[]",
     "The events of the last frame in order of time, as the tables that handlers receive.", .call = call_events},
    {"actor", "wait", API_METHOD, "event: heard_event", "table",
     "In a task (sinew.task): waits for the next event of that name, and returns it.", .call = action_wait},
    {0}};
