/* inspector – a panel that shows and changes what every actor does. Changes can be copied as Lua. */
#ifndef SINEW_HOST_INSPECTOR_H
#define SINEW_HOST_INSPECTOR_H

#include <sinew/host.h>

enum { CHANGE_EDITS = 8 };

/* A line of Lua, replacing the previous one for the same thing. */
typedef struct change {
  char *target, *line;
  sinew_edit edits[CHANGE_EDITS]; /* the same as edits of the script, one for each field; the change owns their texts */
  int edit_count;                 /* 0: it has no place there */
} change;

typedef struct change_list {
  change *changes;
  int count, capacity;
} change_list;

typedef struct inspector {
  sinew_actor actor;   /* the chosen one */
  change_list changes; /* in the order in which things were first changed */
} inspector;

/* Between the application's update and the evaluation. */
void inspector_draw(sinew_host *host);
void inspector_release(inspector *i);

/* ---- inspector_changes.c ---- */

/* "target = value". When memory runs out, or the line would pass 4 KB, nothing is noted. */
void changes_note(change_list *list, const char *target, const char *value);
/* Notes a line that is not an assignment, under its own target. */
void changes_note_line(change_list *list, const char *target, const char *line);
/* Stores the edit of the script that belongs to a noted target; it replaces an earlier edit of the same field. */
void changes_note_edit(change_list *list, const char *target, const sinew_edit *edit);
/* "hero.modifiers.grip.target = { 0, 1, 2 }", and the attachment of an actor with its new offset (inspector_gizmos.c).
 */
void changes_note_target(sinew_host *host, sinew_actor actor, int modifier, sinew_vec3 at);
void changes_note_attachment(sinew_host *host, sinew_actor actor, const char *field, bool is_declared);
/* All markers of a clip, with the call that begins with `opening`. */
void changes_note_markers(sinew_host *host, const sinew_edit *of, const char *opening, bool is_declared);
/* Removes the change of a target that has returned to the script's value. */
void changes_take_back(change_list *list, const char *target);
/* Removes a change, or one of its edits. */
void changes_remove(change_list *list, int index);
void change_remove_edit(change *c, int index);
/* All lines, one after the other; freed with mem_free. NULL when memory runs out. */
char *changes_as_lua(const change_list *list);
void changes_clear(change_list *list);
/* The buttons: Copy as Lua, Apply, Forget (inspector_apply.c). */
void changes_draw(sinew_host *host);

/* ---- controls.c ---- */

/* Draws each field that the application describes, and notes changes. `lua` is the expression for the thing whose
 * fields are assigned; for an action or a layer, its unfinished call, such as `hero:layer("upper", {`. False if there
 * are no fields. */
bool controls_draw(sinew_host *host, const sinew_edit *of, const char *lua);
/* The same in a tree that is initially folded; nothing if there are no fields. */
bool controls_draw_tree(sinew_host *host, const char *label, const sinew_edit *of, const char *lua);
/* Draws an actor's other declarations, and those of the scene that belong to no actor (scene_fields.c). */
void actor_fields_draw(sinew_host *host, sinew_actor actor, const char *lua);
void markers_draw(sinew_host *host, sinew_actor actor, int clip);
void scene_fields_draw(sinew_host *host);
void controls_draw_picture(sinew_host *host); /* those of the camera and the light */

/* Draws the fields of a graph's node, with that name, and of the transitions of a machine (graph_fields.c). */
void graph_fields_draw(sinew_host *host, sinew_actor actor, int layer, int node, const char *name);
void graph_fields_draw_ways(sinew_host *host, sinew_actor actor, int layer, int node);

enum { LUA_TEXT = 1024 };
/* A name as Lua: `.name`, or `["a name"]`; and a string as Lua. Cut if it does not fit in LUA_TEXT bytes. */
void lua_key(char out[LUA_TEXT], const char *name);
void lua_string(char out[LUA_TEXT], const char *text);
/* As snprintf, but cuts text that does not fit. */
void lua_format(char *out, size_t size, const char *format, ...) SINEW_PRINTF(3, 4);
/* A Lua name if possible, else `sinew.actor("the name")`. */
void lua_actor(char out[LUA_TEXT], const char *name);

#endif
