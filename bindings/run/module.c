/* module – `require "sinew"` in a Lua program: the same table as in a scene, without a window. Time passes only in
 * sinew.simulate. The program is trusted, and its saves are not watched. */
#include "core/api.h"

typedef struct guest {
  sinew_host *host;
  sinew_scene *scene;
} guest;

/* Created first, so that it is collected last when the state closes. */
static int close_guest(lua_State *L) {
  guest *g = lua_touserdata(L, 1);
  bool inside = g->host && sinew_stage_is_locked(sinew_host_stage(g->host)); /* os.exit(0, true) in a callback */
  if (inside) return 0;
  sinew_scene_destroy(g->scene);
  sinew_host_destroy(g->host);
  *g = (guest){0};
  return 0;
}

static guest *push_guest(lua_State *L) {
  guest *g = lua_newuserdatauv(L, sizeof *g, 0);
  *g = (guest){0};
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, close_guest);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  return g;
}

SINEW_API int luaopen_sinew(lua_State *L);
int luaopen_sinew(lua_State *L) {
  static const char key;
  sinew_error error;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) != LUA_TNIL) return api_push_sinew(L); /* package.loaded was emptied */
  guest *g = push_guest(L);
  sinew_host_def def = sinew_host_def_default();
  def.output = SINEW_OUTPUT_NONE;
  g->host = sinew_host_create(&def, &error);
  if (g->host) g->scene = scene_create_guest(g->host, L, &error);
  if (!g->scene) return luaL_error(L, "%s", error.message);
  sinew_app app = sinew_scene_app(g->scene);
  sinew_host_set_app(g->host, &app);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
  modules_preload(L);
  return api_push_sinew(L);
}
