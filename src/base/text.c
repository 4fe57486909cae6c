#include "base/text.h"

#include <stdlib.h>
#include <string.h>

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

const char *text_count(char *out, size_t size, long long count, const char *format) {
  size_t n = 0;
  while (*format && n + 1 < size) {
    size_t before = *format == '{' ? strcspn(format, "|}") : 0;
    if (before == 0 || format[before] != '|') {
      out[n++] = *format++;
      continue;
    }
    const char *one = format + 1, *several = format + before + 1;
    size_t rest = strcspn(several, "}"), length = count == 1 ? before - 1 : rest;
    if (length > size - 1 - n) length = size - 1 - n;
    memcpy(out + n, count == 1 ? one : several, length);
    n += length;
    format = several + rest + (several[rest] == '}');
  }
  out[n] = '\0';
  return out;
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
