/* Completes a line of the console. It never runs the scene's code: tables are read raw, objects by the API's table. */
#include "core/api.h"
#include "core/scene.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 2048, NAME = 128 };

typedef struct completion {
  const char *text;
  size_t word; /* the start of the name being typed */
  int *from, count;
  char *out;
  size_t size;
} completion;

static bool is_name_char(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

/* ---- the list: the keys of the table at the top ---- */

static void add(lua_State *L, const completion *c, const char *name) {
  const char *typed = c->text + c->word;
  if (!name || strncmp(name, typed, strlen(typed)) != 0 || strlen(name) >= NAME || strchr(name, '\n')) return;
  lua_pushboolean(L, 1);
  lua_setfield(L, -2, name);
}

static void add_keys(lua_State *L, const completion *c, int table) {
  int list = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING) continue;
    const char *name = lua_tostring(L, -1);
    lua_pushvalue(L, list);
    add(L, c, name);
    lua_pop(L, 1);
  }
}

static int compare(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* The list holds the keys, and so their texts stay alive. */
static void write_list(lua_State *L, completion *c) {
  const char **names = lua_newuserdatauv(L, NAMES * sizeof *names, 0);
  int count = 0, list = lua_gettop(L) - 1;
  size_t used = 0;
  lua_pushnil(L);
  while (lua_next(L, list)) {
    lua_pop(L, 1);
    if (count < NAMES) names[count++] = lua_tostring(L, -1);
  }
  qsort(names, (size_t)count, sizeof *names, compare);
  for (int i = 0; i < count && used + strlen(names[i]) + 2 <= c->size; i++, c->count++)
    used += (size_t)snprintf(c->out + used, c->size - used, "%s\n", names[i]);
  *c->from = (int)c->word;
}

/* ---- the expression before the name ---- */

/* Begins of the chain of names that ends at `end`: hero.params. */
static size_t chain_begin(const char *text, size_t end) {
  while (end > 0 && (is_name_char(text[end - 1]) || text[end - 1] == '.' || text[end - 1] == ':')) end--;
  return end;
}

/* The actor to which a table of parameters, morph targets or modifiers belongs. */
typedef struct chain {
  const actor_record *actor;
  char part[NAME];
} chain;

static const char *owner_of(lua_State *L, int index) {
  const char *owner = NULL;
  if (lua_isuserdata(L, index) && luaL_getmetafield(L, index, "__name") == LUA_TSTRING) {
    owner = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  return owner;
}

static const api_entry *find_member(const char *owner, const char *name) {
  for (const api_entry *const *table = api_tables; owner && *table; table++)
    for (const api_entry *e = *table; e->owner; e++)
      if (strcmp(e->owner, owner) == 0 && strcmp(e->name, name) == 0) return e;
  return NULL;
}

/* Replaces the value at the top by its field. Fields of objects are read by functions of ours. */
static void step_into(lua_State *L, const char *name, chain *c) {
  int value = lua_gettop(L);
  const char *owner = owner_of(L, value);
  *c = (chain){0};
  if (owner && strcmp(owner, "actor") == 0) {
    c->actor = actor_check(L, value);
    snprintf(c->part, sizeof c->part, "%s", name);
  }
  const api_entry *member = find_member(owner, name);
  if (lua_istable(L, value)) {
    lua_pushstring(L, name);
    lua_rawget(L, value);
  } else if (member && member->kind == API_FIELD) {
    lua_getfield(L, value, name);
  } else {
    lua_pushnil(L);
  }
  lua_replace(L, value);
}

/* Pushes the value of the chain in text[begin .. end). */
static void push_chain(lua_State *L, const char *text, size_t begin, size_t end, chain *c) {
  char name[NAME];
  bool first = true;
  *c = (chain){0};
  lua_pushnil(L);
  while (begin < end) {
    size_t length = 0;
    while (begin + length < end && is_name_char(text[begin + length])) length++;
    snprintf(name, sizeof name, "%.*s", (int)length, text + begin);
    if (first) lua_pop(L, 1), console_push(L, name);
    else step_into(L, name, c);
    first = false;
    begin += length + 1;
  }
}

/* ---- names of objects ---- */

static void add_members(lua_State *L, const completion *c, const char *owner, bool methods) {
  for (const api_entry *const *table = api_tables; *table; table++)
    for (const api_entry *e = *table; e->owner; e++) {
      bool fits = methods ? e->kind == API_METHOD : e->kind != API_METHOD && e->kind != API_OPTION;
      if (fits && strcmp(e->owner, owner) == 0) add(L, c, e->name);
    }
}

/* sinew.ui is a field of sinew because it is a module. */
static void add_modules(lua_State *L, const completion *c, const char *owner) {
  size_t length = strlen(owner);
  for (const api_entry *const *table = api_tables; *table; table++)
    for (const api_entry *e = *table; e->owner; e++)
      if (strncmp(e->owner, owner, length) == 0 && e->owner[length] == '.') add(L, c, e->owner + length + 1);
}

static void add_part(lua_State *L, const completion *c, const chain *from) {
  const declarations *all = &scene_of(L)->declarations;
  sinew_actor id = from->actor->actor;
  if (strcmp(from->part, "params") == 0)
    for (int i = 0; i < sinew_actor_param_count(all->stage, id); i++)
      add(L, c, sinew_actor_param_name(all->stage, id, i));
  if (strcmp(from->part, "modifiers") == 0)
    for (int i = 0; i < sinew_actor_modifier_count(all->stage, id); i++)
      add(L, c, sinew_actor_modifier_name(all->stage, id, i));
  const sinew_model *model = declarations_actor_model(all, from->actor);
  if (strcmp(from->part, "morphs") == 0)
    for (int i = 0; i < sinew_model_morph_count(model); i++) add(L, c, sinew_model_morph_name(model, i));
}

/* The value is below the list. */
static void add_fields(lua_State *L, const completion *c, bool methods, const chain *from) {
  int value = lua_gettop(L) - 1;
  const char *owner = owner_of(L, value);
  if (from->actor) add_part(L, c, from);
  if (lua_istable(L, value)) add_keys(L, c, value);
  if (!owner) return;
  add_members(L, c, owner, methods);
  if (!methods) add_modules(L, c, owner);
}

static void add_variables(lua_State *L, const completion *c) {
  int list = lua_gettop(L);
  static const char *const words[] = {"and", "false", "for", "function", "if",   "local",
                                      "nil", "not",   "or",  "return",   "then", "true"};
  lua_newtable(L);
  locals_add_names(L);
  lua_pushvalue(L, list);
  add_keys(L, c, list + 1);
  epoch_push(L, "env");
  lua_pushvalue(L, list);
  add_keys(L, c, list + 3);
  const declarations *all = &scene_of(L)->declarations;
  for (int i = 0; i < sinew_stage_actor_count(all->stage); i++) {
    const char *name = sinew_actor_name(all->stage, sinew_stage_actor(all->stage, i));
    if (name && !isdigit((unsigned char)name[0]) && !strpbrk(name, " \"'./\\-")) add(L, c, name);
  }
  for (size_t i = 0; i < sizeof words / sizeof *words && c->text[c->word]; i++) add(L, c, words[i]);
  lua_settop(L, list);
}

/* ---- names in quotes ---- */

/* The model to which names of clips and joints refer; the value is an actor, a layer or a model. */
static const sinew_model *model_of(lua_State *L, int index) {
  const declarations *all = &scene_of(L)->declarations;
  const char *owner = owner_of(L, index);
  if (!owner) return NULL;
  if (strcmp(owner, "actor") == 0) return declarations_actor_model(all, actor_check(L, index));
  if (strcmp(owner, "model") == 0) return model_check(L, index);
  const layer_handle *layer = strcmp(owner, "layer") == 0 ? lua_touserdata(L, index) : NULL;
  for (int i = 0; layer && i < sinew_stage_actor_count(all->stage); i++) {
    sinew_actor id = sinew_stage_actor(all->stage, i);
    const actor_record *record = declarations_find_actor(all, sinew_actor_name(all->stage, id));
    if (record && record->head.id == layer->actor) return declarations_actor_model(all, record);
  }
  return NULL;
}

static void add_content(lua_State *L, const completion *c, const api_argument *argument, const sinew_model *model) {
  bool clip = strncmp(argument->types, "clip", 4) == 0, joint = strncmp(argument->types, "joint", 5) == 0;
  for (int i = 0; clip && i < sinew_model_clip_count(model); i++)
    add(L, c, sinew_clip_name(sinew_model_clip(model, i)));
  for (int i = 1; joint && i < sinew_model_joint_count(model); i++) add(L, c, sinew_model_joint_name(model, i));
}

/* hero:play "Wa, hero:explain("Ri: the first argument of a method, a string not closed yet. */
static bool add_quoted(lua_State *L, const completion *c, size_t quote) {
  char method[NAME];
  chain from;
  size_t end = quote;
  while (end > 0 && (isspace((unsigned char)c->text[end - 1]) || c->text[end - 1] == '(')) end--;
  size_t name = end;
  while (name > 0 && is_name_char(c->text[name - 1])) name--;
  if (name == end || name == 0 || c->text[name - 1] != ':') return false;
  snprintf(method, sizeof method, "%.*s", (int)(end - name), c->text + name);
  push_chain(L, c->text, chain_begin(c->text, name - 1), name - 1, &from);
  const api_entry *member = find_member(owner_of(L, lua_gettop(L)), method);
  const sinew_model *model = model_of(L, lua_gettop(L));
  lua_pop(L, 1);
  api_argument argument;
  if (member && model && member->spec[0] && (api_next_argument(member->spec, &argument), true))
    add_content(L, c, &argument, model);
  return true;
}

/* The position of the quote that is still open at the end of the text; or −1. */
static long open_quote(const char *text) {
  long open = -1;
  for (long i = 0; text[i]; i++) {
    if (open >= 0 && text[i] == '\\' && text[i + 1]) i++;
    else if (open >= 0 && text[i] == text[open]) open = -1;
    else if (open < 0 && (text[i] == '"' || text[i] == '\'')) open = i;
  }
  return open;
}

/* ---- */

static int complete(lua_State *L) {
  completion *c = lua_touserdata(L, 1);
  long quote = open_quote(c->text);
  lua_settop(L, 1);
  if (quote >= 0) {
    c->word = (size_t)quote + 1;
    lua_newtable(L);
    add_quoted(L, c, (size_t)quote);
    write_list(L, c);
    return 0;
  }
  chain from;
  size_t end = strlen(c->text);
  while (end > 0 && is_name_char(c->text[end - 1])) end--;
  c->word = end;
  bool field = end > 0 && (c->text[end - 1] == '.' || c->text[end - 1] == ':');
  if (field) push_chain(L, c->text, chain_begin(c->text, end - 1), end - 1, &from);
  lua_newtable(L);
  if (field) add_fields(L, c, c->text[end - 1] == ':', &from);
  else add_variables(L, c);
  write_list(L, c);
  return 0;
}

int sinew_scene_complete(sinew_scene *scene, const char *text, int *from, char *names, size_t size) {
  completion c = {.text = text, .from = from, .out = names, .size = size};
  *from = (int)strlen(text);
  if (size > 0) names[0] = 0;
  if (size == 0 || !scene->loaded_once || sinew_stage_is_locked(scene->declarations.stage)) return 0;
  return scene_protect(scene, complete, &c) ? c.count : 0;
}
