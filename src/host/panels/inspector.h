/* inspector – a panel that shows and changes what every actor does. Changes can be copied as Lua. */
#ifndef SINEW_HOST_INSPECTOR_H
#define SINEW_HOST_INSPECTOR_H

#include "host/edit/notes.h"

typedef struct inspector {
  sinew_actor actor;           /* the chosen one */
  change_list changes;         /* in the order in which things were first changed */
  char asked[160], place[400]; /* the latest change, and what Apply would write for it, or the reason against it */
} inspector;

/* Between the application's update and the evaluation. */
void inspector_draw(sinew_host *host);
void inspector_release(inspector *i);

/* ---- controls.c ---- */

/* Makes a change and notes it as Lua. */
bool panel_change(sinew_host *host, const sinew_edit *of, const double *values, int count);
/* Draws a control for each field of an object. */
void controls_draw(sinew_host *host, const sinew_edit *of);
/* The same in a tree that is initially folded. False if there are no fields, or it is folded. */
bool controls_draw_tree(sinew_host *host, const char *label, const sinew_edit *of);

#endif
