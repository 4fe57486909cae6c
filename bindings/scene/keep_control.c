/* Kept values in the inspector: each number, boolean and vector of a table from sinew.keep. */
#include "core/api.h"
#include "core/scene.h"
#include "lua/plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many are shown. */
enum { SHOWN = 64 };

typedef struct kept_value {
  char name[DECLARED_NAME], key[DECLARED_NAME]; /* of sinew.keep(name).key */
} kept_value;

static int compare(const void *a, const void *b) {
  const kept_value *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : strcmp(x->key, y->key);
}

/* A query for a control, and its answer. */
typedef struct question {
  int index;
  const char *field; /* or NULL: by the index */
  const float *values;
  sinew_control *control;
  char *line;
  kept_value found;
  bool known;
} question;

/* Whether a script can write the key as .key. */
static bool is_word(const char *text) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  return text[0] && !(text[0] >= '0' && text[0] <= '9') && text[strspn(text, letters)] == '\0';
}

static bool is_shown(lua_State *L, int key, int value) {
  float unused[3];
  int type = lua_type(L, value);
  bool fits =
      type == LUA_TNUMBER || type == LUA_TBOOLEAN || (api_test(L, value, "vector") && vector_read(L, value, unused, 3));
  return fits && lua_type(L, key) == LUA_TSTRING && lua_rawlen(L, key) < DECLARED_NAME && is_word(lua_tostring(L, key));
}

/* Adds the values of the entry at the top, whose name is below it. */
static int add_values(lua_State *L, kept_value *all, int count) {
  int entry = lua_gettop(L);
  lua_getfield(L, entry, "gone");
  lua_getfield(L, entry, "value");
  bool lives = !lua_toboolean(L, -2) && lua_istable(L, -1) && lua_rawlen(L, entry - 1) < DECLARED_NAME;
  for (lua_pushnil(L); lives && lua_next(L, entry + 2); lua_pop(L, 1)) {
    if (count == SHOWN || !is_shown(L, entry + 3, entry + 4)) continue;
    declarations_copy(all[count].name, DECLARED_NAME, lua_tostring(L, entry - 1));
    declarations_copy(all[count++].key, DECLARED_NAME, lua_tostring(L, entry + 3));
  }
  lua_settop(L, entry);
  return count;
}

static void label(const kept_value *v, char out[2 * DECLARED_NAME]) {
  snprintf(out, 2 * DECLARED_NAME, "%.95s.%.95s", v->name, v->key);
}

/* Sorts by name, because Lua has no order. Leaves the entries of all names on the stack. */
static bool find(lua_State *L, question *q) {
  static kept_value all[SHOWN]; /* large */
  int count = 0, at = q->index;
  epoch_push_current(L, "keep");
  int entries = lua_gettop(L);
  if (!lua_istable(L, entries)) return false;
  for (lua_pushnil(L); lua_next(L, entries); lua_pop(L, 1)) count = add_values(L, all, count);
  qsort(all, (size_t)count, sizeof *all, compare);
  for (int i = 0; q->field && i < count; i++) {
    char name[2 * DECLARED_NAME];
    label(all + i, name);
    if (strcmp(name, q->field) == 0) at = i;
  }
  if (at < 0 || at >= count) return false;
  q->found = all[at];
  lua_getfield(L, entries, q->found.name);
  return true;
}

/* Of the value at the top. */
static void print(lua_State *L, char *out, size_t size) {
  float v[3];
  if (lua_isboolean(L, -1)) snprintf(out, size, "%s", lua_toboolean(L, -1) ? "true" : "false");
  else if (lua_isnumber(L, -1)) snprintf(out, size, "%.6g", lua_tonumber(L, -1));
  else if (vector_read(L, -1, v, 3))
    snprintf(out, size, "sinew.vec3(%.6g, %.6g, %.6g)", (double)v[0], (double)v[1], (double)v[2]);
}

static void show(lua_State *L, question *q) {
  static char name[2 * DECLARED_NAME], target[2 * DECLARED_NAME + 32];
  sinew_control *c = q->control;
  label(&q->found, name);
  snprintf(target, sizeof target, "sinew.keep(\"%s\").%s", q->found.name, q->found.key);
  *c = (sinew_control){.name = name, .target = target, .low = -HUGE_VALF, .high = HUGE_VALF};
  lua_getfield(L, -1, "declared");
  lua_getfield(L, -2, "value");
  lua_getfield(L, -2, q->found.key);
  lua_getfield(L, -2, q->found.key);
  c->is_declared = lua_rawequal(L, -1, -2) || plain_equal(L, -1, -2);
  print(L, c->lua, sizeof c->lua);
  c->type = lua_isboolean(L, -1)  ? SINEW_CONTROL_FLAG
            : lua_isnumber(L, -1) ? SINEW_CONTROL_NUMBER
                                  : SINEW_CONTROL_VECTOR;
  if (c->type == SINEW_CONTROL_FLAG) c->values[0] = (float)lua_toboolean(L, -1);
  else if (c->type == SINEW_CONTROL_NUMBER) c->values[0] = (float)lua_tonumber(L, -1);
  else vector_read(L, -1, c->values, 3);
}

/* Keeps the type: an integer stays one. */
static void give(lua_State *L, const question *q) {
  lua_getfield(L, -1, "value");
  lua_getfield(L, -1, q->found.key);
  int type = lua_type(L, -1);
  bool whole = lua_isinteger(L, -1);
  lua_pop(L, 1);
  if (type == LUA_TBOOLEAN) lua_pushboolean(L, q->values[0] != 0);
  else if (whole) lua_pushinteger(L, (lua_Integer)lroundf(q->values[0]));
  else if (type == LUA_TNUMBER) lua_pushnumber(L, (lua_Number)q->values[0]);
  else vector_push(L, q->values, 3);
  lua_setfield(L, -2, q->found.key);
}

static int answer(lua_State *L) {
  question *q = lua_touserdata(L, 1);
  if (!find(L, q)) return 0;
  q->known = true;
  if (q->control) show(L, q);
  if (q->values) give(L, q);
  if (!q->line) return 0;
  lua_getfield(L, -1, "line");
  declarations_copy(q->line, DECLARED_LINE, lua_tostring(L, -1));
  return 0;
}

bool kept_control(sinew_scene *scene, int index, sinew_control *out) {
  question q = {.index = index, .control = out};
  return scene_protect(scene, answer, &q) && q.known;
}

void kept_set_control(sinew_scene *scene, int index, const float values[3]) {
  scene_protect(scene, answer, &(question){.index = index, .values = values});
}

bool kept_line(sinew_scene *scene, const char *name, char line[DECLARED_LINE], char path[DECLARED_NAME]) {
  question q = {.index = -1, .field = name, .line = line};
  if (!scene_protect(scene, answer, &q) || !q.known) return false;
  declarations_copy(path, DECLARED_NAME, q.found.key);
  return true;
}
