#include "api.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* {r, g, b} from 0 to 1 at `index`, or the fallback. */
static void read_color(lua_State *L, int index, uint8_t color[4]) {
  float v[3] = {1, 0.8f, 0.2f};
  if (!lua_isnoneornil(L, index)) vector_read(L, index, v, 3);
  for (int i = 0; i < 3; i++) {
    float c = v[i] < 0 ? 0 : v[i] > 1 ? 1 : v[i];
    color[i] = (uint8_t)(c * 255.0f + 0.5f);
  }
  color[3] = 255;
}

static int call_skeleton(lua_State *L) {
  const actor_record *record = actor_check(L, 1);
  if (record->actor.id) sinew_host_draw_skeleton(scene_of(L)->host, record->actor);
  return 0;
}

static int call_line(lua_State *L) {
  sinew_line line;
  vector_read(L, 1, &line.a.x, 3);
  vector_read(L, 2, &line.b.x, 3);
  read_color(L, 3, line.color);
  sinew_host_draw_line(scene_of(L)->host, &line, lua_toboolean(L, 4));
  return 0;
}

static int call_text(lua_State *L) {
  uint8_t color[4];
  read_color(L, 4, color);
  sinew_host_draw_text(scene_of(L)->host, (float)lua_tonumber(L, 1), (float)lua_tonumber(L, 2), color,
                       luaL_tolstring(L, 3, NULL));
  return 0;
}

/* ---- sinew.view ---- */

static const char *const surfaces[SINEW_SURFACE_COUNT] = {"shaded", "normals", "joints", "weight", "velocity"};

int surface_find(const char *name) {
  for (int i = 0; i < SINEW_SURFACE_COUNT; i++)
    if (strcmp(surfaces[i], name) == 0) return i;
  return -1;
}

static bool *view_flag(lua_State *L, const api_entry *entry) {
  return (bool *)((char *)sinew_host_view(scene_of(L)->host) + entry->data);
}

static void get_view(lua_State *L, const api_entry *entry) { lua_pushboolean(L, *view_flag(L, entry)); }

static void set_view(lua_State *L, const api_entry *entry) { *view_flag(L, entry) = lua_toboolean(L, 3); }

static void get_surface(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushstring(L, surfaces[sinew_host_view(scene_of(L)->host)->surface]);
}

static void set_surface(lua_State *L, const api_entry *entry) {
  (void)entry;
  sinew_host_view(scene_of(L)->host)->surface = (sinew_surface)surface_find(lua_tostring(L, 3));
}

static void get_joint(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushstring(L, sinew_host_view(scene_of(L)->host)->joint);
}

static void set_joint(lua_State *L, const api_entry *entry) {
  (void)entry;
  sinew_view_options *view = sinew_host_view(scene_of(L)->host);
  snprintf(view->joint, sizeof view->joint, "%s", lua_tostring(L, 3));
}

static void get_skinner(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushstring(L, sinew_host_skinner(scene_of(L)->host));
}

static void set_skinner(lua_State *L, const api_entry *entry) {
  sinew_error error;
  (void)entry;
  if (!sinew_host_set_skinner(scene_of(L)->host, lua_tostring(L, 3), &error))
    luaL_error(L, "sinew.view.skinner: %s", error.message);
}

static void get_skinners(lua_State *L, const api_entry *entry) {
  const char *name;
  (void)entry;
  lua_newtable(L);
  for (int i = 0; (name = sinew_host_skinner_name(scene_of(L)->host, i)); i++) {
    lua_pushstring(L, name);
    lua_rawseti(L, -2, i + 1);
  }
}

#define VIEW(name, doc)                                                                                                \
  {                                                                                                                    \
    "sinew.view", #name, API_FIELD, "boolean", "", doc, .get = get_view, .set = set_view,                              \
                                                        .data = offsetof(sinew_view_options, name)                     \
  }

const api_entry api_debug_entries[] = {
    VIEW(wireframe, "Triangles over the shaded picture."),
    VIEW(skeleton, "Joints of every actor."),
    VIEW(names, "Names of joints."),
    VIEW(axes, "Axes of joints: x red, y green, z blue."),
    VIEW(bind_pose, "Every actor in its bind pose."),
    VIEW(bounds, "The box by which each actor is culled."),
    VIEW(root_path, "Where each actor's root has been."),
    VIEW(contacts, "Ends of skeletons on the ground: green where they stand, orange where they slide."),
    VIEW(scale, "Metres along the axes of the ground: x red, z blue."),
    VIEW(ground, "The ground with its metre grid."),
    VIEW(stats, "Numbers about speed."),
    VIEW(inspector, "The panel that shows and changes what every actor does."),
    {"sinew.view", "surface", API_FIELD, "surface", "",
     "What surfaces show: \"shaded\", \"normals\", \"joints\", \"weight\" (of sinew.view.joint) or \"velocity\".",
     .get = get_surface, .set = set_surface},
    {"sinew.view", "joint", API_FIELD, "string", "", "The joint whose weights the surface \"weight\" shows.",
     .get = get_joint, .set = set_joint},
    {"sinew.view", "skinner", API_FIELD, "string", "",
     "Where actors are skinned: \"cpu\", \"vertex\" (by the shaders of each pass), \"feedback\" or \"compute\" (once "
     "for "
     "all passes). The picture is the same.",
     .get = get_skinner, .set = set_skinner},
    {"sinew.view", "skinners", API_FIELD, "table", "", "The names of those that are there.", .get = get_skinners},
    {"sinew.debug", "skeleton", API_FUNCTION, "actor: actor", "", "Draws an actor's joints in this frame.",
     .call = call_skeleton, .cost = 200},
    {"sinew.debug", "line", API_FUNCTION, "from: vec3, to: vec3, color?: vec3, on_top?: boolean", "",
     "Draws a line in the world in this frame; colours are {red, green, blue} from 0 to 1.", .call = call_line,
     .cost = 200},
    {"sinew.debug", "text", API_FUNCTION, "x: number, y: number, text: any, color?: vec3", "",
     "Writes at a pixel, from the top left, in this frame.", .call = call_text, .cost = 200},
    {0}};
