/* variables – what the scripts of a load hold: upvalues of the functions that can be reached, and globals.
 *
 * A variable is identified by a key: "file\nname", or "\nname" for a global. The table "locals" of an epoch maps keys
 * to lists of variables, because one name may stand for several; a list has two at most, which shows that there are
 * more than one. A variable is { table, key } of a global, or { call, number }: a closure and the number of its
 * upvalue. */
#ifndef SINEW_BINDINGS_VARIABLES_H
#define SINEW_BINDINGS_VARIABLES_H

#include <lua.h>
#include <stdbool.h>

/* Stack indices of tables that variables_find fills. */
typedef struct found_variables {
  int variables;    /* key → list */
  int functions;    /* each Lua function → true */
  int owned;        /* each table that an older table holds → true */
  bool *any_thread; /* there is a coroutine */
} found_variables;

/* Of the current load. False if the scene holds too much. */
bool variables_find(lua_State *L, const found_variables *out);

/* The value of the variable at that absolute index. Setting takes the value on the top. */
void variable_push_value(lua_State *L, int variable);
void variable_set_value(lua_State *L, int variable);

const char *variable_name(const char *key);
/* Whether it is of a script, and not of one of Sinew's modules. */
bool variable_is_own(const char *key);
/* The number of an upvalue that a script has named; false for others. */
bool upvalue_is_named(const char *name);

#endif
