#include "core/api.h"

#include <math.h>
#include <string.h>

enum { CANDIDATES = 128 };

static sinew_host *check_frame(lua_State *L) {
  if (!scene_of(L)->in_frame) luaL_error(L, "widgets are drawn each frame: call them from sinew.update or sinew.draw");
  return scene_of(L)->host;
}

/* Labels are laid out and drawn in one piece. */
static const char *label_at(lua_State *L, int index) {
  enum { BYTES = 1023 };
  size_t size = 0;
  const char *label = lua_tolstring(L, index, &size);
  if (size > BYTES) luaL_error(L, "a label has at most %d bytes (this one has %I)", BYTES, (LUAI_UACINT)size);
  return label;
}

/* Names of suitable values in the table, for "did you mean". */
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

/* Accepts both forms, (label, value, …) and (table, "field", …): pushes the value and returns the label. */
static const char *push_bound(lua_State *L, const char *widget, int type) {
  if (lua_type(L, 1) == LUA_TSTRING) {
    if (lua_type(L, 2) != type) luaL_error(L, "%s: after a label comes the value, a %s", widget, lua_typename(L, type));
    lua_pushvalue(L, 2);
    return label_at(L, 1);
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
  return label_at(L, 2);
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
  if (lua_isstring(L, 5)) label = label_at(L, 5);
  if (low > high)
    return luaL_error(L, "ui.slider: 'minimum' %f is above 'maximum' %f", api_rounded((double)low),
                      api_rounded((double)high));
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
  if (lua_isstring(L, 3)) label = label_at(L, 3);
  if (sinew_ui_checkbox(host, label, &value)) {
    lua_pushboolean(L, value);
    write_bound(L);
  }
  return 1;
}

static int call_button(lua_State *L) {
  lua_pushboolean(L, sinew_ui_button(check_frame(L), label_at(L, 1)));
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

static int call_drag(lua_State *L) {
  sinew_host *host = check_frame(L);
  lua_settop(L, 6);
  const char *label = push_bound(L, "ui.drag", LUA_TNUMBER);
  float step = (float)luaL_optnumber(L, 3, 0.01), value = (float)lua_tonumber(L, -1);
  float low = (float)luaL_optnumber(L, 4, -HUGE_VAL), high = (float)luaL_optnumber(L, 5, HUGE_VAL);
  if (lua_isstring(L, 6)) label = label_at(L, 6);
  if (low > high)
    return luaL_error(L, "ui.drag: 'minimum' %f is above 'maximum' %f", api_rounded((double)low),
                      api_rounded((double)high));
  if (sinew_ui_drag(host, label, &value, step, low, high)) {
    lua_pushnumber(L, (lua_Number)value);
    write_bound(L);
  }
  return 1;
}

/* The texts of a list live as long as its table. */
static int read_items(lua_State *L, int index, const char **items, const char *chosen, int *position) {
  size_t size = lua_rawlen(L, index);
  if (size > CANDIDATES) luaL_error(L, "ui.combo: there are %d items at most", CANDIDATES);
  int count = (int)size;
  *position = -1;
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, index, i + 1) != LUA_TSTRING) luaL_error(L, "ui.combo: item %d is not a string", i + 1);
    items[i] = label_at(L, -1);
    if (strcmp(items[i], chosen) == 0) *position = i;
    lua_pop(L, 1);
  }
  return count;
}

static int call_combo(lua_State *L) {
  const char *items[CANDIDATES];
  int chosen;
  sinew_host *host = check_frame(L);
  lua_settop(L, 4);
  const char *label = push_bound(L, "ui.combo", LUA_TSTRING);
  int count = read_items(L, 3, items, lua_tostring(L, -1), &chosen);
  if (lua_isstring(L, 4)) label = label_at(L, 4);
  if (sinew_ui_combo(host, label, items, count, &chosen)) {
    lua_pushstring(L, items[chosen]);
    write_bound(L);
  }
  return 1;
}

static int call_color(lua_State *L) {
  float rgb[3];
  sinew_host *host = check_frame(L);
  lua_settop(L, 3);
  bool labelled = lua_type(L, 1) == LUA_TSTRING;
  const char *label = label_at(L, labelled ? 1 : 2);
  if (!label) return luaL_error(L, "ui.color: after a table comes the name of a field");
  lua_pushvalue(L, 2);
  if (!labelled) lua_gettable(L, 1);
  if (!vector_read(L, lua_gettop(L), rgb, 3))
    return luaL_error(L, "ui.color: '%s' is not a color {red, green, blue}", label);
  if (lua_isstring(L, 3)) label = label_at(L, 3);
  if (sinew_ui_color(host, label, rgb)) {
    vector_push(L, rgb, 3);
    write_bound(L);
  }
  return 1;
}

static int call_plot(lua_State *L) {
  enum { VALUES = 1024 };
  float values[VALUES];
  sinew_host *host = check_frame(L);
  lua_Integer all = (lua_Integer)lua_rawlen(L, 2), first = all > VALUES ? all - VALUES : 0;
  for (lua_Integer i = first; i < all; i++) {
    lua_rawgeti(L, 2, i + 1);
    values[i - first] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  float low = (float)luaL_optnumber(L, 3, -HUGE_VAL), high = (float)luaL_optnumber(L, 4, HUGE_VAL);
  sinew_ui_plot(host, label_at(L, 1), values, (int)(all - first), low, high);
  return 0;
}

/* { time, "name" }, as in model:markers. */
static int read_marks(lua_State *L, int index, sinew_marker *marks, double duration) {
  size_t size = lua_istable(L, index) ? lua_rawlen(L, index) : 0;
  if (size > CANDIDATES) luaL_error(L, "ui.timeline: there are %d marks at most", CANDIDATES);
  int count = (int)size;
  for (int i = 0; i < count; i++) {
    bool fits = lua_rawgeti(L, index, i + 1) == LUA_TTABLE && lua_rawgeti(L, -1, 1) == LUA_TNUMBER &&
                lua_rawgeti(L, -2, 2) == LUA_TSTRING; /* a number as text would be collected */
    if (!fits) luaL_error(L, "ui.timeline: a mark is { time, \"name\" }");
    marks[i] = (sinew_marker){.time = lua_tonumber(L, -2), .name = label_at(L, -1)};
    if (!(marks[i].time >= 0 && marks[i].time <= duration))
      luaL_error(L, "ui.timeline: mark %d lies outside of 0 to %f s", i + 1, api_rounded(duration));
    lua_pop(L, 3);
  }
  return count;
}

static int call_timeline(lua_State *L) {
  sinew_marker marks[CANDIDATES];
  sinew_host *host = check_frame(L);
  lua_settop(L, 5);
  const char *label = push_bound(L, "ui.timeline", LUA_TNUMBER);
  double time = lua_tonumber(L, -1);
  sinew_timeline line = {.duration = lua_tonumber(L, 3), .marks = marks};
  line.mark_count = read_marks(L, 4, marks, line.duration);
  if (lua_isstring(L, 5)) label = label_at(L, 5);
  if (sinew_ui_timeline(host, label, &line, &time)) {
    lua_pushnumber(L, time);
    write_bound(L);
  }
  return 1;
}

/* Calls `end`, whatever the function at the top does. */
static void run_within(lua_State *L, sinew_host *host, void (*end)(sinew_host *)) {
  int status = lua_pcall(L, 0, 0, 0);
  end(host);
  if (status != LUA_OK) lua_error(L);
}

static int call_panel(lua_State *L) {
  sinew_host *host = check_frame(L);
  sinew_ui_begin(host, label_at(L, 1));
  lua_settop(L, 2);
  run_within(L, host, sinew_ui_end);
  return 0;
}

static int call_tree(lua_State *L) {
  sinew_host *host = check_frame(L);
  bool open = lua_toboolean(L, 3);
  lua_settop(L, 2);
  if (sinew_ui_begin_tree(host, label_at(L, 1), open)) run_within(L, host, sinew_ui_end_tree);
  return 0;
}

/* Pushes the tab, its label and its function. The function of an earlier tab may have changed the list. */
static void push_tab(lua_State *L, int list, lua_Integer i) {
  bool fits = lua_rawgeti(L, list, i) == LUA_TTABLE && lua_rawgeti(L, -1, 1) == LUA_TSTRING &&
              lua_rawgeti(L, -2, 2) == LUA_TFUNCTION;
  if (!fits) luaL_error(L, "ui.tabs: a tab is { \"label\", function } (number %d)", (int)i);
}

static void check_tabs(lua_State *L) {
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, 2); i++) {
    push_tab(L, 2, i);
    lua_settop(L, 2);
  }
}

static int draw_tabs(lua_State *L) {
  sinew_host *host = check_frame(L);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, 1); i++) {
    push_tab(L, 1, i);
    if (sinew_ui_begin_tab(host, label_at(L, -2))) run_within(L, host, sinew_ui_end_tab);
    lua_settop(L, 1);
  }
  return 0;
}

static int call_tabs(lua_State *L) {
  sinew_host *host = check_frame(L);
  lua_settop(L, 2);
  check_tabs(L);
  if (!sinew_ui_begin_tabs(host, label_at(L, 1))) return 0;
  lua_pushcfunction(L, draw_tabs);
  lua_insert(L, 2);
  int status = lua_pcall(L, 1, 0, 0);
  sinew_ui_end_tabs(host);
  return status == LUA_OK ? 0 : lua_error(L);
}

const api_entry api_ui_entries[] = {
    {"sinew.ui", "slider", API_FUNCTION,
     "target: any, field: string|number, minimum: number, maximum: number, label?: string", "number",
     "ui.slider(table, \"field\", 0, 1) edits the field; ui.slider(\"label\", value, 0, 1) returns the new value.",
     .call = call_slider, .cost = 500},
    {"sinew.ui", "checkbox", API_FUNCTION, "target: any, field: string|boolean, label?: string", "boolean",
     "ui.checkbox(table, \"field\") or ui.checkbox(\"label\", value).", .call = call_checkbox, .cost = 500},
    {"sinew.ui", "drag", API_FUNCTION,
     "target: any, field: string|number, step?: number, minimum?: number, maximum?: number, label?: string", "number",
     "A slider without ends: the number changes by `step` (0.01) for each pixel that the mouse moves.",
     .call = call_drag, .cost = 500},
    {"sinew.ui", "combo", API_FUNCTION, "target: any, field: string, items: list, label?: string", "string",
     "ui.combo(table, \"clip\", {\"Idle\", \"Walk\"}) or ui.combo(\"label\", \"Idle\", items): one of several strings.",
     .call = call_combo, .cost = 500},
    {"sinew.ui", "color", API_FUNCTION, "target: any, field: string|vec3, label?: string", "vec3",
     "A color {red, green, blue} from 0 to 1: ui.color(table, \"field\") or ui.color(\"label\", {1, 0, 0}).",
     .call = call_color, .cost = 500},
    {"sinew.ui", "plot", API_FUNCTION, "label: string, values: list, minimum?: number, maximum?: number", "",
     "Plots a list of numbers, the last 1,024 of them.", .call = call_plot, .cost = 1000},
    {"sinew.ui", "timeline", API_FUNCTION,
     "target: any, field: string|number, duration: seconds, marks?: table, label?: string", "number",
     "A timeline to scrub: ui.timeline(walk, \"time\", walk.duration, { { 0.4, \"step\" } }).", .call = call_timeline,
     .cost = 500},
    {"sinew.ui", "button", API_FUNCTION, "label: string", "boolean",
     "A button; true in the frame in which it is pressed.", .call = call_button, .cost = 500},
    {"sinew.ui", "text", API_FUNCTION, "text: any", "", "A line of text.", .call = call_text, .cost = 500},
    {"sinew.ui", "separator", API_FUNCTION, "", "", "A line between widgets.", .call = call_separator, .cost = 500},
    {"sinew.ui", "panel", API_FUNCTION, "title: string, widgets: function", "",
     "Puts the widgets that the function makes into a panel of their own.", .call = call_panel, .cost = 500},
    {"sinew.ui", "tree", API_FUNCTION, "label: string, widgets: function, open?: boolean", "",
     "Widgets that can be folded away; with open = true they start unfolded.", .call = call_tree, .cost = 500},
    {"sinew.ui", "tabs", API_FUNCTION, "label: string, tabs: list", "",
     "Tabs, one of which is open: ui.tabs(\"parts\", { { \"Body\", function() end }, { \"Face\", function() end "
     "} }).",
     .call = call_tabs, .cost = 500},
    {0}};
