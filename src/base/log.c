#include <sinew/base.h>

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

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
