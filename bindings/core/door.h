/* door – what a script may do now: while the stage is locked, and while one of our functions is running. */
#ifndef SINEW_BINDINGS_DOOR_H
#define SINEW_BINDINGS_DOOR_H

#include "core/api.h"

/* What becomes of a call, or of an assignment, while the door is closed: it is refused, it is done all the same, or it
 * is done when the door opens. */
typedef enum door_access { DOOR_CHANGES, DOOR_FREE, DOOR_WAITS } door_access;
door_access door_access_of(const api_entry *entry);
bool door_calls(const api_entry *entry);      /* it calls functions of the script, and works on nothing meanwhile */
bool door_moves(const api_entry *entry);      /* a pose may jump after it */
extern const char *const *const door_lists[]; /* of names, for tests; the lists and the names end with NULL */

bool door_is_open(lua_State *L);
void door_check(lua_State *L, const char *what); /* raises where it is closed, with the reason */
/* Calls one of our own functions from another of them. */
void door_call(lua_State *L, int arguments, int results);
/* The object at 1 and the function on the top: it is called when the door opens. Returns nothing to the script. */
int door_wait(lua_State *L);
void door_ends(lua_State *L); /* a function of ours has ended */

#endif
