/* inspector – a panel that shows what every actor does, and changes it. What was changed there is copied as Lua. */
#ifndef SINEW_HOST_INSPECTOR_H
#define SINEW_HOST_INSPECTOR_H

#include <sinew/host.h>

/* A line of Lua, in place of the one for the same thing before. */
typedef struct change {
  char *target, *line;
  sinew_edit edit; /* the same for the script; without a field: it has no place there */
  char field[96];  /* of the edit */
  bool mixed;      /* several fields of it were changed, and the edit has one */
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
/* A line that is no assignment, under a target of its own. */
void changes_note_line(change_list *list, const char *target, const char *line);
/* What the latest change of that target is for the script. */
void changes_note_edit(change_list *list, const char *target, const sinew_edit *edit);
/* Takes one out. */
void changes_remove(change_list *list, int index);
/* All lines, one after the other; freed with mem_free. NULL when memory runs out. */
char *changes_as_lua(const change_list *list);
void changes_clear(change_list *list);

enum { LUA_TEXT = 1024 };
/* How Lua says a name: `.name`, or `["a name"]`; and a string. Cut where they do not fit in LUA_TEXT bytes. */
void lua_key(char out[LUA_TEXT], const char *name);
void lua_string(char out[LUA_TEXT], const char *text);
/* As snprintf; what does not fit is cut. */
void lua_format(char *out, size_t size, const char *format, ...) SINEW_PRINTF(3, 4);
/* A name where Lua can say it, else `sinew.actor("the name")`. */
void lua_actor(char out[LUA_TEXT], const char *name);

#endif
