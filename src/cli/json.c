#include "cli/json.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>

/* Bytes of the UTF-8 character at `c`, or 0: overlong forms, halves of surrogate pairs and cut characters are none. */
static int character_length(const unsigned char *c) {
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

void json_string(const char *text) {
  putchar('"');
  for (const unsigned char *c = (const unsigned char *)text; *c;) {
    int length = character_length(c);
    if (length == 0) fputs("\\ufffd", stdout);
    else if (*c == '"' || *c == '\\') printf("\\%c", *c);
    else if (*c < 0x20 || *c == 0x7F) printf("\\u%04x", *c);
    else fwrite(c, 1, (size_t)length, stdout);
    c += length ? length : 1;
  }
  putchar('"');
}

void json_number(double value) {
  if (isfinite(value)) text_print(stdout, "%.9g", value);
  else fputs("null", stdout);
}

void json_floats(const float *values, int count) {
  putchar('[');
  for (int i = 0; i < count; i++) {
    if (i) putchar(',');
    json_number((double)values[i]);
  }
  putchar(']');
}
