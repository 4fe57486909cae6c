/* crowd_object – crowds and their arrays as scripts hold them. */
#ifndef SINEW_BINDINGS_CROWD_OBJECT_H
#define SINEW_BINDINGS_CROWD_OBJECT_H

#include "core/call_lock.h"
#include "declare/kinds/declared_crowd.h"

/* Raises where it has been removed. */
crowd_record *crowd_check(lua_State *L, int index);
crowd_record *crowd_find(lua_State *L, int index); /* NULL where it is none, or has been removed */
/* Pushes the array of the crowd at `index`: one object as long as the crowd's is there. */
void crowd_array_push(lua_State *L, int index, const crowd_record *record, int array);
/* Takes a number for all members from the value at `value`, or one for each from a table or an array. */
void crowd_array_assign(lua_State *L, crowd_record *record, int array, int value);
/* Checks the value for a member, from 0, and sets it. `loading` arrays are made. */
void crowd_array_put(lua_State *L, crowd_record *record, int array, int member, int value);
/* The member that the number at `index` means, from 0; raises where there is none. */
int crowd_member_check(lua_State *L, const crowd_record *record, int index);

#endif
