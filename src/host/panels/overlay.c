#include "host/panels/overlay.h"

#include "base/system.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* ---- the list of Sinew's own keys, as ? shows it ---- */

enum { LINES = 24, TEXT = 2048 };

static const key_line key_lines[KEY_PAGE_COUNT][LINES] = {
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
  bool there = index >= 0 && index < LINES && key_lines[page][index].label;
  return there ? &key_lines[page][index] : NULL;
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

/* Draws the list in the middle of the area, over everything but error messages. */
static void keys_draw(ui *u, const float area[4]) {
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

/* ---- overlay ---- */

static float min_of(float a, float b) { return a < b ? a : b; }

/* ---- a text in a box ---- */

typedef struct label {
  ui_depth depth;
  ui_font_kind font;
  uint32_t color, back;
  float padding;
} label;

static void draw_label(ui *u, const label *l, float x, float y, const char *text) {
  float width, height;
  ui_text_size(u, l->font, text, &width, &height);
  float box[4] = {x, y, x + width + 2 * l->padding, y + height + l->padding};
  ui_draw_box(u, &(ui_style){l->depth, l->font, l->back}, box, 6 * ui_scale(u));
  ui_draw_text(u, &(ui_style){l->depth, l->font, l->color}, x + l->padding, y + l->padding / 2, text);
}

/* So dark that light text has a contrast of 4.5 : 1 even over white. */
#define LEGIBLE 0.74f

static label plain_label(const ui *u, uint32_t color, float alpha) {
  return (label){UI_BEHIND, UI_TEXT, color, ui_color(12, 14, 17, LEGIBLE * alpha), 10 * ui_scale(u)};
}

/* ---- numbers ---- */

/* The name of the device: everything before the first comma or semicolon. */
static int device_length(const char *description) { return (int)strcspn(description, ",;("); }

/* Returns the lower edge of the box. */
static float draw_stats(ui *u, const stats *s, const float area[4]) {
  char text[1024];
  const char *renderer = s->renderer ? s->renderer : "";
  const sinew_render_stats *r = &s->render;
  double fps = s->frame_seconds > 0 ? 1 / s->frame_seconds : 0;
  text_format(text, sizeof text,
              "frame    %7.2f ms  %.0f fps\n"
              "evaluate %7.2f ms  %.1f µs each\n"
              "draw     %7.2f ms  on the CPU\n"
              "GPU      %7.2f ms  %.2f of shadows\n"
              "upload   %7.1f KB  %d calls\n"
              "actors   %7d     %d in crowds\n"
              "seen     %7d     %d instances\n"
              "joints   %7d\n"
              "memory   %7.0f MB\n"
              "start    %7.0f ms to a picture\n"
              "%.*s",
              s->frame_seconds * 1e3, fps, s->evaluate_microseconds * s->characters * 1e-3, s->evaluate_microseconds,
              s->draw_seconds * 1e3, r->seconds * 1e3, r->shadow_seconds * 1e3, (double)r->bytes / 1024, r->calls,
              s->characters, s->members, r->seen, r->instances, s->joints, system_resident_bytes() / 1e6,
              s->first_frame_seconds * 1e3, device_length(renderer), renderer);
  for (int i = 0; i < STATS_CALLBACKS && s->callbacks[i].name; i++) {
    size_t used = strlen(text);
    text_format(text + used, sizeof text - used, "\n%-8.8s %7.2f ms  of the script", s->callbacks[i].name,
                s->callbacks[i].seconds * 1e3);
  }
  label l = plain_label(u, ui_color(214, 219, 226, 1), 1);
  l.font = UI_CODE;
  float text_width, text_height;
  ui_text_size(u, l.font, text, &text_width, &text_height);
  float edge = 16 * ui_scale(u), left = area[2] - text_width - 2 * l.padding - edge, top = edge, right, bottom;
  ui_panels_end(u, &right, &bottom);
  if (left < right) top = bottom + edge / 2; /* no room beside the scene's panels */
  draw_label(u, &l, left, top, text);
  return top + text_height + l.padding;
}

/* ---- long lines ---- */

/* The length of the part that fits a line: up to a blank, if allowed and possible, and never inside a UTF-8 character.
 */
static size_t part_of(const char *line, size_t length, size_t columns, bool words) {
  size_t part = length < columns ? length : columns;
  while (part < length && part > 1 && (line[part] & 0xc0) == 0x80) part--;
  for (size_t at = part; words && part < length && at > part / 2; at--)
    if (line[at] == ' ') return at + 1;
  return part;
}

static void copy_wrapped_line(char *out, size_t size, size_t *used, const char *line, size_t length, size_t columns,
                              bool words) {
  do {
    size_t part = part_of(line, length, columns, words);
    if (*used + part + 2 > size) return;
    memcpy(out + *used, line, part);
    *used += part;
    out[(*used)++] = '\n';
    line += part;
    length -= part;
  } while (length > 0);
}

static void wrap(char *out, size_t size, const char *text, size_t columns, bool words) {
  size_t used = 0;
  for (;;) {
    size_t length = strcspn(text, "\n");
    copy_wrapped_line(out, size, &used, text, length, columns, words);
    if (text[length] == '\0') break;
    text += length + 1;
  }
  while (used > 0 && out[used - 1] == '\n') used--;
  out[used] = '\0';
}

/* Breaks the text between words to fit the width. */
static void wrap_words(ui *u, ui_font_kind font, char *out, size_t size, const char *text, float room) {
  float width, height;
  size_t columns = strlen(text) + 1;
  do {
    wrap(out, size, text, columns, true);
    ui_text_size(u, font, out, &width, &height);
    columns = (size_t)((float)columns * 0.9f);
  } while (width > room && columns > 12);
}

/* ---- log, toasts, help ---- */

static uint32_t line_color(sinew_log_level level, float alpha) {
  if (level == SINEW_LOG_ERROR) return ui_color(255, 125, 112, alpha);
  if (level == SINEW_LOG_WARNING) return ui_color(250, 204, 112, alpha);
  return ui_color(226, 230, 235, alpha);
}

/* Shows only the newest of the plain messages, because the console has the others. All warnings and errors stay. */
static bool shows_line(const messages *m, int index) {
  if (m->lines[index].level != SINEW_LOG_INFO) return true;
  for (int i = index + 1; i < m->line_count; i++)
    if (m->lines[i].level == SINEW_LOG_INFO) return false;
  return true;
}

/* From the bottom up, with the newest line at the bottom. */
static void draw_lines(ui *u, const messages *m, float left, float right, float bottom) {
  float gap = 3 * ui_scale(u), edge = left + 16 * ui_scale(u);
  for (int i = m->line_count - 1; i >= 0; i--) {
    const message *line = &m->lines[i];
    float alpha = messages_line_alpha(m, line), width, height;
    char whole[1024], text[1200];
    if (alpha <= 0 || !shows_line(m, i)) continue;
    if (line->repeats > 0) snprintf(whole, sizeof whole, "%.960s  × %d", line->text, line->repeats + 1);
    else snprintf(whole, sizeof whole, "%.1020s", line->text);
    wrap_words(u, UI_CODE, text, sizeof text, whole, right - edge - 20 * ui_scale(u));
    label l = plain_label(u, line_color(line->level, alpha), alpha);
    l.font = UI_CODE;
    l.padding = 6 * ui_scale(u);
    ui_text_size(u, l.font, text, &width, &height);
    bottom -= height + l.padding + gap;
    draw_label(u, &l, edge, bottom, text);
  }
}

static void draw_toasts(ui *u, const messages *m, float from, float right, float top) {
  for (int i = m->toast_count - 1; i >= 0; i--) {
    char text[1200];
    float alpha = messages_toast_alpha(m, &m->toasts[i]), width, height, edge = from + 16 * ui_scale(u);
    label l = plain_label(u, ui_color(255, 206, 150, alpha), alpha);
    wrap_words(u, l.font, text, sizeof text, m->toasts[i].text, right - edge - 2 * l.padding);
    ui_text_size(u, l.font, text, &width, &height);
    float left = right - width - 2 * l.padding;
    draw_label(u, &l, left > edge ? left : edge, top, text);
    top += height + l.padding + 6 * ui_scale(u);
  }
}

static void draw_progress(ui *u, const messages *m, float left) {
  float edge = 16 * ui_scale(u);
  label l = plain_label(u, ui_color(150, 214, 255, 1), 1);
  if (m->progress) draw_label(u, &l, left + edge, edge, m->progress);
}

/* Explains at the top why a scene does not move normally. */
static void draw_time(ui *u, const overlay *o) {
  char text[80] = "paused: F6 continues, F7 steps one frame, ? lists the keys";
  float width, height;
  if (!o->paused && o->speed == 1) return;
  if (!o->paused) text_format(text, sizeof text, "time × %.3g: F8", o->speed);
  label l = plain_label(u, ui_color(150, 214, 255, 1), 1);
  ui_text_size(u, l.font, text, &width, &height);
  draw_label(u, &l, (o->area[0] + o->area[2] - width) / 2 - l.padding, 16 * ui_scale(u), text);
}

/* Returns the upper edge. */
static float draw_at_bottom(ui *u, const char *text, float alpha, const float area[4], float bottom) {
  float text_width, text_height;
  if (alpha <= 0 || !text) return bottom;
  char wrapped[1200];
  label l = plain_label(u, ui_color(226, 230, 235, alpha), alpha);
  wrap_words(u, l.font, wrapped, sizeof wrapped, text, area[2] - area[0] - 2 * l.padding);
  ui_text_size(u, l.font, text = wrapped, &text_width, &text_height);
  bottom -= text_height + l.padding;
  draw_label(u, &l, (area[0] + area[2] - text_width) / 2 - l.padding, bottom, text);
  return bottom - 6 * ui_scale(u);
}

/* The scene's own keys go above Sinew's keys that are hard to guess. */
static float draw_help(ui *u, const messages *m, const float area[4], float bottom) {
  bottom = draw_at_bottom(u, m->hint, messages_hint_alpha(m), area, bottom);
  return draw_at_bottom(u, m->help, messages_help_alpha(m), area, bottom);
}

/* ---- problems ---- */

/* Cuts the text before the line that would exceed the height. */
static void cut_to_height(const ui *u, char *text, float height) {
  int lines = (int)(height / ui_line_height(u, UI_CODE));
  for (char *c = text; *c; c++) {
    if (*c != '\n' || --lines > 0) continue;
    *c = '\0';
    return;
  }
}

static float draw_problem(ui *u, const problem *p, const float area[4]) {
  char text[8192];
  float pad = 14 * ui_scale(u), digit, line, title_width, title_height, text_width, text_height;
  ui_text_size(u, UI_CODE, "0", &digit, &line);
  float room = area[2] - area[0] - 2 * pad;
  wrap(text, sizeof text, p->text, room > 20 * digit ? (size_t)(room / digit) : 20,
       false); /* source lines are not wrapped */
  cut_to_height(u, text, area[3] - area[1] - 2 * line - 3 * pad);
  ui_text_size(u, UI_TEXT, p->title, &title_width, &title_height);
  ui_text_size(u, UI_CODE, text, &text_width, &text_height);
  float bar = area[1] + title_height + pad, bottom = bar + text_height + 1.6f * pad, round = 8 * ui_scale(u);
  ui_style back = {UI_IN_FRONT, UI_TEXT, ui_color(28, 18, 19, 0.95f)},
           red = {UI_IN_FRONT, UI_TEXT, ui_color(196, 52, 48, 1)};
  ui_draw_box(u, &back, (float[4]){area[0], area[1], area[2], bottom}, round);
  ui_draw_box(u, &red, (float[4]){area[0], area[1], area[2], bar}, round);
  ui_draw_box(u, &red, (float[4]){area[0], bar - round, area[2], bar}, 0);
  ui_draw_text(u, &(ui_style){UI_IN_FRONT, UI_TEXT, ui_color(255, 255, 255, 1)}, area[0] + pad, area[1] + pad / 2,
               p->title);
  ui_draw_text(u, &(ui_style){UI_IN_FRONT, UI_CODE, ui_color(244, 226, 222, 1)}, area[0] + pad, bar + 0.8f * pad, text);
  return bottom + pad;
}

/* Shows a hint at the right end of the title, if there is room. */
static void draw_hint(ui *u, const char *title, const float box[4]) {
  static const char text[] = "click: open in the editor";
  float width, height, title_width, pad = 14 * ui_scale(u);
  ui_text_size(u, UI_TEXT, text, &width, &height);
  ui_text_size(u, UI_TEXT, title, &title_width, &height);
  if (title_width + width + 3 * pad > box[2] - box[0]) return;
  ui_draw_text(u, &(ui_style){UI_IN_FRONT, UI_TEXT, ui_color(255, 214, 208, 1)}, box[2] - width - pad, box[1] + pad / 2,
               text);
}

/* Beside the panels if a sentence fits there, else over them: an error is never hidden. */
static void problem_area(const ui *u, const overlay *o, float area[4]) {
  float least = 420 * ui_scale(u), edge = 24 * ui_scale(u);
  bool beside = o->area[2] - o->area[0] >= least && o->area[3] - o->area[1] >= least / 2;
  float left = beside ? o->area[0] : 0, right = beside ? o->area[2] : o->width;
  float panel = min_of(right - left - 2 * edge, 900 * ui_scale(u));
  area[0] = (left + right - panel) / 2;
  area[1] = edge;
  area[2] = (left + right + panel) / 2;
  area[3] = (beside ? o->area[3] : o->height) - edge;
}

static void draw_problems(ui *u, const overlay *o) {
  const messages *m = o->messages;
  float edge = 24 * ui_scale(u), area[4];
  problem_area(u, o, area);
  for (int i = 0; i < PROBLEM_LIMIT; i++) {
    const problem *p = &m->problems[i];
    float *box = o->problem_boxes[i], top = area[1];
    memset(box, 0, 4 * sizeof *box);
    if (!p->text || !p->title || top >= area[3] - 2 * edge) continue;
    area[1] = draw_problem(u, p, area);
    memcpy(box, (float[4]){area[0], top, area[2], area[1] - 14 * ui_scale(u)}, 4 * sizeof *box);
    if (p->path) draw_hint(u, p->title, box);
  }
}

void overlay_draw(ui *u, const overlay *o) {
  float edge = 16 * ui_scale(u), top = edge, bottom = o->area[3] - 14 * ui_scale(u);
  if (o->stats) top = draw_stats(u, o->stats, o->area) + 6 * ui_scale(u);
  if (o->is_interactive) bottom = draw_help(u, o->messages, o->area, bottom);
  if (o->is_interactive) draw_time(u, o);
  draw_progress(u, o->messages, o->area[0]);
  if (!o->hides_lines) draw_lines(u, o->messages, o->area[0], o->area[2], bottom);
  draw_toasts(u, o->messages, o->area[0], o->area[2] - edge, top);
  if (o->shows_keys) keys_draw(u, (float[4]){0, 0, o->width, o->height});
  draw_problems(u, o);
}
