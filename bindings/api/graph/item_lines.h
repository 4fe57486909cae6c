/* item_lines – the source lines of the items in a script's table: a graph's samples, states and transitions. */
#ifndef SINEW_BINDINGS_ITEM_LINES_H
#define SINEW_BINDINGS_ITEM_LINES_H

#include "core/api.h"

/* Pushes the lines of the items of the table at `index`, which the call that goes on has been given: of each position
 * and each key a "scene.lua:12", or for a key whose value is such a table, the table of its lines. nil where the table
 * was not written there: then it is not known. */
void item_lines_push(lua_State *L, int index);

#endif
