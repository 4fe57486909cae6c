/* recorded_change – one change of a panel, as a line of a recording: which field of which thing has which values.
 * Things are named, so a replay of edited code gives the change to what has the name there, wherever its panel shows
 * it.
 *
 *   set WHEN KIND "FIELD" "ACTOR" "PART" "DETAIL" N M VALUE ...
 *
 * WHEN is the index of the event of the frame that made it, or one of SET_IN_PANELS and SET_TOLD. N counts the actors
 * of that name that come before it, M likewise what DETAIL names. KIND is one of change.c's. */
#ifndef SINEW_HOST_RECORDED_CHANGE_H
#define SINEW_HOST_RECORDED_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

enum { RECORDED_KIND = 16, RECORDED_NAME = 1024, RECORDED_VALUES = 8, RECORDED_LINE = 4200 };
/* Between the application's update and the evaluation; told to the application, by a widget that it asked for. */
enum { SET_IN_PANELS = -1, SET_TOLD = -2 };

typedef struct recorded_change {
  int when;
  char kind[RECORDED_KIND];
  char field[RECORDED_NAME], actor[RECORDED_NAME], part[RECORDED_NAME], detail[RECORDED_NAME];
  int actors_before, details_before;
  double values[RECORDED_VALUES];
  int count;
} recorded_change;

/* Without the line's end. False where it does not fit. */
bool recorded_change_print(const recorded_change *s, char out[RECORDED_LINE]);
/* A value as a whole number; one that is far too large, as a damaged recording may have it, as the nearest that fits.
 */
int recorded_change_whole(double value);
/* False for a line that is none. */
bool recorded_change_read(const char *line, recorded_change *out);

#endif
