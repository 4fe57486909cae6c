/* sort – a stable merge sort that charges for each comparison. A contradictory order gives some order and no error. */
#ifndef SINEW_BINDINGS_SORT_H
#define SINEW_BINDINGS_SORT_H

#include <lua.h>
#include <stdbool.h>

/* Whether the value below the top of the stack comes before the value on the top; leaves both. May raise. */
typedef bool sort_order(lua_State *L);

/* Sorts 1 .. count of the plain table at `list`. */
void sort_list(lua_State *L, int list, lua_Integer count, sort_order *comes_before);

/* Charges for comparing the two values at the top: text is compared byte by byte. */
void sort_charge(lua_State *L);

#endif
