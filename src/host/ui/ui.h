/* ui – panels and text over the picture, by Dear ImGui without its own backends: takes input as plain state, and
 * returns triangles as a sinew_overlay. Only the files ui*.cpp use Dear ImGui. */
#ifndef SINEW_HOST_UI_H
#define SINEW_HOST_UI_H

#include "host/input/input.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ui ui;

/* `scale` is 1 on a usual display, 2 on one twice as dense. */
ui *ui_create(float scale, sinew_error *error);
void ui_destroy(ui *u); /* NULL is allowed */
/* Changes the size of everything, between two frames; creates a new font atlas. Panels stay where they are. */
void ui_set_scale(ui *u, float scale);

/* The font atlas, for sinew_renderer_set_font; lives until ui_drop_font. */
void ui_font(ui *u, int *width, int *height, const uint8_t **coverage);
void ui_drop_font(ui *u);

/* Widgets and text are allowed between the two. */
void ui_begin_frame(ui *u, const input *in, int width, int height, double dt);
void ui_end_frame(ui *u);
bool ui_is_in_frame(const ui *u);
/* The result of the last frame, until the next one begins. */
const sinew_overlay *ui_overlay(const ui *u);

/* True if a panel has the mouse, or a text field the keyboard: then the application does not get it. */
bool ui_has_mouse(const ui *u);
bool ui_has_keyboard(const ui *u);

/* ---- panels; as sinew_ui_… in sinew/host.h ---- */

void ui_begin(ui *u, const char *title);
void ui_end(ui *u);
void ui_label(ui *u, const char *text);
/* Everything between begin and end is greyed out and takes no input. */
void ui_begin_off(ui *u);
void ui_end_off(ui *u);
void ui_separator(ui *u);
bool ui_button(ui *u, const char *label);
bool ui_checkbox(ui *u, const char *label, bool *value);
bool ui_slider(ui *u, const char *label, float *value, float minimum, float maximum);
bool ui_list(ui *u, const char *label, const char *const *items, int count, int *chosen);
bool ui_table(ui *u, const char *title, const sinew_table *table, int *chosen, int *sort);
bool ui_drag(ui *u, const char *label, float *value, float step, float minimum, float maximum);
bool ui_combo(ui *u, const char *label, const char *const *items, int count, int *chosen);
bool ui_pick_color(ui *u, const char *label, float rgb[3]);
void ui_plot(ui *u, const char *label, const float *values, int count, float minimum, float maximum);
bool ui_timeline(ui *u, const char *label, const sinew_timeline *line, double *time);
/* A fraction of a whole, 0..1. */
void ui_bar(ui *u, const char *label, float fraction);
/* Draw their content between begin and end, if begin returned true. */
bool ui_begin_tabs(ui *u, const char *label);
void ui_end_tabs(ui *u);
bool ui_begin_tab(ui *u, const char *label);
void ui_end_tab(ui *u);
bool ui_begin_tree(ui *u, const char *label, bool open);
void ui_end_tree(ui *u);

/* ---- regions (ui_regions.cpp): fixed to an edge of the window; the bottom one is as wide as the window ---- */

typedef enum ui_region { UI_LEFT, UI_RIGHT, UI_BOTTOM, UI_REGION_COUNT } ui_region;

/* A panel in a region; if several share it, each has a tab. Returns true if it is visible: then draw its content
 * between begin and end. Its cross clears `open` (NULL: it has none). A panel that was absent in the last frame comes
 * to the front. The region has a splitter along its inner edge. */
bool ui_begin_region(ui *u, ui_region where, const char *title, bool *open);
void ui_end_region(ui *u);
/* The rest of the panel, below the newest widget: left, top, right, bottom in pixels. */
void ui_room(ui *u, float box[4]);
/* The width of a region at a side, or the height of the one at the bottom, in pixels at a scale of 1, visible or not.
 * Setting a value that is not finite, or not above 0, changes nothing. A visible region is never larger than the window
 * allows. */
float ui_region_size(const ui *u, ui_region where);
void ui_set_region_size(ui *u, ui_region where, float size);
/* The part of the window that no region covers: left, top, right, bottom in pixels. */
void ui_free_area(const ui *u, float box[4]);

/* The same without the table, and in a narrow window without the panels beside it, which would leave nothing. */
void ui_seen_area(const ui *u, float box[4]);

/* The edges of this frame's other panels, pixels; 0 without any. */
void ui_panels_end(const ui *u, float *right, float *bottom);
/* The box of the last widget, in pixels, and that of the first with this label (or text) in the last frame: tests click
 * there. */
void ui_last_item(const ui *u, float box[4]);
bool ui_find_item(const ui *u, const char *label, float box[4]);

/* ---- a log, and an input line (ui_console.cpp) ---- */

/* Puts the next widget beside the last one. */
void ui_same_line(ui *u);
bool ui_text_field(ui *u, const char *label, char *text, size_t size);

/* The i-th line, its level (0 info, 1 warning, 2 error, 3 typed), and whether a click on it opens something; NULL past
 * the last. */
typedef struct ui_log_job {
  void *user;
  const char *(*line)(void *user, int index, int *level, bool *links);
  bool prompts; /* leaves room for an input line below */
} ui_log_job;

/* Fills the rest of the panel. Returns the line that was clicked, or −1. */
int ui_log(ui *u, const ui_log_job *log);

typedef struct ui_prompt {
  char text[1024];
  const char *hint; /* while there is no text */
  bool takes_focus;
  void *user;
  /* As sinew_app.complete; if several names fit, `list` receives them all. */
  int (*complete)(void *user, const char *text, int *from, char *names, size_t size);
  void (*list)(void *user, const char *names);
  const char *(*recall)(void *user, int step); /* the previous (−1) or next (1) typed line; NULL: there is none */
} ui_prompt;

/* True if the line was entered: the caller takes the text and clears it. */
bool ui_prompt_line(ui *u, const char *label, ui_prompt *p);

/* ---- rows to choose from ---- */

typedef struct ui_row {
  const char *text;
  int value, depth;
} ui_row;

typedef struct ui_rows_job {
  void *user;
  bool (*row)(void *user, int index, ui_row *row); /* false past the last; called for all of them, from 0 on */
  int chosen;                                      /* a value; its row scrolls into view when this changes */
  float fraction;                                  /* of the remaining height */
} ui_rows_job;

/* The value of the row that was clicked, or −1. */
int ui_rows(ui *u, const ui_rows_job *job);

/* ---- a drawing in a panel (ui_canvas.cpp) ---- */

typedef struct ui_canvas {
  float box[4];   /* of the whole drawing, in pixels of the window; parts may be scrolled out of view */
  float mouse[2]; /* likewise */
  bool hovered, pressed, held, released; /* by the left button */
} ui_canvas;

/* `width` in pixels of the panel; 0: all that is left. If the drawing (`size`, width and height, which is raised to the
 * visible area) is larger than that, it scrolls. If begin returned true, draw between begin and end. */
bool ui_begin_canvas(ui *u, const char *label, float width, const float size[2], ui_canvas *canvas);
void ui_end_canvas(ui *u);
void ui_canvas_box(ui *u, const float box[4], uint32_t color, float rounding);
void ui_canvas_frame(ui *u, const float box[4], uint32_t color, float thickness);
void ui_canvas_line(ui *u, const float from[2], const float to[2], uint32_t color, float thickness);
/* A Bézier curve: two ends with a control point each. */
void ui_canvas_curve(ui *u, const float points[4][2], uint32_t color, float thickness);
void ui_canvas_triangle(ui *u, const float corners[3][2], uint32_t color);
void ui_canvas_dot(ui *u, const float at[2], float radius, uint32_t color);
/* One line, cut to `room`. ui_find_item finds it. */
void ui_canvas_text(ui *u, float x, float y, float room, uint32_t color, const char *text);
/* Makes a place in the drawing known to ui_find_item. */
void ui_canvas_note(ui *u, const char *label, const float box[4]);

/* ---- the system's ---- */

/* The clipboard of text fields; without one, it stays in the process. `get` may return NULL. */
typedef struct ui_clipboard {
  void *user;
  void (*set)(void *user, const char *text);
  const char *(*get)(void *user);
} ui_clipboard;

void ui_set_clipboard(ui *u, const ui_clipboard *clipboard);

typedef enum ui_cursor {
  UI_CURSOR_ARROW,
  UI_CURSOR_TEXT,
  UI_CURSOR_SIDEWAYS,
  UI_CURSOR_UPWARDS,
  UI_CURSOR_HAND,
  UI_CURSOR_COUNT
} ui_cursor;

/* The shape of the mouse pointer for what is under it. */
ui_cursor ui_cursor_shape(const ui *u);

/* ---- drawing; pixels from the top left, colours as ui_color makes them ---- */

typedef enum ui_font_kind { UI_TEXT, UI_CODE } ui_font_kind;
typedef enum ui_depth { UI_BEHIND, UI_IN_FRONT } ui_depth; /* of the panels */

typedef struct ui_style {
  ui_depth depth;
  ui_font_kind font;
  uint32_t color;
} ui_style;

uint32_t ui_color(int red, int green, int blue, float alpha);
float ui_scale(const ui *u);
/* Height of a line of text. */
float ui_line_height(const ui *u, ui_font_kind font);
void ui_text_size(const ui *u, ui_font_kind font, const char *text, float *width, float *height);
void ui_draw_text(ui *u, const ui_style *style, float x, float y, const char *text);
/* A filled box with round corners; `box` is left, top, right, bottom. */
void ui_draw_box(ui *u, const ui_style *style, const float box[4], float rounding);

#ifdef __cplusplus
}
#endif
#endif
