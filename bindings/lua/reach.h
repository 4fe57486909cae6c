/* reach – visits everything that can be reached from a value: through tables, metatables, upvalues, user values and the
 * stacks of coroutines. */
#ifndef SINEW_BINDINGS_REACH_H
#define SINEW_BINDINGS_REACH_H

#include <lua.h>
#include <stdbool.h>

/* Both leave the stack as it was; `object` is a stack index. */
typedef struct reach_visitor {
  /* Called once with each table, function and coroutine, before its slots; may be NULL. */
  void (*visit)(lua_State *L, int object, void *user);
  /* Called with each object that another holds, on the top of the stack. May put another in its place, which is then
   * held and visited instead, and returns whether it did. May be NULL. */
  bool (*slot)(lua_State *L, int object, void *user);
  void *user;
  int cost;     /* of each value, which is charged */
  int expected; /* so many objects, about */
} reach_visitor;

/* Visits each object that the value at `root` leads to. False if there was too much, and it gave up. */
bool reach(lua_State *L, int root, const reach_visitor *visitor);

#endif
