/* variables – the variables of the scripts of a load: upvalues of the functions that can be reached, and globals.
 *
 * A variable is identified by a key: "file\nname"; "\nname" for a global; "keep\nname" for a table kept in only one of
 * two loads (keep.c). The table "locals" of an epoch maps keys to lists of variables, because one name may stand for
 * several. A variable is a table: table, key          of a global call, number        of an upvalue: a closure that
 * holds it, and which of its upvalues it is declared, whole     a snapshot of its value right after the load; whole: it
 * could be taken */
#ifndef SINEW_BINDINGS_VARIABLES_H
#define SINEW_BINDINGS_VARIABLES_H

#include <lua.h>
#include <stdbool.h>

/* Pushes the variables of the current load. False if the scene holds too much, so that some are missing. */
bool variables_push(lua_State *L);

/* The value of the variable at that absolute index. Setting takes the value on the top. */
void variable_push_value(lua_State *L, int variable);
void variable_set_value(lua_State *L, int variable);

/* Whether it has changed since its load; and whether a complete snapshot could be taken. */
bool variable_has_changed(lua_State *L, int variable);
bool variable_is_whole(lua_State *L, int variable);
/* Tells its new name. */
void variable_note_name(lua_State *L, const char *from, const char *to);

const char *variable_name(const char *key);

/* Gives variables of the old load, and entries of their tables, their names in the new one, if several have swapped
 * names (respell.c). */
void variables_respell(lua_State *L, int before, int after);

/* ---- entries of tables (entries.c) ---- */

/* Finds the variables that are entries of tables now, entries that are variables, and entries that have moved to other
 * tables or have new names. Reports them, removes them from `gone` and adds them to the list `moves`. `gone` and `come`
 * are the names of the variables that only one of the loads has. Moving gives them their values. */
void entries_find(lua_State *L, int before, int after, int gone, int come, int moves);
void entries_move(lua_State *L, int moves);

#endif
