/* Reads options into the values of a kind, by its table of fields. */
#include "core/api.h"

#include <string.h>

static void read_text(lua_State *L, const store_field *f, const char *what, char *to) {
  size_t size;
  const char *text = lua_tolstring(L, -1, &size);
  if (size == 0 || size >= (size_t)f->size) luaL_error(L, "%s: '%s' has 1 to %d bytes", what, f->name, f->size - 1);
  declarations_copy(to, (size_t)f->size, text);
}

/* Finds a word of the field; any other value is left to the code that reads the whole option. */
static int find_word(const store_field *f, const char *word) {
  int found = word ? field_word(f, word) : 0;
  return found > 0 ? found : 0;
}

/* The two members of FIELD_LOOP. */
typedef struct named_loop {
  sinew_loop_mode mode;
  int count;
} named_loop;

static void read_loop(lua_State *L, void *to) {
  named_loop loop;
  if (loop_read(L, -1, &loop.mode, &loop.count)) memcpy(to, &loop, sizeof loop);
}

static void read_size(lua_State *L, float *to) {
  if (lua_type(L, -1) == LUA_TNUMBER) to[0] = to[1] = to[2] = (float)lua_tonumber(L, -1);
  else vector_read(L, -1, to, 3);
}

/* The value on the top, which has been checked against the field's type. */
static void read_value(lua_State *L, const store_field *f, const char *what, void *values) {
  void *to = field_at(f, values);
  double number = lua_tonumber(L, -1);
  float single = (float)number;
  int whole = (int)number;
  bool flag = lua_toboolean(L, -1);
  switch (f->type) {
  case FIELD_NUMBER: memcpy(to, &number, sizeof number); break;
  case FIELD_FLOAT: memcpy(to, &single, sizeof single); break;
  case FIELD_COUNT: memcpy(to, &whole, sizeof whole); break;
  case FIELD_FLAG: memcpy(to, &flag, sizeof flag); break;
  case FIELD_WORD: whole = find_word(f, lua_tostring(L, -1)), memcpy(to, &whole, sizeof whole); break;
  case FIELD_TEXT: read_text(L, f, what, to); break;
  case FIELD_VECTOR: vector_read(L, -1, to, f->size / (int)sizeof(float)); break;
  case FIELD_ROTATION: rotation_read(L, -1, to); break;
  case FIELD_SIZE: read_size(L, to); break;
  case FIELD_TRANSFORM: transform_read(L, lua_gettop(L), to); break;
  case FIELD_LOOP: read_loop(L, to); break;
  default: break; /* fields that need a model are read elsewhere */
  }
}

void fields_read(lua_State *L, int index, const store_kind *k, const char *what, void *values) {
  index = lua_absindex(L, index);
  for (const store_field *f = k->fields; f->name; f++) {
    if (!f->spec || f->custom || field_blind[FIELD_READ] == f || !option_push(L, index, f->name)) continue;
    read_value(L, f, what, values);
    lua_pop(L, 1);
  }
}

void field_read(lua_State *L, int index, const store_field *f, const char *what, void *values) {
  if (field_blind[FIELD_READ] == f) return;
  lua_pushvalue(L, index);
  read_value(L, f, what, values);
  lua_pop(L, 1);
}

bool field_is_vector(const store_field *f) {
  return f->type == FIELD_VECTOR || f->type == FIELD_ROTATION || f->type == FIELD_SIZE;
}

static void push_loop(lua_State *L, const void *at) {
  named_loop loop;
  memcpy(&loop, at, sizeof loop);
  loop_push(L, loop.mode, loop.count);
}

void field_push(lua_State *L, const store_field *f, const void *values) {
  const void *at = field_at(f, values);
  int word;
  switch (f->type) {
  case FIELD_NUMBER: lua_pushnumber(L, *(const double *)at); break;
  case FIELD_FLOAT: lua_pushnumber(L, (lua_Number) * (const float *)at); break;
  case FIELD_FLAG: lua_pushboolean(L, *(const bool *)at); break;
  case FIELD_TEXT: lua_pushstring(L, at); break;
  case FIELD_LOOP: push_loop(L, at); break;
  case FIELD_WORD: lua_pushstring(L, f->words[(memcpy(&word, at, sizeof word), word)]); break;
  default: vector_push(L, at, f->size / (int)sizeof(float)); break;
  }
}
