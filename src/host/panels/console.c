#include "host/panels/console.h"

#include "base/memory/memory.h"
#include "host/host.h"
#include "host/system/editor.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the prompt ---- */

static void remember(console *c, const char *text) {
  char *copy = mem_copy_string(text);
  if (!copy) return;
  if (c->history_count == CONSOLE_HISTORY) {
    mem_free(c->history[0]);
    memmove(c->history, c->history + 1, (CONSOLE_HISTORY - 1) * sizeof *c->history);
    c->history_count--;
  }
  c->history[c->history_count++] = copy;
  c->recalled = c->history_count;
}

static const char *recall(void *user, int step) {
  console *c = &((sinew_host *)user)->console;
  int wanted = c->recalled + step;
  if (wanted < 0 || wanted > c->history_count) return NULL;
  c->recalled = wanted;
  return wanted == c->history_count ? "" : c->history[wanted];
}

static int complete(void *user, const char *text, int *from, char *names, size_t size) {
  const sinew_host *host = user;
  return host->app.complete ? host->app.complete(host->app.user, text, from, names, size) : 0;
}

/* Lists several completions as a line of the log. */
static void list_names(void *user, const char *names) {
  char line[512];
  size_t used = 0;
  for (; *names && used + 1 < sizeof line; names++) line[used++] = *names == '\n' ? ' ' : *names;
  line[used] = '\0';
  console_add(&((sinew_host *)user)->console, SINEW_LOG_INFO, line);
}

static void evaluate(sinew_host *host) {
  enum { ANSWER = 1 << 15 };
  console *c = &host->console;
  char typed[CONSOLE_TEXT + 4], *answer = mem_alloc(ANSWER);
  if (!c->prompt.text[0] || !answer) {
    mem_free(answer);
    return;
  }
  answer[0] = '\0';
  snprintf(typed, sizeof typed, "> %s", c->prompt.text);
  console_add(c, CONSOLE_TYPED, typed);
  remember(c, c->prompt.text);
  bool fine = host->review.is_on ? question_evaluate(host, c->prompt.text, answer, ANSWER)
                                 : change_line(host, c->prompt.text, answer, ANSWER);
  if (answer[0]) console_add(c, fine ? SINEW_LOG_INFO : SINEW_LOG_ERROR, answer);
  c->prompt.text[0] = '\0';
  mem_free(answer);
}

/* ---- the panel ---- */

static const char *text_of(void *user, int index, int *level, bool *links) {
  static char text[CONSOLE_TEXT + 32]; /* until the next one */
  char name[256];
  int number;
  const console_line *line = console_shown(&((sinew_host *)user)->console, index);
  if (!line) return NULL;
  *level = line->level;
  *links = console_place(line->text, name, sizeof name, &number);
  snprintf(text, sizeof text, line->repeats ? "%.*s  × %d" : "%.*s", CONSOLE_TEXT, line->text, line->repeats + 1);
  return text;
}

void console_open_place(sinew_host *host, const char *text) {
  char name[256], path[1024];
  int number;
  sinew_error error;
  if (!console_place(text, name, sizeof name, &number)) return;
  bool found = host->app.locate && host->app.locate(host->app.user, name, path, sizeof path);
  if (!found) sinew_host_toast(host, "this file is not one of the scene's");
  else if (!host->replay && !editor_open(path, number, &error)) sinew_host_toast(host, error.message);
}

static void open_line(sinew_host *host, int index) {
  const console_line *line = console_shown(&host->console, index);
  if (line) console_open_place(host, line->text);
}

static void draw_filters(console *c, ui *u) {
  static const char *const names[CONSOLE_LEVELS] = {"info", "warnings", "errors", "typed"};
  for (int i = 0; i < CONSOLE_LEVELS; i++) {
    bool shows = !c->hides[i];
    if (i > 0) ui_same_line(u);
    if (ui_checkbox(u, names[i], &shows)) c->hides[i] = !shows;
  }
  ui_same_line(u);
  ui_text_field(u, "filter", c->filter, sizeof c->filter);
}

void console_draw(sinew_host *host) {
  console *c = &host->console;
  if (host->view.console && !c->was_open) c->prompt.takes_focus = true; /* once it is visible */
  c->was_open = host->view.console;
  if (!host->ui || !host->view.console) return;
  if (!ui_begin_region(host->ui, UI_BOTTOM, "Console", &host->view.console)) return;
  draw_filters(c, host->ui);
  ui_log_job log = {.user = host, .line = text_of, .prompts = host->app.evaluate != NULL};
  int clicked = ui_log(host->ui, &log);
  if (clicked >= 0) open_line(host, clicked);
  c->prompt.hint = host->review.is_on ? "evaluated in a copy of the shown moment; effects are discarded"
                                      : "an expression or a statement of Lua; TAB completes, UP recalls";
  c->prompt.user = host, c->prompt.recall = recall, c->prompt.complete = complete, c->prompt.list = list_names;
  if (host->app.evaluate && ui_prompt_line(host->ui, "prompt", &c->prompt)) evaluate(host);
  ui_end_region(host->ui);
}

/* ---- The lines of the console ---- */

static console_line *line_at(console *c, int index) { return c->lines + (c->first + index) % CONSOLE_LINES; }

static void add_line(console *c, int level, const char *text, size_t length) {
  console_line *last = c->count > 0 ? line_at(c, c->count - 1) : NULL;
  if (last && last->level == level && strlen(last->text) == length && strncmp(last->text, text, length) == 0) {
    last->repeats++;
    return;
  }
  char *copy = mem_alloc(length + 1);
  if (!copy) return;
  memcpy(copy, text, length);
  copy[length] = '\0';
  if (c->count == CONSOLE_LINES) {
    mem_free(c->lines[c->first].text);
    c->first = (c->first + 1) % CONSOLE_LINES;
    c->count--;
  }
  *line_at(c, c->count++) = (console_line){.text = copy, .level = level};
}

void console_add(console *c, int level, const char *text) {
  while (text) {
    size_t length = strcspn(text, "\n");
    add_line(c, level, text, length);
    text = text[length] ? text + length + 1 : NULL;
  }
}

static bool is_shown(const console *c, const console_line *line) {
  return !c->hides[line->level] && (!c->filter[0] || strstr(line->text, c->filter));
}

const console_line *console_shown(const console *c, int index) {
  for (int i = 0; i < c->count; i++) {
    const console_line *line = c->lines + (c->first + i) % CONSOLE_LINES;
    if (is_shown(c, line) && index-- == 0) return line;
  }
  return NULL;
}

bool console_place(const char *text, char *name, size_t size, int *line) {
  for (const char *found = strstr(text, ".lua:"); found; found = strstr(found + 1, ".lua:")) {
    const char *begin = found, *end = found + 4;
    while (begin > text && !strchr(" \t'\"([<", begin[-1])) begin--;
    *line = isdigit((unsigned char)end[1]) ? atoi(end + 1) : 0;
    if (*line < 1 || begin == found || (size_t)(end - begin) >= size) continue;
    memcpy(name, begin, (size_t)(end - begin));
    name[end - begin] = '\0';
    return true;
  }
  return false;
}

void console_release(console *c) {
  for (int i = 0; i < c->count; i++) mem_free(line_at(c, i)->text);
  for (int i = 0; i < c->history_count; i++) mem_free(c->history[i]);
  *c = (console){0};
}
