/* Printing by the bindings: limited in each frame to what a terminal or a disk can take. */
#include "declare/declarations.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PRINTED_LIMIT = 1 << 20, LINE = 4096 };

const char *declarations_printable(declarations *all, const char *line) {
  if (all->printed > PRINTED_LIMIT) return NULL;
  all->printed += strlen(line) + 1;
  if (all->printed <= PRINTED_LIMIT) return line;
  return "(output beyond 1 MiB in a frame is left out, here and in the rest of this frame)";
}

void declarations_say(declarations *all, sinew_log_level level, const char *format, ...) {
  char text[LINE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const char *line = declarations_printable(all, text);
  if (line) sinew_log(level, "%s", line);
}
