/* item_lines – the source lines of the items in a script's table: a graph's samples, states and transitions. */
#ifndef SINEW_BINDINGS_ITEM_LINES_H
#define SINEW_BINDINGS_ITEM_LINES_H

#include "core/api.h"

/* Pushes the lines of the items in the table at `index`, an argument of the current call: for each position and key a
 * "scene.lua:12", or for a key whose value is such a table, that table of lines. Pushes nil if the table was not
 * written in the call: then the lines are not known. */
void item_lines_push(lua_State *L, int index);

#endif
