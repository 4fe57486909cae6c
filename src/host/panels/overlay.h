/* overlay – draws the messages and the numbers of a run over the picture. */
#ifndef SINEW_HOST_OVERLAY_H
#define SINEW_HOST_OVERLAY_H

#include "host/panels/messages.h"
#include "host/ui/ui.h"

/* The numbers of a run. Times are smoothed over about a second. */
enum { STATS_CALLBACKS = 6 };
typedef struct callback_stats {
  const char *name;
  double seconds; /* smoothed */
} callback_stats;

typedef struct stats {
  callback_stats callbacks[STATS_CALLBACKS]; /* of the application, in the order of their first call */
  double callback_begun;
  double frame_seconds;         /* from picture to picture */
  double evaluate_microseconds; /* per actor */
  double draw_seconds;          /* on the CPU, including the driver */
  double first_frame_seconds;   /* from sinew_host_create to the first picture; 0 before it */
  int characters, joints;       /* actors and members of crowds */
  int members;                  /* those of crowds alone */
  sinew_render_stats render;
  const char *renderer; /* its description */
} stats;

typedef struct overlay {
  const messages *messages;
  const stats *stats;        /* or NULL */
  float area[4];             /* the part of the window that panels leave free: left, top, right, bottom in pixels */
  float width, height;       /* of the window */
  float (*problem_boxes)[4]; /* PROBLEM_LIMIT boxes that receive the places of errors */
  bool is_interactive;       /* the line of help is for people at a window */
  bool hides_lines;          /* the console has them */
  bool shows_keys;           /* while paused: all keys */
  bool paused;
  double speed; /* of scene time */
} overlay;

void overlay_draw(ui *u, const overlay *o);

/* ---- the list of Sinew's own keys, as ? shows it ---- */

typedef enum key_page { KEYS_EVERYWHERE, KEYS_LOOKING_BACK, KEY_PAGE_COUNT } key_page;

/* One line of it. */
typedef struct key_line {
  const char *label; /* as printed on a keyboard */
  const char *what;
  const char *keys; /* the keys to press, by their names in sinew_key_name: "f9 escape", "shift+g"; "" for the mouse */
} key_line;

/* NULL past the last. */
const key_line *keys_line(key_page page, int index);

#endif
