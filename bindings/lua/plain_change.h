/* plain_change – how a save changes plain data in Lua: variables and kept values. Each type of plain data is a field of
 * their kinds (declare/kinds/kinds.c), so the test of all fields covers these, too. */
#ifndef SINEW_BINDINGS_PLAIN_CHANGE_H
#define SINEW_BINDINGS_PLAIN_CHANGE_H

#include <lua.h>
#include <stdbool.h>

#include "core/scene.h"

/* The field for a change from the value at `a` to that at `b`; NULL: not plain data. */
const store_field *plain_field(lua_State *L, const store_kind *kind, int a, int b);

/* plain_equal, by fields. */
bool plain_same(lua_State *L, const store_kind *kind, int a, int b);
/* Whether a value of the field may be set (field_blind). */
bool plain_may_set(const store_field *field);

/* Gives each field of the plain table at `target` that differs between `last` and `next` its new value; nested tables
 * present in all three are merged likewise. Returns false if there is too much of it. */
bool plain_merge(lua_State *L, const store_kind *kind, int last, int next, int target);

enum { PLAIN_SHOWN = 64 };
/* The value as a scene writes it, cut if it does not fit. */
void plain_print(lua_State *L, int index, char out[PLAIN_SHOWN]);
/* Notes the differences of two plain values of that name: for tables each field, if these are few. `memo` is the index
 * of a table whose keys are tables that need not be visited; those that are visited are added. */
void plain_tell(lua_State *L, const store_kind *kind, const char *name, int last, int next, int memo);

#endif
