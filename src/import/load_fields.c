#include "import/load_fields.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum load_type { LOAD_FLAG, LOAD_COUNT, LOAD_NUMBER, LOAD_TEXT } load_type;

typedef struct load_field {
  const char *name;
  load_type type;
  size_t offset;
} load_field;

#define FIELD(member, type)                                                                                            \
  { #member, type, offsetof(sinew_load_options, member) }

/* The options that change the model. Options about how a load runs, or who reads its files, do not. */
static const load_field fields[] = {
    FIELD(raw, LOAD_FLAG),       FIELD(exact, LOAD_FLAG),  FIELD(skip_unfit_clip_files, LOAD_FLAG),
    FIELD(retarget, LOAD_COUNT), FIELD(unit, LOAD_NUMBER), FIELD(max_influences, LOAD_COUNT),
    FIELD(up, LOAD_TEXT),        FIELD(front, LOAD_TEXT),  FIELD(tolerance, LOAD_NUMBER),
};
enum { FIELDS = sizeof fields / sizeof *fields };

int load_field_count(void) { return FIELDS; }

static const void *at(const load_field *f, const sinew_load_options *options) {
  return (const char *)options + f->offset;
}

static unsigned long long bits_of(const void *number) {
  uint64_t bits;
  memcpy(&bits, number, sizeof bits);
  return bits;
}

void load_field_print(int field, const sinew_load_options *options, char out[LOAD_FIELD_TEXT]) {
  const load_field *f = fields + field;
  const void *value = at(f, options);
  const char *text;
  int count;
  switch (f->type) {
  case LOAD_FLAG: snprintf(out, LOAD_FIELD_TEXT, "%s=%d", f->name, *(const bool *)value); break;
  case LOAD_COUNT:
    memcpy(&count, value, sizeof count);
    snprintf(out, LOAD_FIELD_TEXT, "%s=%d", f->name, count);
    break;
  case LOAD_NUMBER: snprintf(out, LOAD_FIELD_TEXT, "%s=%llx", f->name, bits_of(value)); break;
  case LOAD_TEXT:
    memcpy(&text, value, sizeof text);
    snprintf(out, LOAD_FIELD_TEXT, "%s=%.15s", f->name, text ? text : "");
    break;
  }
}

bool load_field_is_standard(int field, const sinew_load_options *options) {
  char one[LOAD_FIELD_TEXT], other[LOAD_FIELD_TEXT];
  sinew_load_options standard = sinew_load_options_default();
  load_field_print(field, options, one);
  load_field_print(field, &standard, other);
  return strcmp(one, other) == 0;
}

bool load_field_read(const char *text, sinew_load_options *options) {
  size_t size = strcspn(text, "=");
  const char *value = text + size + 1;
  for (int i = 0; i < FIELDS && text[size]; i++) {
    void *to = (char *)options + fields[i].offset;
    int count = atoi(value);
    uint64_t bits = strtoull(value, NULL, 16);
    if (strlen(fields[i].name) != size || memcmp(fields[i].name, text, size) != 0) continue;
    if (fields[i].type == LOAD_FLAG) *(bool *)to = count != 0;
    else if (fields[i].type == LOAD_COUNT) memcpy(to, &count, sizeof count);
    else if (fields[i].type == LOAD_NUMBER) memcpy(to, &bits, sizeof bits);
    else memcpy(to, &value, sizeof value);
    return true;
  }
  return false;
}

int sinew_load_options_text(const sinew_load_options *options, char *out, int size) {
  char one[LOAD_FIELD_TEXT];
  int used = 0;
  for (int i = 0; i < FIELDS; i++) {
    load_field_print(i, options, one);
    int left = size > used ? size - used : 0;
    used += snprintf(left ? out + used : NULL, (size_t)left, "%s ", one);
  }
  return used;
}
