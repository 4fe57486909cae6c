/* show – values as text for people: tables as tables. */
#ifndef SINEW_BINDINGS_SHOW_H
#define SINEW_BINDINGS_SHOW_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Writes the value at `index`: a text as it is; a table with its keys in order, on one line if it fits, else on
 * several; a list of records as columns. Anything too deep or too long is cut with "…". Objects are asked for their
 * text (__tostring), which may raise. */
void show_value(lua_State *L, int index, char *out, size_t size);

/* On one line; false for what says nothing: functions, and tables that would run a script's __tostring. */
enum { SHOW_SHORT = 72 };
bool show_short(lua_State *L, int index, char out[SHOW_SHORT]);
/* Adds "\n  name = value" to the text. */
void show_entry(char *out, size_t size, const char *name, int length, const char *value);
/* "\nlocals:\n  speed = 1.2", of a level; "" if it has none to show. */
void show_locals(lua_State *L, lua_Debug *info, char *out, size_t size);

#endif
