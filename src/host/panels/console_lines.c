/* The lines of the console. */
#include "base/memory/memory.h"
#include "host/panels/console.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
