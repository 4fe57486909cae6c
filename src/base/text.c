#include "base/text.h"

#include <stdlib.h>

int text_format_list(char *out, size_t size, const char *format, va_list values) {
  void *before = sinew_enter_c_locale();
  int length = vsnprintf(out, size, format, values);
  sinew_leave_c_locale(before);
  return length;
}

int text_format(char *out, size_t size, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = text_format_list(out, size, format, values);
  va_end(values);
  return length;
}

int text_print_list(FILE *file, const char *format, va_list values) {
  void *before = sinew_enter_c_locale();
  int length = vfprintf(file, format, values);
  sinew_leave_c_locale(before);
  return length;
}

int text_print(FILE *file, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = text_print_list(file, format, values);
  va_end(values);
  return length;
}

double text_number(const char *text, char **end) {
  void *before = sinew_enter_c_locale();
  double value = strtod(text, end);
  sinew_leave_c_locale(before);
  return value;
}

int text_scan(const char *text, const char *format, ...) {
  va_list values;
  va_start(values, format);
  void *before = sinew_enter_c_locale();
  int found = vsscanf(text, format, values);
  sinew_leave_c_locale(before);
  va_end(values);
  return found;
}
