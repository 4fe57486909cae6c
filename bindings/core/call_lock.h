/* call_lock – decides what a script may do now: while the stage is locked, and while one of our functions is running.
 */
#ifndef SINEW_BINDINGS_CALL_LOCK_H
#define SINEW_BINDINGS_CALL_LOCK_H

#include "core/api.h"

/* The fate of a call, or of an assignment, while the lock is closed: it is refused, allowed, or deferred until the
 * lock opens. */
typedef enum call_access { CALL_REFUSED, CALL_ALLOWED, CALL_DEFERRED } call_access;
call_access call_access_of(const api_entry *entry);
bool call_lock_calls(const api_entry *entry);      /* it calls functions of the script, with nothing in use */
int call_lock_moves(const api_entry *entry);       /* what may jump after it, a sinew_note_of; −1: nothing */
extern const char *const *const call_lock_lists[]; /* of names, for tests; the lists and the names end with NULL */

bool call_lock_is_open(lua_State *L);
void call_lock_check(lua_State *L, const char *what); /* raises an error with the reason if the lock is closed */
/* Calls one of our functions from another. */
void call_lock_call(lua_State *L, int arguments, int results);
/* Defers the function at the top, with the object at 1, until the lock opens. Returns nothing to the script. */
int call_lock_defer(lua_State *L);
void call_lock_leave(lua_State *L); /* one of our functions has ended */

#endif
