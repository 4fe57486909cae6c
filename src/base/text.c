#include "base/text.h"

#include "base/memory/memory.h"

#include <ctype.h>
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

int text_character(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  int length = c[0] < 0x80                   ? 1
               : c[0] >= 0xC2 && c[0] < 0xE0 ? 2
               : (c[0] & 0xF0) == 0xE0       ? 3
               : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                             : 0;
  for (int i = 1; i < length; i++)
    if ((c[i] & 0xC0) != 0x80) return 0;
  if (c[0] == 0xE0 && c[1] < 0xA0) return 0;
  if (c[0] == 0xED && c[1] >= 0xA0) return 0;
  if (c[0] == 0xF0 && c[1] < 0x90) return 0;
  return c[0] == 0xF4 && c[1] >= 0x90 ? 0 : length;
}

bool text_is_control(const char *c) {
  unsigned char first = (unsigned char)c[0];
  return first < 0x20 || first == 0x7F || (first == 0xC2 && (unsigned char)c[1] < 0xA0);
}

static void show(FILE *file, const char *text) {
  while (*text) {
    int length = text_character(text);
    bool shows = *text == '\n' || *text == '\t' || (length > 0 && !text_is_control(text));
    if (shows) fwrite(text, 1, (size_t)length, file);
    else fprintf(file, "\\x%02x", (unsigned)(unsigned char)text[length == 2]);
    text += length ? length : 1;
  }
}

int text_show_list(FILE *file, const char *format, va_list values) {
  char small[4096], *whole = NULL;
  va_list again;
  va_copy(again, values);
  int length = text_format_list(small, sizeof small, format, values);
  if (length >= (int)sizeof small) whole = mem_alloc((size_t)length + 1); /* without memory it is cut */
  if (whole) text_format_list(whole, (size_t)length + 1, format, again);
  va_end(again);
  if (length >= 0) show(file, whole ? whole : small);
  mem_free(whole);
  return length;
}

int text_show(FILE *file, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = text_show_list(file, format, values);
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

/* ---- name ---- */

enum { LONGEST = 64 };

static bool same_letter(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

static int least(int a, int b) { return a < b ? a : b; }

/* Optimal string alignment: insert, delete, replace or swap two neighbours, each at a cost of one. */
static int edit_distance(const char *a, int a_length, const char *b, int b_length) {
  int rows[3][LONGEST + 1];
  for (int j = 0; j <= b_length; j++) rows[0][j] = j;
  for (int i = 1; i <= a_length; i++) {
    int *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= b_length; j++) {
      int replace = above[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = least(replace, least(above[j], row[j - 1]) + 1);
      bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) row[j] = least(row[j], second[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

const char *sinew_nearest_name(const char *name, const char *const *candidates, int count) {
  const char *nearest = NULL;
  size_t length = name ? strlen(name) : 0;
  if (length == 0 || length > LONGEST) return NULL;
  int limit = length < 3 ? 1 : (int)(length + 2) / 3;
  for (int i = 0; i < count; i++) {
    size_t other = candidates[i] ? strlen(candidates[i]) : 0;
    if (other == 0 || other > LONGEST) continue;
    int distance = edit_distance(name, (int)length, candidates[i], (int)other);
    if (distance > limit) continue;
    nearest = candidates[i];
    limit = distance - 1;
  }
  return nearest;
}
