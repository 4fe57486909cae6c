#include "core/api.h"

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
  bool colored = !lua_isnoneornil(L, 4);
  sinew_host_draw_text(scene_of(L)->host, (float)lua_tonumber(L, 1), (float)lua_tonumber(L, 2), colored ? color : NULL,
                       luaL_tolstring(L, 3, NULL));
  return 0;
}

const api_entry api_debug_entries[] = {
    {"sinew.debug", "skeleton", API_FUNCTION, "actor: actor", "", "Draws an actor's joints in this frame.",
     .call = call_skeleton, .cost = 200},
    {"sinew.debug", "line", API_FUNCTION, "from: vec3, to: vec3, color?: color, on_top?: boolean", "",
     "Draws a line in the world in this frame; colours are {red, green, blue} from 0 to 1.", .call = call_line,
     .cost = 200},
    {"sinew.debug", "text", API_FUNCTION, "x: number, y: number, text: any, color?: color", "",
     "Writes text in this frame at a pixel, counted from the top left. Without a colour it is amber on a dark ground, "
     "legible "
     "on any picture.",
     .call = call_text, .cost = 200},
    {0}};
