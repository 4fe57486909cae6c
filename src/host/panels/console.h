/* console – the log of a run, and an input line that the application evaluates. */
#ifndef SINEW_HOST_CONSOLE_H
#define SINEW_HOST_CONSOLE_H

#include "host/ui/ui.h"

enum { CONSOLE_LINES = 1000, CONSOLE_HISTORY = 100, CONSOLE_TEXT = 1024 };

/* The kind of a line: a sinew_log_level, or typed text. */
enum { CONSOLE_TYPED = SINEW_LOG_ERROR + 1, CONSOLE_LEVELS };

typedef struct console_line {
  char *text;
  int level;
  int repeats; /* beyond the first */
} console_line;

typedef struct console {
  console_line lines[CONSOLE_LINES]; /* a ring: the oldest is at `first` */
  int first, count;
  bool hides[CONSOLE_LEVELS];
  char filter[128];
  char *history[CONSOLE_HISTORY]; /* oldest first */
  int history_count, recalled;    /* the one that the prompt shows; history_count: none */
  ui_prompt prompt;
  bool was_open;
} console;

/* Adds each line of the text. If there is no room, the oldest is dropped; without memory, a line is lost. */
void console_add(console *c, int level, const char *text);
/* The line at an index among those that pass the filter and levels; NULL past the last. */
const console_line *console_shown(const console *c, int index);
/* The first place that a line names, "file.lua:12": writes its file to `name`, and the line's number. */
bool console_place(const char *text, char *name, size_t size, int *line);
/* Opens that place in the editor, or shows why that is impossible. */
void console_open_place(sinew_host *host, const char *text);
void console_release(console *c);

/* Between the application's update and the evaluation. */
void console_draw(sinew_host *host);

#endif
