#include "api.h"

#include <string.h>

enum { CANDIDATES = 128 };

static sinew_host *check_frame(lua_State *L) {
  if (!scene_of(L)->in_frame) luaL_error(L, "widgets are drawn each frame: call them from sinew.update or sinew.draw");
  return scene_of(L)->host;
}

/* The names in a table that hold such values, for "did you mean". */
static int no_field(lua_State *L, const char *what, const char *name, int type) {
  const char *names[CANDIDATES];
  int count = 0;
  if (lua_istable(L, 1)) {
    lua_pushnil(L);
    while (lua_next(L, 1)) {
      bool fits = lua_type(L, -1) == type && lua_type(L, -2) == LUA_TSTRING && count < CANDIDATES;
      if (fits) names[count++] = lua_tostring(L, -2);
      lua_pop(L, 1);
    }
  }
  return api_unknown(L, what, name, "", names, count);
}

/* Both forms, (label, value, …) and (table, "field", …): pushes the value and gives the label. */
static const char *push_bound(lua_State *L, const char *widget, int type) {
  if (lua_type(L, 1) == LUA_TSTRING) {
    if (lua_type(L, 2) != type) luaL_error(L, "%s: after a label comes the value, a %s", widget, lua_typename(L, type));
    lua_pushvalue(L, 2);
    return lua_tostring(L, 1);
  }
  if (!lua_istable(L, 1) && !lua_isuserdata(L, 1)) {
    luaL_error(L, "%s: 'target' must be a label or a table (got %s)", widget, luaL_typename(L, 1));
  }
  if (lua_type(L, 2) != LUA_TSTRING) luaL_error(L, "%s: after a table comes the name of a field", widget);
  lua_pushvalue(L, 2);
  if (lua_gettable(L, 1) != type) {
    lua_pushfstring(L, "%s: no %s in the table is called", widget, lua_typename(L, type));
    no_field(L, lua_tostring(L, -1), lua_tostring(L, 2), type);
  }
  return lua_tostring(L, 2);
}

/* Writes the value on the top back into the table. */
static void write_bound(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING) return;
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -2);
  lua_settable(L, 1);
}

static int call_slider(lua_State *L) {
  sinew_host *host = check_frame(L);
  lua_settop(L, 5);
  const char *label = push_bound(L, "ui.slider", LUA_TNUMBER);
  float low = (float)lua_tonumber(L, 3), high = (float)lua_tonumber(L, 4), value = (float)lua_tonumber(L, -1);
  if (lua_isstring(L, 5)) label = lua_tostring(L, 5);
  if (low > high) return luaL_error(L, "ui.slider: 'minimum' %f is above 'maximum' %f", (double)low, (double)high);
  if (sinew_ui_slider(host, label, &value, low, high)) {
    lua_pushnumber(L, (lua_Number)value);
    write_bound(L);
  }
  return 1;
}

static int call_checkbox(lua_State *L) {
  sinew_host *host = check_frame(L);
  lua_settop(L, 3);
  const char *label = push_bound(L, "ui.checkbox", LUA_TBOOLEAN);
  bool value = lua_toboolean(L, -1);
  if (lua_isstring(L, 3)) label = lua_tostring(L, 3);
  if (sinew_ui_checkbox(host, label, &value)) {
    lua_pushboolean(L, value);
    write_bound(L);
  }
  return 1;
}

static int call_button(lua_State *L) {
  lua_pushboolean(L, sinew_ui_button(check_frame(L), lua_tostring(L, 1)));
  return 1;
}

static int call_text(lua_State *L) {
  sinew_ui_text(check_frame(L), luaL_tolstring(L, 1, NULL));
  return 0;
}

static int call_separator(lua_State *L) {
  sinew_ui_separator(check_frame(L));
  return 0;
}

/* The panel is closed whatever the function does. */
static int call_panel(lua_State *L) {
  sinew_host *host = check_frame(L);
  sinew_ui_begin(host, lua_tostring(L, 1));
  lua_settop(L, 2);
  int status = lua_pcall(L, 0, 0, 0);
  sinew_ui_end(host);
  return status == LUA_OK ? 0 : lua_error(L);
}

const api_entry api_ui_entries[] = {
    {"sinew.ui", "slider", API_FUNCTION,
     "target: any, field: string|number, minimum: number, maximum: number, label?: string", "number",
     "ui.slider(table, \"field\", 0, 1) moves the field; ui.slider(\"label\", value, 0, 1) returns the new value.",
     .call = call_slider, .cost = 500},
    {"sinew.ui", "checkbox", API_FUNCTION, "target: any, field: string|boolean, label?: string", "boolean",
     "ui.checkbox(table, \"field\") or ui.checkbox(\"label\", value).", .call = call_checkbox, .cost = 500},
    {"sinew.ui", "button", API_FUNCTION, "label: string", "boolean", "True in the frame in which it is pressed.",
     .call = call_button, .cost = 500},
    {"sinew.ui", "text", API_FUNCTION, "text: any", "", "A line of text.", .call = call_text, .cost = 500},
    {"sinew.ui", "separator", API_FUNCTION, "", "", "A line between widgets.", .call = call_separator, .cost = 500},
    {"sinew.ui", "panel", API_FUNCTION, "title: string, widgets: function", "",
     "The widgets of the function go into a panel of their own.", .call = call_panel, .cost = 500},
    {0}};
