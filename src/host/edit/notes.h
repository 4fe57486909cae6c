/* notes – the changes made in panels, as lines of Lua and as edits of the script. */
#ifndef SINEW_HOST_NOTES_H
#define SINEW_HOST_NOTES_H

#include <sinew/host.h>

enum { CHANGE_EDITS = 8 };

/* A line of Lua, replacing the previous one for the same target. */
typedef struct change {
  char *target, *line;
  sinew_edit edits[CHANGE_EDITS]; /* the same as edits of the script, one for each field; the change owns their texts */
  int edit_count;                 /* 0: it has no place there */
} change;

typedef struct change_list {
  change *changes;
  int count, capacity;
} change_list;

/* "target = value". When memory runs out, or the line would pass 4 KB, nothing is noted. */
void changes_note(change_list *list, const char *target, const char *value);
/* Notes a line that is not an assignment, under its own target. */
void changes_note_line(change_list *list, const char *target, const char *line);
/* Stores the edit of the script that belongs to a noted target; it replaces an earlier edit of the same field. */
void changes_note_edit(change_list *list, const char *target, const sinew_edit *edit);
/* Removes the change of a target that has returned to the script's value. */
void changes_take_back(change_list *list, const char *target);
/* Removes a change, or one of its edits. */
void changes_remove(change_list *list, int index);
void change_remove_edit(change *c, int index);
/* All lines, one after the other; freed with mem_free. NULL when memory runs out. */
char *changes_as_lua(const change_list *list);
void changes_clear(change_list *list);

/* ---- note_field.c ---- */

/* Notes the present value of a field that a panel has changed. */
void changes_note_field(sinew_host *host, const sinew_edit *of);
/* Notes the attachment of an actor, of whose offset that field has changed. */
void changes_note_attachment(sinew_host *host, sinew_actor actor, const char *field);

/* ---- names in Lua (lua_names.c) ---- */

enum { LUA_TEXT = 1024, MASK_TEXT = 1 << 16 /* of a mask */ };
/* A name as Lua: `.name`, or `["a name"]`; and a string as Lua. Cut if it does not fit in LUA_TEXT bytes. */
void lua_key(char out[LUA_TEXT], const char *name);
void lua_string(char out[LUA_TEXT], const char *text);
/* As snprintf, but cuts text that does not fit. */
void lua_format(char *out, size_t size, const char *format, ...) SINEW_PRINTF(3, 4);
/* A Lua name if possible, else `sinew.actor("the name")`. */
void lua_actor(char out[LUA_TEXT], const char *name);
/* Writes a mask as the table that model:mask takes, with as few patterns as possible. False if it does not fit. */
bool mask_as_lua(const sinew_model *model, const float *joint_weights, char *out, size_t size);

#endif
