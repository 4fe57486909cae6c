#include "host/panels/keys.h"

#include "base/text.h"

enum { LINES = 24, TEXT = 2048 };

static const key_line lines[KEY_PAGE_COUNT][LINES] = {
    {{"?", "this list, while paused", "shift+slash"},
     {"F1", "inspector", "f1"},
     {"F2", "wireframe (view: W)", "f2"},
     {"F3", "numbers", "f3"},
     {"F4", "the next debug view (view: V)", "f4"},
     {"F5", "skeletons (view: B)", "f5"},
     {"F6", "pauses and continues", "f6"},
     {"F7", "one frame of 1/60 s", "f7"},
     {"F8", "slow motion", "f8"},
     {"F9", "looks back at the last minute", "f9"},
     {"F10", "the graph", "f10"},
     {"F11", "full screen", "f11"},
     {"Esc", "frees pinned parameters", "escape"},
     {"Ctrl+`", "console", "ctrl+grave"},
     {"Ctrl+click", "picks an actor and a joint;\nwhile paused, a click does", ""},
     {"Ctrl+R", "restarts the scene", "ctrl+r"},
     {"Ctrl+C", "copies the error that shows", "ctrl+c"},
     {"Ctrl+Z", "takes back what Apply wrote,\nor a stroke on a mask", "ctrl+z"},
     {"left drag", "turns the camera", ""},
     {"right drag", "pans, the wheel zooms", ""}},
    {{"Space", "plays the loop", "space"},
     {"Left, Right", "a moment; with Shift ten", "left right shift+left shift+right"},
     {"Home, End", "the oldest, the newest", "home end"},
     {"N, P", "next and previous mark", "n p"},
     {"[, ]", "the loop begins, ends here", "left_bracket right_bracket"},
     {"Tab", "next actor", "tab"},
     {"Up, Down", "the joint whose curve is shown", "up down"},
     {"E", "why that joint is where it is", "e"},
     {"a save", "runs the loop again, beside\nthe ghost of the old motion", ""},
     {"S", "runs again from the start", "s"},
     {"Backspace", "a shorter loop, while it runs", "backspace"},
     {"G", "ghost; Shift+G: beside", "g shift+g"},
     {"Enter", "plays on from here", "enter"},
     {"Ctrl+Z", "discards the rerun, or brings\nback the run that Enter left", "ctrl+z"},
     {"Ctrl+`", "console, at this moment", "ctrl+grave"},
     {"F3, F11", "numbers, full screen", "f3 f11"},
     {"Esc, F9", "back to now", "escape f9"}}};

const key_line *keys_line(key_page page, int index) {
  bool there = index >= 0 && index < LINES && lines[page][index].label;
  return there ? &lines[page][index] : NULL;
}

/* ---- drawing ---- */

typedef struct column {
  char text[TEXT];
  float width, height;
} column;

/* A second line of the description goes below the first. */
static size_t add_line(char *out, size_t size, const key_line *line) {
  size_t used = (size_t)text_format(out, size, "%-12s ", line->label);
  for (const char *c = line->what; *c && used + 16 < size; c++) {
    out[used++] = *c;
    if (*c == '\n') used += (size_t)text_format(out + used, size - used, "%13s", "");
  }
  out[used++] = '\n';
  out[used] = '\0';
  return used;
}

static void fill(ui *u, key_page page, const char *title, column *out) {
  size_t used = (size_t)text_format(out->text, TEXT, "%s", title);
  const key_line *line;
  for (int i = 0; (line = keys_line(page, i)) && used + 160 < TEXT; i++)
    used += add_line(out->text + used, TEXT - used, line);
  ui_text_size(u, UI_CODE, out->text, &out->width, &out->height);
}

void keys_draw(ui *u, const float area[4]) {
  column left, right;
  fill(u, KEYS_EVERYWHERE, "", &left);
  fill(u, KEYS_LOOKING_BACK, "While looking back (F9)\n", &right);
  float pad = 14 * ui_scale(u), width = left.width + pad + right.width;
  float height = left.height > right.height ? left.height : right.height;
  float x = (area[0] + area[2] - width) / 2, y = (area[1] + area[3] - height) / 2;
  ui_style back = {UI_IN_FRONT, UI_TEXT, ui_color(18, 21, 26, 0.96f)},
           front = {UI_IN_FRONT, UI_CODE, ui_color(230, 232, 235, 1)};
  ui_draw_box(u, &back, (float[4]){x - pad, y - pad, x + width + pad, y + height + pad}, 8 * ui_scale(u));
  ui_draw_text(u, &front, x, y, left.text);
  ui_draw_text(u, &front, x + left.width + pad, y, right.text);
}
