/* timeline – the panel of the look back (past/review.h) along the lower edge: an actor's motion in the seconds around
 * the moment shown; also the marks on the ground. */
#ifndef SINEW_HOST_TIMELINE_H
#define SINEW_HOST_TIMELINE_H

#include "host/past/past_marks.h"

#include <sinew/host.h>

enum { TIMELINE_TITLES = 78, TIMELINE_TEXT = 320 }; /* pixels at a scale of 1; bytes */

/* The upper edge of the panel, pixels from the top; the picture's height if the panel is closed. */
float timeline_top(const sinew_host *host);
/* Draws it; the mouse scrubs in it, or picks a mark. */
void timeline_draw(sinew_host *host);

/* ---- lines.c ---- */

/* Draws lines in the world: the joint of the shown mark, the path of feet that slid in the loop, and the joints more
 * than a centimetre from the ghost's. */
void timeline_draw_lines(sinew_host *host);

/* ---- text.c ---- */

/* Texts of the panel: what is shown, and how long ago; the mark and its cause; what the actor plays, with parameters.
 */
void timeline_say_time(const sinew_host *host, char out[TIMELINE_TEXT]);
void timeline_say_mark(const sinew_host *host, char out[TIMELINE_TEXT]);
/* Describes the rerun: its range, how it differs, or why it failed. False if there is nothing to say. */
bool timeline_say_rerun(const sinew_host *host, char out[TIMELINE_TEXT]);
void timeline_say_moment(const sinew_host *host, char out[TIMELINE_TEXT]);

#endif
