/* change – makes and records every change by a panel, a handle in the picture or the console (past/recorded_change.h).
 * A change gives a field of an object another value. In a replay, panels change nothing; the recording does. */
#ifndef SINEW_HOST_CHANGE_H
#define SINEW_HOST_CHANGE_H

#include <sinew/host.h>

/* Gives the field of `of` (fields.h) these values, of which there are 7 at most, or its text. False if it is refused.
 * In a replay true, and nothing happens. */
bool change_make(sinew_host *host, const sinew_edit *of, const double *values, int count);
/* Releases all pinned parameters; false if there is none. */
bool change_unpin(sinew_host *host);
/* Evaluates a line of the console in the application. */
bool change_line(sinew_host *host, const char *line, char *answer, size_t size);

/* In a replay, makes the recorded changes of the frame that were made at that point (recorded_change.h). */
void changes_replay(sinew_host *host, int when);

#endif
