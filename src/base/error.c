#include "base/error.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A truncated multi-byte character would make the whole message invalid for a terminal or a font. */
static void trim_partial_character(char *text) {
  size_t length = strlen(text);
  size_t start = length;
  while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80) start--;
  if (start == 0) return;
  unsigned char lead = (unsigned char)text[start - 1];
  size_t need = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  if (length - start < need) text[start - 1] = '\0';
}

bool error_set(sinew_error *error, const char *format, ...) {
  if (!error) return false;
  va_list arguments;
  va_start(arguments, format);
  /* formatted in a separate buffer, because an argument may be the old message */
  char text[sizeof error->message];
  int length = text_format_list(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0) text[0] = '\0';
  if (length >= (int)sizeof text) trim_partial_character(text);
  memcpy(error->message, text, strlen(text) + 1);
  return false;
}

bool error_memory(sinew_error *error, const char *what, size_t bytes) {
  return error_set(error, "out of memory for %s (%zu bytes)", what, bytes);
}

/* ---- log ---- */

static void print_line(void *user, sinew_log_level level, const char *line) {
  (void)user;
  static const char *const prefix[] = {"", "warning: ", "error: "};
  text_show(stderr, "sinew: %s%s\n", prefix[level], line);
}

static sinew_log_function *log_function = print_line;
static void *log_user;

void sinew_set_log(sinew_log_function *function, void *user) {
  log_function = function ? function : print_line;
  log_user = function ? user : NULL;
}

void sinew_log(sinew_log_level level, const char *format, ...) {
  char line[4096];
  va_list arguments;
  va_start(arguments, format);
  if (text_format_list(line, sizeof line, format, arguments) >= 0) log_function(log_user, level, line);
  va_end(arguments);
}

void sinew_print(const char *line) {
  text_show(stdout, "%s\n", line);
  fflush(stdout);
}

const char *sinew_version(void) { return SINEW_VERSION; }
