#include "host/timeline/timeline.h"

#include "host/host.h"
#include "host/timeline/board.h"

#include <math.h>

static const double span = 10; /* seconds visible at once */

/* Pixels at a scale of 1. Tracks share the height that the lines of text leave, in these proportions. */
enum { LINE = 17, LINES = 3, GAP = 3, EDGE = 8 };
static const float usual[TRACK_COUNT] = {14, 36, 12, 20, 22, 14, 20, 24};

/* ---- where it is ---- */

float timeline_top(const sinew_host *host) {
  float area[4];
  if (!host->review.is_on || !host->ui) return (float)host->height;
  ui_free_area(host->ui, area);
  return area[3];
}

static void place_tracks(board *b, float top) {
  float sum = 0;
  for (int t = 0; t < TRACK_COUNT; t++) sum += usual[t];
  float room = b->bottom - top - (TRACK_COUNT - 1) * GAP * b->scale, y = top;
  for (int t = 0; t < TRACK_COUNT; t++) {
    b->tops[t] = y;
    b->heights[t] = fmaxf(room * usual[t] / sum, b->scale);
    y += b->heights[t] + GAP * b->scale;
  }
}

static board board_in(sinew_host *host, const float room[4]) {
  const ring *r = &host->ring;
  double first = ring_time(r, r->first), last = ring_time(r, r->first + r->count - 1);
  double from = fmax(first, fmin(host->review.at - span / 2, last - span));
  float scale = ui_scale(host->ui);
  board b = {.host = host,
             .ui = host->ui,
             .review = &host->review,
             .ring = r,
             .scale = scale,
             .left = room[0] + TIMELINE_TITLES * scale,
             .right = room[2] - EDGE * scale,
             .bottom = room[3],
             .from = from,
             .to = fmax(from + 0.1, fmin(from + span, last))};
  place_tracks(&b, room[1] + (LINES * LINE + GAP) * scale);
  return b;
}

/* ---- the mouse ---- */

/* A click near a mark selects it; elsewhere the mouse moves the shown moment. */
static bool pick_mark(const board *b, review *r, float x, float y) {
  const past_marks *past = &b->host->past;
  float best_away = 5 * b->scale;
  int best = -1;
  bool over = y >= b->tops[TRACK_MARKS] && y <= b->tops[TRACK_MARKS] + b->heights[TRACK_MARKS];
  for (int i = 0; over && i < past->count; i++) {
    const past_mark *m = past->marks + i;
    float away = fabsf(board_x(b, past_mark_begin(m)) - x);
    if (!board_has_mark(b, m) || away > best_away || !timeline_shows_mark(m)) continue;
    best = i;
    best_away = away;
  }
  if (best >= 0) review_show_mark(r, b->ring, past, best);
  return best >= 0;
}

static void follow_mouse(const board *b, review *r) {
  const input *in = &b->host->input;
  bool over = in->mouse_y >= b->tops[0] && in->mouse_y <= b->bottom, pressed = false;
  for (int i = 0; i < in->taken; i++)
    pressed |= in->events[i].kind == EVENT_BUTTON && in->events[i].code == 1 && in->events[i].down;
  if (pressed && over) r->drags = !pick_mark(b, r, in->mouse_x, in->mouse_y);
  if (!in->buttons[0]) r->drags = false;
  if (!r->drags) return;
  r->plays = false;
  review_seek(r, b->ring, board_time(b, in->mouse_x));
}

/* ---- the panel ---- */

/* The next step, for users who have not read the manual. */
static const char *next_step(const sinew_host *host) {
  if (!host->self || !host->log_path) return "";
  return host->rerun.has_result
             ? "Enter plays on from here, Esc returns to now: your edit stays   Ctrl+Z drops only this comparison   "
             : "change the code and save: these seconds run again   ";
}

static float words_left(const board *b) { return b->left - (TIMELINE_TITLES - 4) * b->scale; }

static float width_of(const board *b, const char *words) {
  float width, height;
  ui_text_size(b->ui, UI_TEXT, words, &width, &height);
  return width;
}

/* Words at the left and a hint at the right; one that is not `needed` gives way to the words. */
static void draw_line(const board *b, uint32_t color, float y, const char *words, const char *hint, bool needed) {
  float left = words_left(b), room = b->right - left, width = width_of(b, hint), gap = 10 * b->scale;
  if (!needed && width_of(b, words) + width + gap > room) hint = "";
  if (hint[0]) board_text(b, board_grey(150, 1), b->right - width, y, width + 1, hint);
  board_text(b, color, left, y, hint[0] ? room - width - gap : room, words);
}

static bool is_over(const board *b, const float box[4]) {
  const input *in = &b->host->input;
  return in->mouse_x >= box[0] && in->mouse_x <= box[2] && in->mouse_y >= box[1] && in->mouse_y <= box[3];
}

/* A line that names a place in the code can be clicked to open it. */
static void draw_cause(const board *b, float y, const char *words) {
  const input *in = &b->host->input;
  const uint32_t color = ui_color(255, 206, 150, 1);
  char name[256];
  int line;
  bool leads = console_place(words, name, sizeof name, &line);
  draw_line(b, color, y, words, "", false);
  if (!leads) return;
  float left = words_left(b), bottom = y + ui_line_height(b->ui, UI_TEXT);
  const float box[4] = {left, y, fminf(left + width_of(b, words), b->right), bottom};
  board_text(b, board_grey(150, 1), box[2], y, b->right - box[2], "   click: opens that line");
  float thick = (is_over(b, box) ? 2 : 1) * b->scale;
  ui_draw_box(b->ui, &(ui_style){UI_IN_FRONT, UI_TEXT, color}, (float[4]){box[0], bottom - thick, box[2], bottom}, 0);
  for (int i = 0; i < in->taken && is_over(b, box); i++)
    if (in->events[i].kind == EVENT_BUTTON && in->events[i].code == 1 && in->events[i].down)
      console_open_place(b->host, words);
}

/* Suggests the next step, and names what the actor plays, as far as there is room. */
static void draw_next(const board *b, float y) {
  char words[TIMELINE_TEXT];
  const char *step = next_step(b->host);
  float left = words_left(b), taken = width_of(b, step);
  timeline_say_moment(b->host, words);
  board_text(b, ui_color(150, 214, 255, 1), left, y, b->right - left, step);
  board_text(b, board_grey(220, 1), left + taken, y, b->right - left - taken, words);
}

static void draw_words(const board *b, float y) {
  char words[TIMELINE_TEXT];
  timeline_say_time(b->host, words);
  draw_line(b, board_grey(255, 1), y, words,
            "Space plays   \xe2\x86\x90 \xe2\x86\x92 step   N P marks   E why   Esc back to now   ? all keys", true);
  if (!timeline_say_rerun(b->host, words)) timeline_say_mark(b->host, words);
  draw_cause(b, y + LINE * b->scale, words);
  draw_next(b, y + 2 * LINE * b->scale);
}

/* Shown until another moment is asked about, or its cross is clicked. */
static void draw_why(sinew_host *host) {
  bool stays = true;
  if (!host->review.why[0] || !ui_begin_region(host->ui, UI_LEFT, "Why", &stays)) return;
  ui_label(host->ui, host->review.why);
  ui_end_region(host->ui);
  if (!stays) host->review.why[0] = '\0';
}

/* Explains the blue and red figures over the picture. If no blue is visible, both motions are equal. */
static void draw_legend(sinew_host *host) {
  if (!host->rerun.has_result) return;
  const char *words = host->review.hides_ghosts
                          ? "the motion before your edit is hidden: G shows it"
                          : "blue: before your edit   red: a joint that is elsewhere now   G hides";
  float area[4], width, height, scale = ui_scale(host->ui);
  ui_free_area(host->ui, area);
  ui_text_size(host->ui, UI_TEXT, words, &width, &height);
  float left = (area[0] + area[2] - width) / 2, top = area[1] + 12 * scale;
  ui_style back = {UI_BEHIND, UI_TEXT, ui_color(12, 14, 17, 0.62f)},
           front = {UI_BEHIND, UI_TEXT, ui_color(150, 190, 255, 1)};
  ui_draw_box(host->ui, &back,
              (float[4]){left - 8 * scale, top - 4 * scale, left + width + 8 * scale, top + height + 4 * scale},
              6 * scale);
  ui_draw_text(host->ui, &front, left, top, words);
}

void timeline_draw(sinew_host *host) {
  float room[4];
  if (!host->review.is_on || !host->ui) return;
  draw_why(host);
  if (!ui_begin_region(host->ui, UI_BOTTOM, "Timeline", NULL)) return;
  ui_room(host->ui, room);
  board b = board_in(host, room);
  follow_mouse(&b, &host->review);
  draw_words(&b, room[1]);
  tracks_draw(&b);
  ui_end_region(host->ui);
  draw_legend(host);
}
