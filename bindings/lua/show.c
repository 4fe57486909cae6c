#include "lua/show.h"

#include <ctype.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 76, DEPTH = 5, ITEMS = 60, COLUMNS = 10, CELL = 28 };

typedef struct page {
  char *out;
  size_t size, used;
  bool full;
} page;

/* ---- writing ---- */

/* Cut between characters. */
static void put_bytes(page *p, const char *text, size_t length) {
  size_t room = p->size - p->used - 1;
  if (p->full || length > room) {
    length = p->full ? 0 : room;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
    p->full = true;
  }
  memcpy(p->out + p->used, text, length);
  p->used += length;
  p->out[p->used] = 0;
}

static void put(page *p, const char *text) { put_bytes(p, text, strlen(text)); }

static void put_blanks(page *p, int count) {
  for (int i = 0; i < count; i++) put(p, " ");
}

static int width_of(const char *text) {
  int width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
  return width;
}

static void put_quoted(page *p, const char *text, size_t length) {
  put(p, "\"");
  for (size_t i = 0; i < length; i++) {
    char escaped[8];
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\') snprintf(escaped, sizeof escaped, "\\%c", c);
    else if (c == '\n') snprintf(escaped, sizeof escaped, "\\n");
    else if (c < 0x20 || c == 0x7f) snprintf(escaped, sizeof escaped, "\\%03d", c);
    else {
      put_bytes(p, text + i, 1);
      continue;
    }
    put(p, escaped);
  }
  put(p, "\"");
}

/* ---- values ---- */

static void put_number(lua_State *L, int index, page *p) {
  char text[40];
  if (lua_isinteger(L, index)) snprintf(text, sizeof text, LUA_INTEGER_FMT, (LUAI_UACINT)lua_tointeger(L, index));
  else snprintf(text, sizeof text, "%.6g", (double)lua_tonumber(L, index));
  put(p, text);
}

static void put_scalar(lua_State *L, int index, page *p, bool quoted) {
  size_t length;
  index = lua_absindex(L, index);
  if (lua_type(L, index) == LUA_TNUMBER) {
    put_number(L, index, p);
    return;
  }
  const char *text = luaL_tolstring(L, index, &length);
  if (quoted && lua_type(L, index) == LUA_TSTRING) put_quoted(p, text, length);
  else put_bytes(p, text, length);
  lua_pop(L, 1);
}

static bool is_plain_table(lua_State *L, int index) {
  if (!lua_istable(L, index)) return false;
  if (luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) return true;
  lua_pop(L, 1);
  return false;
}

/* Order of keys: numbers, then texts, then all others. */
static int rank(int type) { return type == LUA_TNUMBER ? 0 : type == LUA_TSTRING ? 1 : 2; }

static bool comes_after(lua_State *L, int a, int b) {
  int first = rank(lua_type(L, a)), second = rank(lua_type(L, b));
  if (first != second) return first > second;
  if (first == 0) return lua_tonumber(L, a) > lua_tonumber(L, b);
  return first == 1 && strcmp(lua_tostring(L, a), lua_tostring(L, b)) > 0;
}

/* Pushes a sorted list of the keys outside the list part, as many as are shown. True if there are more. */
static bool push_keys(lua_State *L, int table, lua_Integer listed) {
  lua_Integer count = 0;
  bool more = false;
  lua_newtable(L);
  int keys = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    bool in_list = lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= listed;
    if (in_list) continue;
    more = more || count == ITEMS;
    if (more) continue;
    lua_pushvalue(L, -1);
    lua_rawseti(L, keys, ++count);
  }
  for (lua_Integer i = 2; i <= count; i++)
    for (lua_Integer k = i; k > 1; k--) {
      lua_rawgeti(L, keys, k - 1);
      lua_rawgeti(L, keys, k);
      bool swap = comes_after(L, -2, -1);
      if (swap) {
        lua_rawseti(L, keys, k - 1);
        lua_rawseti(L, keys, k);
      } else {
        lua_pop(L, 2);
        break;
      }
    }
  return more;
}

typedef struct layout {
  int indent, depth;
  bool flat;
} layout;

static void put_value(lua_State *L, int index, page *p, layout l);

static bool is_name(const char *text) {
  if (!isalpha((unsigned char)text[0]) && text[0] != '_') return false;
  for (; *text; text++)
    if (!isalnum((unsigned char)*text) && *text != '_') return false;
  return true;
}

static void put_key(lua_State *L, int index, page *p) {
  if (lua_type(L, index) == LUA_TSTRING && is_name(lua_tostring(L, index))) {
    put(p, lua_tostring(L, index));
  } else {
    put(p, "[");
    put_scalar(L, index, p, true);
    put(p, "]");
  }
  put(p, " = ");
}

static void begin_item(page *p, layout l, bool first) {
  if (l.flat) {
    put(p, first ? " " : ", ");
    return;
  }
  put(p, first ? "\n" : ",\n");
  put_blanks(p, l.indent + 2);
}

/* Writes the items; the table is at an absolute index. */
static void put_items(lua_State *L, int table, page *p, layout l) {
  layout inner = {l.indent + 2, l.depth + 1, l.flat};
  lua_Integer listed = (lua_Integer)lua_rawlen(L, table), shown = listed < ITEMS ? listed : ITEMS;
  bool first = true;
  for (lua_Integer i = 1; i <= shown && !p->full; i++, first = false) {
    begin_item(p, l, first);
    lua_rawgeti(L, table, i);
    put_value(L, lua_gettop(L), p, inner);
    lua_pop(L, 1);
  }
  bool more = push_keys(L, table, listed) || listed > shown;
  int keys = lua_gettop(L);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, keys) && !p->full; i++, first = false) {
    begin_item(p, l, first);
    lua_rawgeti(L, keys, i);
    put_key(L, keys + 1, p);
    lua_rawget(L, table);
    put_value(L, keys + 1, p, inner);
    lua_settop(L, keys);
  }
  lua_pop(L, 1);
  if (more) begin_item(p, l, first), put(p, "…");
}

/* Writes it on one line; if it does not fit, returns false and writes nothing. */
static bool put_flat(lua_State *L, int table, page *p, layout l) {
  char line[LINE * 4];
  page q = {line, sizeof line, 0, false};
  line[0] = 0;
  put(&q, "{");
  put_items(L, table, &q, (layout){l.indent, l.depth, true});
  put(&q, strlen(line) > 1 ? " }" : "}");
  if (q.full || strchr(line, '\n') || width_of(line) + l.indent > LINE) return false;
  put(p, line);
  return true;
}

static void put_table(lua_State *L, int table, page *p, layout l) {
  if (l.depth >= DEPTH) {
    put(p, "{…}");
  } else if (l.flat) {
    put(p, "{");
    put_items(L, table, p, l);
    put(p, p->out[p->used - 1] == '{' ? "}" : " }");
  } else if (!put_flat(L, table, p, l)) {
    put(p, "{");
    put_items(L, table, p, l);
    put(p, "\n");
    put_blanks(p, l.indent);
    put(p, "}");
  }
}

static void put_value(lua_State *L, int index, page *p, layout l) {
  luaL_checkstack(L, 12, "a table");
  if (is_plain_table(L, index)) put_table(L, index, p, l);
  else put_scalar(L, index, p, true);
}

/* ---- columns ---- */

typedef struct columns {
  int table;
  char names[COLUMNS][CELL * 4];
  int widths[COLUMNS], count, rows;
} columns;

static void read_cell(lua_State *L, int row, const char *name, char out[CELL * 4]) {
  page p = {out, CELL * 4, 0, false};
  out[0] = 0;
  if (lua_getfield(L, row, name) != LUA_TNIL) put_scalar(L, -1, &p, false);
  lua_pop(L, 1);
  for (char *c = out; *c; c++)
    if (*c == '\n') *c = ' ';
}

/* Whether the row at the top has only named values that are no tables; adds its keys to the columns. */
static bool add_columns(lua_State *L, columns *c) {
  int row = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, row)) {
    bool fits = lua_type(L, -2) == LUA_TSTRING && !is_plain_table(L, -1) && strlen(lua_tostring(L, -2)) < CELL;
    int found = 0;
    while (fits && found < c->count && strcmp(c->names[found], lua_tostring(L, -2)) != 0) found++;
    if (!fits || found == COLUMNS) return lua_settop(L, row), false;
    if (found == c->count) strcpy(c->names[c->count++], lua_tostring(L, -2));
    lua_pop(L, 1);
  }
  return true;
}

static int compare_names(const void *a, const void *b) { return strcmp(a, b); }

/* A list of two records or more. */
static bool find_columns(lua_State *L, columns *c) {
  lua_Integer count = (lua_Integer)lua_rawlen(L, c->table);
  if (count < 2 || count > ITEMS) return false;
  lua_pushnil(L);
  for (int keys = 0; lua_next(L, c->table); lua_pop(L, 1))
    if (++keys > count) return lua_pop(L, 2), false;
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, c->table, i);
    bool good = is_plain_table(L, lua_gettop(L)) && lua_rawlen(L, -1) == 0 && add_columns(L, c);
    lua_pop(L, 1);
    if (!good) return false;
  }
  c->rows = (int)count;
  qsort(c->names, (size_t)c->count, sizeof c->names[0], compare_names);
  return c->count > 0;
}

static void put_row(lua_State *L, columns *c, int row, page *p) {
  char text[CELL * 4];
  for (int i = 0; i < c->count; i++) {
    if (row > 0) read_cell(L, lua_gettop(L), c->names[i], text);
    else strcpy(text, c->names[i]);
    int width = width_of(text);
    if (!p) c->widths[i] = width > c->widths[i] ? width : c->widths[i];
    else put(p, text), put_blanks(p, i + 1 < c->count ? c->widths[i] - width + 2 : 0);
  }
}

/* Runs once to find the widths, and once to write. */
static bool put_columns(lua_State *L, int table, page *p) {
  columns c = {.table = table};
  if (!find_columns(L, &c)) return false;
  for (int pass = 0; pass < 2; pass++)
    for (int row = 0; row <= c.rows; row++) {
      if (row > 0) lua_rawgeti(L, table, row);
      put_row(L, &c, row, pass ? p : NULL);
      if (row > 0) lua_pop(L, 1);
      if (pass && row < c.rows) put(p, "\n");
    }
  return true;
}

/* ---- */

static void end_page(page *p) {
  static const char more[] = "…";
  size_t at = p->size > sizeof more ? p->size - sizeof more : 0;
  if (!p->full || p->size <= sizeof more) return;
  if (p->used < at) at = p->used;
  while (at > 0 && ((unsigned char)p->out[at] & 0xC0) == 0x80) at--;
  memcpy(p->out + at, more, sizeof more);
}

void show_value(lua_State *L, int index, char *out, size_t size) {
  page p = {out, size, 0, false};
  if (size == 0) return;
  out[0] = 0;
  index = lua_absindex(L, index);
  luaL_checkstack(L, 12, "a table");
  if (!is_plain_table(L, index)) put_scalar(L, index, &p, false);
  else if (!put_columns(L, index, &p)) put_table(L, index, &p, (layout){0, 0, false});
  end_page(&p);
}

/* ---- values of a function that failed ---- */

/* On one line; false for what says nothing: functions, and tables that would run a script's __tostring. */
bool show_short(lua_State *L, int index, char out[SHOW_SHORT]) {
  int type = lua_type(L, index);
  bool quoted = type == LUA_TSTRING, own = type == LUA_TTABLE && lua_getmetatable(L, index);
  if (own) return lua_pop(L, 1), false;
  if (type == LUA_TFUNCTION || type == LUA_TTHREAD || type == LUA_TLIGHTUSERDATA) return false;
  if (type == LUA_TTABLE) show_value(L, index, out, SHOW_SHORT);
  else snprintf(out, SHOW_SHORT, quoted ? "\"%.60s\"" : "%.60s", luaL_tolstring(L, index, NULL)), lua_pop(L, 1);
  for (char *c = out; *c; c++)
    if (*c == '\n') *c = ' ';
  return true;
}

/* Adds "\n  name = value". */
void show_entry(char *out, size_t size, const char *name, int length, const char *value) {
  size_t used = strlen(out);
  snprintf(out + used, size - used, "\n  %.*s = %s", length, name, value);
}

/* A later local of a name hides the earlier ones. */
static bool is_hidden(lua_State *L, lua_Debug *info, int index, const char *name) {
  const char *other;
  for (int i = index + 1; (other = lua_getlocal(L, info, i)); i++) {
    lua_pop(L, 1);
    if (strcmp(other, name) == 0) return true;
  }
  return false;
}

enum { LOCALS = 8 };

void show_locals(lua_State *L, lua_Debug *info, char *out, size_t size) {
  const char *name;
  int shown = 0;
  out[0] = 0;
  if (!lua_checkstack(L, 20)) return;
  for (int i = 1; shown < LOCALS && (name = lua_getlocal(L, info, i)); i++) {
    char value[SHOW_SHORT];
    bool own = name[0] != '(' && !is_hidden(L, info, i, name) && show_short(L, lua_gettop(L), value);
    lua_pop(L, 1);
    if (!own) continue;
    if (shown++ == 0) snprintf(out, size, "\nlocals:");
    show_entry(out, size, name, (int)strlen(name), value);
  }
}
