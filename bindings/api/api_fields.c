/* Reads options into the values of a kind, by its table of fields. */
#include "api/api.h"

#include <string.h>

static void read_text(lua_State *L, const store_field *f, const char *what, char *to) {
  size_t size;
  const char *text = lua_tolstring(L, -1, &size);
  if (size == 0 || size >= (size_t)f->size) luaL_error(L, "%s: '%s' has 1 to %d bytes", what, f->name, f->size - 1);
  world_copy(to, (size_t)f->size, text);
}

/* What is no word at all is for who reads the rest of it. */
static int find_word(const store_field *f, const char *word) {
  int found = 0;
  if (!word) return 0;
  while (f->words[found] && strcmp(f->words[found], word) != 0) found++;
  return f->words[found] ? found : 0;
}

static void read_loop(lua_State *L, void *to) {
  struct {
    sinew_loop_mode mode;
    int count;
  } loop;
  if (loop_read(L, -1, &loop.mode, &loop.count)) memcpy(to, &loop, sizeof loop);
}

/* The value on the top, which has been checked against the field's type. */
static void read_value(lua_State *L, const store_field *f, const char *what, void *to) {
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
  case FIELD_TRANSFORM: transform_read(L, lua_gettop(L), to); break;
  case FIELD_LOOP: read_loop(L, to); break;
  default: break; /* what needs a model is read by who has it */
  }
}

void fields_read(lua_State *L, int index, const store_kind *k, const char *what, void *values) {
  index = lua_absindex(L, index);
  for (const store_field *f = k->fields; f->name; f++) {
    if (!f->spec || field_blind[FIELD_READ] == f || !option_push(L, index, f->name)) continue;
    read_value(L, f, what, field_at(f, values));
    lua_pop(L, 1);
  }
}
