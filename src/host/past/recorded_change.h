/* recorded_change – one change by a panel, as a line of a recording: a field of an object, and its new values. Objects
 * are identified by name, so a replay of edited code applies the change to the object with that name, wherever its
 * panel shows it.
 *
 *   set WHEN KIND "FIELD" "ACTOR" "PART" "DETAIL" N M VALUE ...
 *
 * WHEN is the index of the frame's event that made it, or SET_IN_PANELS or SET_TOLD. N is the number of earlier actors
 * with the same name, M likewise for DETAIL. KIND is one of four:
 *
 *   edit     gives FIELD the values after the first one, which is the object's sinew_edit_kind; a text is DETAIL
 *   line     evaluates FIELD in the console
 *   widget   a widget of the application with the label FIELD answers with the values
 *   open     a tab or a tree of the application with the label FIELD is open or closed from now on
 *
 * Older recordings have other kinds, one for each control: recorded_change_edit translates them. */
#ifndef SINEW_HOST_RECORDED_CHANGE_H
#define SINEW_HOST_RECORDED_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

enum { RECORDED_KIND = 16, RECORDED_NAME = 1024, RECORDED_VALUES = 8, RECORDED_LINE = 4200 };
/* Between the application's update and the evaluation; or as the answer of one of the application's widgets. */
enum { SET_IN_PANELS = -1, SET_TOLD = -2 };

typedef struct recorded_change {
  int when;
  char kind[RECORDED_KIND];
  char field[RECORDED_NAME], actor[RECORDED_NAME], part[RECORDED_NAME], detail[RECORDED_NAME];
  int actors_before, details_before;
  double values[RECORDED_VALUES];
  int count;
} recorded_change;

/* Without the end of the line. False if it does not fit. */
bool recorded_change_print(const recorded_change *s, char out[RECORDED_LINE]);
/* A value as an integer; a value far out of range, as in a damaged recording, becomes the nearest that fits. */
int recorded_change_whole(double value);
/* False for a line that is not a change. */
bool recorded_change_read(const char *line, recorded_change *out);
/* The index-th edit that a change means, translated if it is of an older kind; false past the last. */
bool recorded_change_edit(const recorded_change *s, int index, recorded_change *out);

#endif
