/* messages – the host's messages to the user: log lines and toasts that fade, errors that stay, a line of help. */
#ifndef SINEW_HOST_MESSAGES_H
#define SINEW_HOST_MESSAGES_H

#include <sinew/base.h>

enum { LOG_LINE_LIMIT = 10, TOAST_LIMIT = 4, PROBLEM_LIMIT = 12 };

typedef struct message {
  char *text;
  sinew_log_level level;
  double since; /* by the clock of messages_update */
  int repeats;  /* how often the same line was repeated in a row */
} message;

typedef struct problem {
  char *title, *text; /* NULL: none */
  char *path;         /* the file that it is about, or NULL */
  int line;
} problem;

typedef struct messages {
  double now;
  message lines[LOG_LINE_LIMIT]; /* oldest first */
  int line_count;
  message toasts[TOAST_LIMIT];
  int toast_count;
  problem problems[PROBLEM_LIMIT];
  char *help, *progress, *hint;
  double help_since, hint_since, hint_seconds;
} messages;

void messages_release(messages *m);

/* Advances the clock and drops messages that have faded out. */
void messages_update(messages *m, double dt);

/* If there is no room, the oldest line is dropped; a line that repeats the last one increases its count. If memory runs
 * out, the message is lost. */
void messages_add_line(messages *m, sinew_log_level level, const char *text);
void messages_add_toast(messages *m, const char *text);
void messages_set_help(messages *m, const char *text);
void messages_set_progress(messages *m, const char *text); /* NULL: nothing takes long */
/* Shows a suggestion of a key to press below the help, for that many seconds; NULL shows none. */
void messages_set_hint(messages *m, const char *text, double seconds);
/* NULL title and text clear the slot. Slots outside 0 .. PROBLEM_LIMIT − 1 are ignored. */
void messages_set_problem(messages *m, int slot, const char *title, const char *text);

/* The file and the line that the problem of a slot is about; NULL: none. */
void messages_set_location(messages *m, int slot, const char *path, int line);

/* The current opacity, 0..1. */
float messages_line_alpha(const messages *m, const message *line);
float messages_toast_alpha(const messages *m, const message *toast);
float messages_help_alpha(const messages *m);
float messages_hint_alpha(const messages *m);

#endif
