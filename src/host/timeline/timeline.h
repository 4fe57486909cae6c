/* timeline – the panel of the look back (past/review.h) along the lower edge: an actor's motion in the seconds around
 * the moment shown; also the marks on the ground. */
#ifndef SINEW_HOST_TIMELINE_H
#define SINEW_HOST_TIMELINE_H

#include "host/host.h"
#include "host/past/past_marks.h"

#include <sinew/host.h>

enum { TIMELINE_TITLES = 78, TIMELINE_TEXT = 320 }; /* pixels at a scale of 1; bytes */

/* The upper edge of the panel, pixels from the top; the picture's height if the panel is closed. */
float timeline_top(const sinew_host *host);
/* Draws it; the mouse scrubs in it, or picks a mark. */
void timeline_draw(sinew_host *host);

/* ---- timeline.c ---- */

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

/* ---- the surface on which the timeline draws its tracks ---- */

typedef enum track {
  TRACK_MARKS,
  TRACK_WEIGHTS,
  TRACK_STATE,
  TRACK_PHASE,
  TRACK_CONTACTS,
  TRACK_EVENTS,
  TRACK_PARAM,
  TRACK_JOINT,
  TRACK_COUNT
} track;

typedef struct board {
  sinew_host *host;
  ui *ui;
  const review *review;
  const ring *ring;
  float scale, left, right, bottom;              /* pixels; titles are to the left of `left` */
  float tops[TRACK_COUNT], heights[TRACK_COUNT]; /* of the tracks */
  double from, to;                               /* seconds */
} board;

float board_x(const board *b, double time);
/* Cut at the sides. */
void board_box(const board *b, uint32_t color, float left, float top, float right, float bottom);
/* Text that does not fit is cut. */
void board_text(const board *b, uint32_t color, float x, float y, float room, const char *words);
void board_title(const board *b, track t, const char *words);
uint32_t board_grey(int level, float alpha);

/* True if the mark belongs to the actor, lies in the visible seconds and is worth a line. */
bool board_has_mark(const board *b, const past_mark *m);

/* ---- marks, on the board and on the ground ---- */

/* True if a mark has a line. A slide too small to see has none. */
bool timeline_shows_mark(const past_mark *m);
/* True if a rerun has replaced this moment. The rerun has its own marks and contacts; the old ones are grey there, or
 * hidden. */
bool timeline_is_made_again(const sinew_host *host, const past_mark *m);
/* RGBA: green for a foot that stood, orange from half a centimetre in half a second on, red from two. */
const uint8_t *timeline_slide_color(float metres);

/* ---- tracks.c ---- */
void tracks_draw(const board *b);

#endif
