/* sinew.camera, sinew.light and sinew.view. */
#include "api/api.h"

#include <string.h>

static void push_value(lua_State *L, const float *v, int count, bool boolean) {
  if (boolean) {
    lua_pushboolean(L, v[0] != 0);
  } else if (count == 1) {
    lua_pushnumber(L, (lua_Number)v[0]);
  } else {
    vector_push(L, v, count);
  }
}

static void read_value(lua_State *L, float *v, int count) {
  if (lua_isboolean(L, 3)) {
    v[0] = lua_toboolean(L, 3) ? 1.0f : 0.0f;
  } else if (count == 1) {
    v[0] = (float)lua_tonumber(L, 3);
  } else {
    vector_read(L, 3, v, count);
  }
}

static bool is_boolean(const api_entry *entry) { return strcmp(entry->spec, "boolean") == 0; }

static void get_look(lua_State *L, const api_entry *entry) {
  float v[4] = {0};
  world_get_look(&scene_of(L)->world, entry->data, v);
  push_value(L, v, world_look_size(entry->data), is_boolean(entry));
}

static void set_look(lua_State *L, const api_entry *entry) {
  float v[4] = {0};
  read_value(L, v, world_look_size(entry->data));
  if (entry->data == CAMERA_FOV && v[0] >= 3.1f) luaL_error(L, "sinew.camera.fov is an angle in radians, under 3.1");
  world_set_look(&scene_of(L)->world, entry->data, v);
}

/* ---- sinew.view ---- */

static const char *const surfaces[SINEW_SURFACE_COUNT] = {"shaded", "normals", "joints", "weight", "velocity"};

int surface_find(const char *name) {
  for (int i = 0; i < SINEW_SURFACE_COUNT; i++)
    if (strcmp(surfaces[i], name) == 0) return i;
  return -1;
}

static int look_index(lua_State *L, int field) {
  float v[4] = {0};
  world_get_look(&scene_of(L)->world, field, v);
  return (int)v[0];
}

static void set_index(lua_State *L, int field, int index) {
  world_set_look(&scene_of(L)->world, field, (const float[4]){(float)index});
}

static void get_surface(lua_State *L, const api_entry *entry) {
  lua_pushstring(L, surfaces[look_index(L, entry->data)]);
}

static void set_surface(lua_State *L, const api_entry *entry) {
  set_index(L, entry->data, surface_find(lua_tostring(L, 3)));
}

static void get_joint(lua_State *L, const api_entry *entry) {
  (void)entry;
  lua_pushstring(L, world_view_joint(&scene_of(L)->world));
}

static void set_joint(lua_State *L, const api_entry *entry) {
  (void)entry;
  world_set_view_joint(&scene_of(L)->world, lua_tostring(L, 3));
}

static void get_skinner(lua_State *L, const api_entry *entry) {
  lua_pushstring(L, sinew_host_skinner_name(scene_of(L)->host, look_index(L, entry->data)));
}

/* A name that is not here is refused by who knows them all, and changes nothing. */
static void set_skinner(lua_State *L, const api_entry *entry) {
  sinew_host *host = scene_of(L)->host;
  const char *wanted = lua_tostring(L, 3), *name;
  sinew_error error;
  for (int i = 0; (name = sinew_host_skinner_name(host, i)); i++) {
    if (strcmp(name, wanted) != 0) continue;
    set_index(L, entry->data, i);
    return;
  }
  sinew_host_set_skinner(host, wanted, &error);
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

#define LOOK(owner, name, type, field, doc)                                                                            \
  { "sinew." owner, name, API_FIELD, type, "", doc, .get = get_look, .set = set_look, .data = field }
#define CAMERA(name, type, field, doc) LOOK("camera", name, type, field, doc)
#define LIGHT(name, type, field, doc) LOOK("light", name, type, field, doc)
#define VIEW(name, field, doc) LOOK("view", name, "boolean", field, doc)

const api_entry api_view_entries[] = {
    CAMERA("position", "vec3", CAMERA_POSITION, "Where it is, in metres."),
    CAMERA("target", "vec3", CAMERA_TARGET, "What it looks at."),
    CAMERA("fov", "positive", CAMERA_FOV, "The height of the view, in radians."),
    CAMERA("orbit", "boolean", CAMERA_ORBIT, "The mouse turns the camera about its target."),
    LIGHT("direction", "vec3", LIGHT_DIRECTION, "Towards the sun."),
    LIGHT("color", "vec3", LIGHT_COLOR, "The sun's colour, linear red, green, blue."),
    LIGHT("intensity", "weight", LIGHT_INTENSITY, "How bright the sun is; 3 is a clear day."),
    LIGHT("sky", "vec3", LIGHT_SKY, "Light from above."),
    LIGHT("ground", "vec3", LIGHT_GROUND, "Light from below."),
    LIGHT("exposure", "positive", LIGHT_EXPOSURE, "Brightness of the picture; 1 is neutral."),
    LIGHT("fog", "weight", LIGHT_FOG, "How much of the view a metre takes away; 0 is clear, 0.02 a misty morning."),
    VIEW("wireframe", VIEW_WIREFRAME, "Triangles over the shaded picture."),
    VIEW("skeleton", VIEW_SKELETON, "Joints of every actor."),
    VIEW("names", VIEW_NAMES, "Names of joints."),
    VIEW("axes", VIEW_AXES, "Axes of joints: x red, y green, z blue."),
    VIEW("bind_pose", VIEW_BIND_POSE, "Every actor in its bind pose."),
    VIEW("bounds", VIEW_BOUNDS, "The box by which each actor is culled."),
    VIEW("root_path", VIEW_ROOT_PATH, "Where each actor's root has been."),
    VIEW("contacts", VIEW_CONTACTS,
         "Ends of skeletons on the ground: green where they stand, orange where they slide."),
    VIEW("scale", VIEW_SCALE, "Metres along the axes of the ground: x red, z blue."),
    VIEW("ground", VIEW_GROUND, "The ground with its metre grid."),
    VIEW("stats", VIEW_STATS, "Numbers about speed."),
    VIEW("inspector", VIEW_INSPECTOR, "The panel that shows and changes what every actor does."),
    VIEW("paused", VIEW_PAUSED,
         "Time stands still: dt is 0, and nothing moves but the camera and panels. F6 does it, too; F7 lets one frame "
         "pass."),
    LOOK("view", "speed", "positive", VIEW_SPEED,
         "Of scene time: 0.25 is slow motion; 1. F8 goes through 1, ¼ and 1/16."),
    {"sinew.view", "surface", API_FIELD, "surface", "",
     "What surfaces show: \"shaded\", \"normals\", \"joints\", \"weight\" (of sinew.view.joint) or \"velocity\".",
     .get = get_surface, .set = set_surface, .data = VIEW_SURFACE},
    {"sinew.view", "joint", API_FIELD, "string", "", "The joint whose weights the surface \"weight\" shows.",
     .get = get_joint, .set = set_joint},
    {"sinew.view", "skinner", API_FIELD, "string", "",
     "Where actors are skinned: \"cpu\", \"vertex\" (by the shaders of each pass), \"feedback\" or \"compute\" (once "
     "for "
     "all passes). The picture is the same.",
     .get = get_skinner, .set = set_skinner, .data = VIEW_SKINNER},
    {"sinew.view", "skinners", API_FIELD, "table", "", "The names of those that are there.", .get = get_skinners},
    {0}};
