/* plain – plain data: numbers, strings, booleans, vectors and tables of these. Each function charges the budget for
 * every value that it visits, so it raises an error if a script has too many. */
#ifndef SINEW_BINDINGS_PLAIN_H
#define SINEW_BINDINGS_PLAIN_H

#include <lua.h>
#include <stdbool.h>

/* Deeper tables, and further values, are not visited. */
enum { PLAIN_DEPTH = 64, PLAIN_VALUES = 200000 };

/* A snapshot of values of any kind: tables are copied, and shared tables stay shared; other values are referenced.
 * `memo` is the stack index of a table that remembers copies. */
typedef struct plain_copier {
  int memo;
  int left; /* values that may still be copied */
} plain_copier;

/* Begins with an empty memo on the top of the stack. */
plain_copier plain_begin(lua_State *L);
/* Pushes the copy of the value at `index`; if there is too much of it, returns false and pushes nothing. */
bool plain_copy(lua_State *L, plain_copier *c, int index);

/* Whether a value is plain data; nil is. Cycles are allowed; tables with metatables are not plain. */
typedef enum plain_answer { PLAIN_YES, PLAIN_NO, PLAIN_TOO_LARGE } plain_answer;
plain_answer plain_ask(lua_State *L, int index);
/* True if two values are equal: tables by their content, vectors by their numbers, others by identity. False also if
 * there is too much to compare. Calls no metamethod. */
bool plain_equal(lua_State *L, int a, int b);

#endif
