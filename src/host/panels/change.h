/* change – makes and records every change by a panel, a handle in the picture or the console (past/recorded_change.h).
 * In a replay, panels change nothing; the recording does. */
#ifndef SINEW_HOST_CHANGE_H
#define SINEW_HOST_CHANGE_H

#include "host/past/recorded_change.h"

#include <sinew/host.h>

/* A tab or a tree of the application's panels. */
typedef struct told_open {
  uint64_t hash; /* of its label */
  int64_t frame; /* in which it came last */
  bool is_open, is_new;
} told_open;

/* Kinds of changes to an actor, an action, a layer, a modifier, a node or a transition; `of` identifies it, with its
 * actor. */
typedef enum change_kind {
  CHANGE_CONTROL, /* a field of sinew_app.control */
  CHANGE_PARAM,   /* a parameter by its name; likewise: */
  CHANGE_PIN,     /* pins it */
  CHANGE_MORPH,   /* a morph target */
  CHANGE_VISIBLE, /* of an actor; likewise: */
  CHANGE_OPACITY,
  CHANGE_TIME,     /* of an action; likewise: */
  CHANGE_ACTION,   /* weight, speed, paused */
  CHANGE_WEIGHT,   /* of a layer; likewise: */
  CHANGE_SPACE,    /* sinew_layer_space */
  CHANGE_MASK,     /* at the joint with that path: weight, and whether it applies to the joints below, too */
  CHANGE_BEARING,  /* of a modifier: weight; likewise: */
  CHANGE_TARGET,   /* x, y, z */
  CHANGE_OFFSET,   /* of an attachment: translation and rotation */
  CHANGE_SEEK,     /* of a node (SAMPLE): time; likewise: */
  CHANGE_SAMPLE,   /* x, y */
  CHANGE_SELECTION /* the joint with that path; without a path, none is selected */
} change_kind;

/* `field` adds what `of` does not say; NULL for "". False if it is refused; in a replay true, and nothing happens yet.
 */
bool change_make(sinew_host *host, change_kind kind, const sinew_edit *of, const char *field, const double *values,
                 int count);
/* Releases all pinned parameters; false if there is none. */
bool change_unpin(sinew_host *host);
/* Changes a field of the view, for applications without controls. */
void change_view(sinew_host *host, const char *field, double value);
void change_view_joint(sinew_host *host, const char *path);
/* Evaluates a line of the console in the application. */
bool change_line(sinew_host *host, const char *line, char *answer, size_t size);
/* The answer of a widget in the application's panels: `changed` with the values or, in a replay, the recorded answer.
 */
bool change_told(sinew_host *host, const char *label, bool changed, double *values, int count);
/* The same for whether a tab or tree is open, recorded when it changes. */
bool change_told_open(sinew_host *host, const char *label, bool is_open);

/* In a replay, makes the recorded changes of the frame that were made at that point (recorded_change.h). */
void changes_replay(sinew_host *host, int when);

#endif
