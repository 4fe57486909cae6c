/* timeline – the panel of the look back (past/review.h) along the lower edge: what an actor did in the seconds around
 * the moment that is shown, and marks on the ground. */
#ifndef SINEW_HOST_TIMELINE_H
#define SINEW_HOST_TIMELINE_H

#include "host/past/past_marks.h"

#include <sinew/host.h>

enum { TIMELINE_TITLES = 78, TIMELINE_TEXT = 320 }; /* pixels at a scale of 1; bytes */

/* The upper edge of the panel, pixels from the top; the picture's height if the panel is closed. */
float timeline_top(const sinew_host *host);
/* Draws it; the mouse that is over it scrubs, or picks a mark. */
void timeline_draw(sinew_host *host);
/* A slide that cannot be seen has no line. */
bool timeline_shows_mark(const past_mark *m);
/* True if a rerun has replaced this moment. The rerun has its own marks and contacts; those of before are grey there,
 * or hidden. */
bool timeline_is_made_again(const sinew_host *host, const past_mark *m);

/* ---- lines.c ---- */

/* The joint of the mark that is shown, where feet slid in the loop, and which joints are more than a centimetre from
 * the ghost's: lines in the world. */
void timeline_draw_lines(sinew_host *host);
/* Green where a foot stood, orange from half a centimetre in half a second on, red from two: RGBA. */
const uint8_t *timeline_slide_color(float metres);

/* ---- text.c ---- */

/* Texts of the panel: what is shown, and how far back; the mark and its cause; what the actor plays, with parameters.
 */
void timeline_say_time(const sinew_host *host, char out[TIMELINE_TEXT]);
void timeline_say_mark(const sinew_host *host, char out[TIMELINE_TEXT]);
/* Describes the rerun: its range, how it differs, or why it failed. False if there is nothing to say. */
bool timeline_say_rerun(const sinew_host *host, char out[TIMELINE_TEXT]);
void timeline_say_moment(const sinew_host *host, char out[TIMELINE_TEXT]);

#endif
