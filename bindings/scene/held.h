/* held – what scripts hold, from load to load (held.c), and its parts. */
#ifndef SINEW_BINDINGS_HELD_H
#define SINEW_BINDINGS_HELD_H

#include <lua.h>
#include <stdbool.h>

/* ---- names that a save changes (names.c); they are in the table "spelling" of the load ---- */

/* Gives the variables `before` and the roots `last` of the last load the names that they have in this one, whose
 * variables are `after`. Fills the table `spelling`, for names_follow. */
void names_of_variables(lua_State *L, int spelling, int before, int last, int after);
/* The same for the fields of a record and of the living table, if the new table has the new names. */
void names_follow(lua_State *L, int spelling, int record, int next, int living);
/* The same for a copy of a kept table and of what it was declared as. */
void names_of_kept(lua_State *L, int declared, int living, int defaults);

/* The number of the function's upvalue of that name, which may have had another in its file; 0: none. */
int names_find_upvalue(lua_State *L, int spelling, int function, const char *name, const char *file);

/* ---- variables of a load and those of the last one that it continues (held.c) ---- */

/* A table of: an old function, the number of its upvalue, and the same of a new function; and what the last load has
 * declared. */
enum { CELL_CALL = 1, CELL_NUMBER, CELL_NEW_CALL, CELL_NEW_NUMBER, CELL_RECORD };

/* ---- new code for functions that scripts have made while they ran (renew.c) ---- */

/* Stack indices: the variables of the load, cells by the identities of new upvalues, names, and a table of renew.c. */
typedef struct renewal {
  int after, cells, spelling, makers;
} renewal;

/* Pushes the function of the new text that stands where the old one at that index stood, with the same variables.
 * Returns false, and pushes nothing, if its file is the same, or it is not found. */
bool code_renew(lua_State *L, const renewal *r, int old);
/* Whether the function at that index, if it is one of scripts, is in the new text as it was. */
bool code_is_same(lua_State *L, int function);

/* ---- sinew.forget (held.c) ---- */

/* Whether the load has forgotten the variable or the kept table of that name. */
bool held_is_forgotten(lua_State *L, const char *name);

/* ---- code that runs on (old_code.c) ---- */

/* The coroutine, also of a function from coroutine.wrap; or NULL. */
lua_State *code_thread(lua_State *L, int index);
/* Whether the text of a function, or of all functions that a coroutine is in, is in the new scripts as it was. */
bool code_goes_on(lua_State *L, int index);
void code_push_texts(lua_State *L, int function); /* of the load that has compiled it */
/* Takes note of a function that has no counterpart in the load, and runs on as it is. */
void code_note_old(lua_State *L, int function);

/* Ends a waiting coroutine of the last load that has no counterpart, if its code has changed, and says so. */
void code_end_thread(lua_State *L, int thread);
/* Says that the load has begun it again. */
void code_note_restart(lua_State *L, int thread);

#endif
