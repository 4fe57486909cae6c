/* crowd_object – crowds and their arrays as scripts hold them. */
#ifndef SINEW_BINDINGS_CROWD_OBJECT_H
#define SINEW_BINDINGS_CROWD_OBJECT_H

#include "core/call_lock.h"
#include "declare/kinds/declared_crowd.h"

/* Raises an error if it has been removed. */
crowd_record *crowd_check(lua_State *L, int index);
crowd_record *crowd_find(lua_State *L, int index); /* NULL if it is not a crowd, or has been removed */
/* Pushes the array of the crowd at `index`; it is the same object as long as the crowd exists. */
void crowd_array_push(lua_State *L, int index, const crowd_record *record, int array);
/* Takes a number for all members from the value at `value`, or one for each from a table or an array. */
void crowd_array_assign(lua_State *L, crowd_record *record, int array, int value);
/* Checks and sets the value for a member, counted from 0. While loading, creates arrays as needed. */
void crowd_array_put(lua_State *L, crowd_record *record, int array, int member, int value);
/* The member with the number at `index`, counted from 0; raises an error if there is none. */
int crowd_member_check(lua_State *L, const crowd_record *record, int index);

#endif
