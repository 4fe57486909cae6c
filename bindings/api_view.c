/* sinew.camera and sinew.light. */
#include "api.h"

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

static void get_camera(lua_State *L, const api_entry *entry) {
  float v[4] = {0};
  world_get_camera(&scene_of(L)->world, entry->data, v);
  push_value(L, v, world_camera_field_size(entry->data), entry->data == CAMERA_ORBIT);
}

static void set_camera(lua_State *L, const api_entry *entry) {
  float v[4] = {0};
  read_value(L, v, world_camera_field_size(entry->data));
  if (entry->data == CAMERA_FOV && v[0] >= 3.1f) luaL_error(L, "sinew.camera.fov is an angle in radians, under 3.1");
  world_set_camera(&scene_of(L)->world, entry->data, v);
}

static void get_light(lua_State *L, const api_entry *entry) {
  float v[4] = {0};
  world_get_light(&scene_of(L)->world, entry->data, v);
  push_value(L, v, world_light_field_size(entry->data), false);
}

static void set_light(lua_State *L, const api_entry *entry) {
  float v[4] = {0};
  read_value(L, v, world_light_field_size(entry->data));
  world_set_light(&scene_of(L)->world, entry->data, v);
}

#define CAMERA(name, type, field, doc)                                                                                 \
  { "sinew.camera", name, API_FIELD, type, "", doc, .get = get_camera, .set = set_camera, .data = field }
#define LIGHT(name, type, field, doc)                                                                                  \
  { "sinew.light", name, API_FIELD, type, "", doc, .get = get_light, .set = set_light, .data = field }

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
    {0}};
