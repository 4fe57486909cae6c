/* editor – opens a file at a line in the editor that $VISUAL (or $EDITOR) names. */
#ifndef SINEW_HOST_EDITOR_H
#define SINEW_HOST_EDITOR_H

#include <sinew/base.h>

enum { EDITOR_WORDS = 16, EDITOR_ROOM = 4096 };

/* The command that opens the editor: words in `room`, ending with NULL. */
typedef struct editor_command {
  const char *words[EDITOR_WORDS];
  char room[EDITOR_ROOM];
} editor_command;

/* Makes the command with which `editor` (for example "code --wait") opens the path at the line. An editor that needs a
 * terminal gets `terminal` ("xterm"; NULL: the system's). False if the command does not fit. */
bool editor_make_command(const char *editor, const char *terminal, const char *path, int line, editor_command *command);

/* Starts it and returns at once. False and an error message if neither variable is set, or the program cannot be
 * started. */
bool editor_open(const char *path, int line, sinew_error *error);

#endif
