#include "host/past/recorded_change.h"

#include "base/text.h"

#include <sinew/host.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- out ---- */

static size_t print_name(char *out, size_t room, const char *name) {
  size_t used = 0;
  if (room < 4) return room;
  out[used++] = '"';
  for (; *name && used + 4 < room; name++) {
    bool escaped = strchr("\"\\\n\r", *name) != NULL;
    if (escaped) out[used++] = '\\';
    out[used++] = *name == '\n' ? 'n' : *name == '\r' ? 'r' : *name;
  }
  out[used++] = '"';
  out[used++] = ' ';
  out[used] = '\0';
  return *name ? room : used;
}

bool recorded_change_print(const recorded_change *s, char out[RECORDED_LINE]) {
  const char *const names[] = {s->field, s->actor, s->part, s->detail};
  size_t used = (size_t)text_format(out, RECORDED_LINE, "set %d %s ", s->when, s->kind);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    used += print_name(out + used, RECORDED_LINE - used, names[i]);
  char numbers[RECORDED_VALUES * 26 + 32];
  size_t more = (size_t)text_format(numbers, sizeof numbers, "%d %d", s->actors_before, s->details_before);
  for (int i = 0; i < s->count; i++)
    more += (size_t)text_format(numbers + more, sizeof numbers - more, " %.17g", s->values[i]);
  if (used + more >= RECORDED_LINE) return false;
  memcpy(out + used, numbers, more + 1);
  return true;
}

/* ---- in ---- */

int recorded_change_whole(double value) { return (int)fmin(fmax(value, -1e9), 1e9); }

/* Returns the position behind the name, or NULL. */
static const char *read_name(const char *at, char out[RECORDED_NAME]) {
  size_t used = 0;
  if (!at || *at++ != '"') return NULL;
  for (; *at && *at != '"'; at++) {
    char c = *at;
    if (c == '\\') {
      c = *++at;
      if (!c) return NULL;
      c = c == 'n' ? '\n' : c == 'r' ? '\r' : c;
    }
    if (used + 1 == RECORDED_NAME) return NULL;
    out[used++] = c;
  }
  out[used] = '\0';
  return at[0] == '"' && at[1] == ' ' ? at + 2 : NULL;
}

static const char *read_values(const char *at, recorded_change *out) {
  for (out->count = 0; *at == ' ' && out->count < RECORDED_VALUES; out->count++) {
    int end = 0;
    double *value = &out->values[out->count];
    if (text_scan(at, " %lf%n", value, &end) != 1 || !isfinite(*value)) return NULL;
    at += end;
  }
  return at;
}

bool recorded_change_read(const char *line, recorded_change *out) {
  int end = 0;
  if (sscanf(line, "set %d %15[a-z] %n", &out->when, out->kind, &end) != 2 || end == 0 || out->when < SET_TOLD)
    return false;
  char *const names[] = {out->field, out->actor, out->part, out->detail};
  const char *at = line + end;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) at = read_name(at, names[i]);
  end = 0;
  if (!at || sscanf(at, "%d %d%n", &out->actors_before, &out->details_before, &end) != 2) return false;
  at = read_values(at + end, out);
  return at && !*at;
}

/* ---- older kinds ---- */

enum { IN_VALUES = -1 }; /* the first value is the kind of the object */

/* A dot stands before the recorded field; without a field here, the recorded one is the field. */
static const struct {
  const char *name;
  int object;
  const char *field;
  int value, most; /* the first one that counts, and how many there are at most */
} kinds[] = {
    {"edit", IN_VALUES, "", 1, 7},
    {"control", IN_VALUES, "", 1, 3},
    {"param", SINEW_EDIT_ACTOR, "params.", 0, 1},
    {"pin", SINEW_EDIT_ACTOR, "pins.", 0, 1},
    {"morph", SINEW_EDIT_ACTOR, "morphs.", 0, 1},
    {"visible", SINEW_EDIT_ACTOR, "visible", 0, 1},
    {"opacity", SINEW_EDIT_ACTOR, "opacity", 0, 1},
    {"selection", SINEW_EDIT_ACTOR, "joint.", 0, 1},
    {"time", SINEW_EDIT_ACTION, "time", 0, 1},
    {"action", SINEW_EDIT_ACTION, "weight", 0, 1},
    {"action", SINEW_EDIT_ACTION, "speed", 1, 1},
    {"action", SINEW_EDIT_ACTION, "paused", 2, 1},
    {"weight", SINEW_EDIT_LAYER, "weight", 0, 1},
    {"space", SINEW_EDIT_LAYER, "space", 0, 1},
    {"mask", SINEW_EDIT_LAYER, "mask.", 0, 2},
    {"bearing", SINEW_EDIT_MODIFIER, "weight", 0, 1},
    {"target", SINEW_EDIT_MODIFIER, "target", 0, 3},
    {"offset", SINEW_EDIT_ATTACHMENT, "offset", 0, 7},
    {"seek", SINEW_EDIT_SAMPLE, "time", 0, 1},
    {"sample", SINEW_EDIT_SAMPLE, "place", 0, 2},
    {"view", SINEW_EDIT_VIEW, "", 0, 1},
    {"unpin", SINEW_EDIT_VIEW, "pins", 0, 0},
};

bool recorded_change_edit(const recorded_change *s, int index, recorded_change *out) {
  size_t i = 0, count = sizeof kinds / sizeof *kinds;
  while (i < count && (strcmp(kinds[i].name, s->kind) != 0 || index-- > 0)) i++;
  if (i == count || s->count < kinds[i].value) return false;
  const char *field = kinds[i].field, *name = field[0] && field[strlen(field) - 1] != '.' ? "" : s->field;
  int given = s->count - kinds[i].value, values = given < kinds[i].most ? given : kinds[i].most;
  *out = *s;
  text_format(out->kind, sizeof out->kind, "edit");
  text_format(out->field, sizeof out->field, "%s%s", field, name);
  out->count = 1 + values;
  out->values[0] = kinds[i].object == IN_VALUES ? s->values[0] : kinds[i].object;
  for (int k = 0; k < values; k++) out->values[1 + k] = s->values[kinds[i].value + k];
  return true;
}
