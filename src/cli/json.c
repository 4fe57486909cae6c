#include "cli/json.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>

void json_string(const char *text) {
  putchar('"');
  while (*text) {
    int length = text_character(text);
    unsigned code = (unsigned char)text[length == 2]; /* of ASCII, and of the control characters above it */
    if (length == 0) fputs("\\ufffd", stdout);
    else if (*text == '"' || *text == '\\') printf("\\%c", *text);
    else if (text_is_control(text)) printf("\\u%04x", code);
    else fwrite(text, 1, (size_t)length, stdout);
    text += length ? length : 1;
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
