/* show – values as text for people: tables as tables. */
#ifndef SINEW_BINDINGS_SHOW_H
#define SINEW_BINDINGS_SHOW_H

#include <lua.h>
#include <stddef.h>

/* Writes the value at `index`: a text as it is; a table with its keys in order, on one line if it fits, else on
 * several; a list of records as columns. Anything too deep or too long is cut with "…". Objects are asked for their
 * text (__tostring), which may raise. */
void show_value(lua_State *L, int index, char *out, size_t size);

#endif
