#include "host/timeline/board.h"

#include "host/timeline/timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

float board_x(const board *b, double time) {
  return b->left + (float)((time - b->from) / (b->to - b->from)) * (b->right - b->left);
}

double board_time(const board *b, float x) {
  return b->from + (double)((x - b->left) / (b->right - b->left)) * (b->to - b->from);
}

uint32_t board_grey(int level, float alpha) { return ui_color(level, level, level, alpha); }

void board_box(const board *b, uint32_t color, float left, float top, float right, float bottom) {
  left = fmaxf(left, b->left), right = fminf(right, b->right);
  if (right <= left) return;
  ui_draw_box(b->ui, &(ui_style){UI_IN_FRONT, UI_TEXT, color}, (float[4]){left, top, right, bottom}, 0);
}

void board_text(const board *b, uint32_t color, float x, float y, float room, const char *words) {
  char cut[TIMELINE_TEXT];
  float width, height;
  snprintf(cut, sizeof cut, "%s", words);
  ui_text_size(b->ui, UI_TEXT, cut, &width, &height);
  for (size_t end = strlen(cut); width > room && end > 0; ui_text_size(b->ui, UI_TEXT, cut, &width, &height)) {
    do cut[--end] = '\0';
    while (end > 0 && (words[end] & 0xc0) == 0x80);
  }
  ui_draw_text(b->ui, &(ui_style){UI_IN_FRONT, UI_TEXT, color}, x, y, cut);
}

/* Draws a title beside the middle of the track. */
void board_title(const board *b, track t, const char *words) {
  float line = ui_line_height(b->ui, UI_TEXT), room = (TIMELINE_TITLES - 8) * b->scale;
  float y = b->tops[t] + (b->heights[t] - line) / 2;
  board_text(b, board_grey(150, 1), b->left - (TIMELINE_TITLES - 4) * b->scale, y, room, words);
}

bool board_has_mark(const board *b, const past_mark *m) {
  return m->actor.id == b->review->actor.id && m->end >= b->from && m->begin <= b->to;
}

/* ---- marks ---- */

bool timeline_shows_mark(const past_mark *m) { return m->mark.kind != SINEW_MARK_SLIDE || past_mark_score(m) > 0; }

bool timeline_is_made_again(const sinew_host *host, const past_mark *m) {
  const rerun *again = &host->rerun;
  const ring *made = &again->result.ring;
  return again->has_result && past_mark_begin(m) >= ring_time(made, made->first) &&
         past_mark_begin(m) <= ring_time(made, made->first + made->count - 1);
}

const uint8_t *timeline_slide_color(float metres) {
  static const uint8_t colors[][4] = {{112, 196, 120, 255}, {250, 180, 72, 255}, {255, 96, 84, 255}};
  return colors[metres >= 0.02f ? 2 : metres >= 0.005f ? 1 : 0];
}
