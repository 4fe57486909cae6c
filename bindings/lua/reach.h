/* reach – visits everything that can be reached from a value: through tables, metatables, upvalues, user values and the
 * stacks of coroutines. */
#ifndef SINEW_BINDINGS_REACH_H
#define SINEW_BINDINGS_REACH_H

#include <lua.h>
#include <stdbool.h>

/* Called with a Lua function at stack index `function`. Leaves the stack as it was. */
typedef void reach_function(lua_State *L, int function, void *user);

/* Visits each Lua function that the value at `root` leads to, once. False if there was too much, and it gave up. */
bool reach_functions(lua_State *L, int root, reach_function *visit, void *user);

#endif
