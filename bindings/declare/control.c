#include "declare/control.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int read_int(const void *at) {
  int value;
  memcpy(&value, at, sizeof value);
  return value;
}

static double about_y(const sinew_quat *q) { return 2 * sinew_atan2((double)q->y, (double)q->w); }

/* ---- shown ---- */

/* The only text with a control is the skinner. */
static const char *const *skinners(const declarations *all) {
  enum { MOST = 8 };
  static const char *names[MOST + 1];
  for (int i = 0; i <= MOST; i++) names[i] = i < MOST ? sinew_host_skinner_name(all->host, i) : NULL;
  return names;
}

/* Every choice of the four axes except none, by its bits: the first is 1. */
static const char *const axes[] = {"x",     "y",     "x y",     "z",     "x z",     "y z",     "x y z",     "yaw",
                                   "x yaw", "y yaw", "x y yaw", "z yaw", "x z yaw", "y z yaw", "x y z yaw", NULL};

static const char *const *words_of(const declarations *all, const store_field *f) {
  if (f->type == FIELD_BITS) return axes;
  static const char *const loops[] = {"once", "forever", "ping_pong", NULL};
  return f->type == FIELD_LOOP ? loops : f->type == FIELD_TEXT ? skinners(all) : f->words;
}

static sinew_control_type type_of(const store_field *f) {
  switch (f->type) {
  case FIELD_NUMBER:
  case FIELD_FLOAT:
  case FIELD_COUNT: return SINEW_CONTROL_NUMBER;
  case FIELD_ROTATION: return f->tilts ? SINEW_CONTROL_VECTOR : SINEW_CONTROL_NUMBER;
  case FIELD_FLAG: return SINEW_CONTROL_FLAG;
  case FIELD_BITS:
  case FIELD_WORD:
  case FIELD_LOOP:
  case FIELD_TEXT: return SINEW_CONTROL_CHOICE;
  case FIELD_VECTOR:
  case FIELD_SIZE: return f->color ? SINEW_CONTROL_COLOR : SINEW_CONTROL_VECTOR;
  default: return SINEW_CONTROL_NONE;
  }
}

static float number_of(const store_field *f, const void *at) {
  if (f->type == FIELD_ROTATION) return (float)about_y(at);
  if (f->type == FIELD_FLOAT) return isfinite(*(const float *)at) ? *(const float *)at : f->high; /* never */
  double value = f->type == FIELD_COUNT ? read_int(at) : *(const double *)at;
  return isnan(value) ? 0 : (float)value;
}

static int chosen_of(const store_field *f, const void *at, const char *const *words) {
  int chosen = f->type == FIELD_TEXT ? -1 : read_int(at) - (f->type == FIELD_BITS);
  for (int i = 0; f->type == FIELD_TEXT && words[i]; i++)
    if (strcmp(words[i], at) == 0) chosen = i;
  return f->type == FIELD_LOOP && chosen > SINEW_LOOP_PING_PONG ? -1 : chosen;
}

/* A rotation vector: direction is the axis, length the angle in radians. */
static void show_turn(const sinew_quat *q, float out[3]) {
  float part = sqrtf(q->x * q->x + q->y * q->y + q->z * q->z), sign = q->w < 0 ? -1.0f : 1.0f;
  float scale = part > 1e-6f ? 2 * (float)sinew_atan2((double)part, (double)fabsf(q->w)) / part : 2;
  for (int i = 0; i < 3; i++) out[i] = sign * scale * (&q->x)[i];
}

static sinew_quat turn_of(const float v[3]) {
  float angle = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(angle > 0)) return (sinew_quat){0, 0, 0, 1};
  return sinew_quat_from_axis_angle((sinew_vec3){v[0] / angle, v[1] / angle, v[2] / angle}, angle);
}

static void show_value(const store_field *f, const void *at, sinew_control *out) {
  if (f->type == FIELD_ROTATION && f->tilts) {
    show_turn(at, out->values);
    return;
  }
  switch (out->type) {
  case SINEW_CONTROL_NUMBER: out->values[0] = number_of(f, at); break;
  case SINEW_CONTROL_FLAG: out->values[0] = *(const bool *)at ? 1 : 0; break;
  case SINEW_CONTROL_CHOICE: out->values[0] = (float)chosen_of(f, at, out->words); break;
  case SINEW_CONTROL_VECTOR:
  case SINEW_CONTROL_COLOR: memcpy(out->values, at, sizeof out->values); break;
  case SINEW_CONTROL_NONE: break;
  }
}

void control_show(const declarations *all, const store_kind *k, const store_field *f, const void *values,
                  sinew_control *out) {
  bool ends = f->low < f->high;
  *out = (sinew_control){.name = f->name, .is_option = f->spec};
  out->reason = k == &kind_model ? k->uncontrolled : NULL;
  out->type = field_has_control(k, f) ? type_of(f) : SINEW_CONTROL_NONE;
  out->low = ends ? f->low : -INFINITY;
  out->high = ends ? f->high : INFINITY;
  out->words = out->type == SINEW_CONTROL_CHOICE ? words_of(all, f) : NULL;
  show_value(f, field_at(f, values), out);
  if (f->is_length) out->high = fmaxf(out->high, 2 * out->values[0]);
}

/* ---- taken ---- */

static void take_number(const store_field *f, float value, void *at) {
  double number = (double)value;
  int whole = (int)lroundf(value);
  sinew_quat turned = sinew_quat_from_axis_angle((sinew_vec3){0, 1, 0}, value);
  if (f->type == FIELD_FLOAT) memcpy(at, &value, sizeof value);
  else if (f->type == FIELD_COUNT) memcpy(at, &whole, sizeof whole);
  else if (f->type == FIELD_ROTATION) memcpy(at, &turned, sizeof turned);
  else memcpy(at, &number, sizeof number);
}

static void take_word(const declarations *all, const store_field *f, int chosen, void *at) {
  chosen += f->type == FIELD_BITS;
  if (f->type == FIELD_TEXT) declarations_copy(at, (size_t)f->size, words_of(all, f)[chosen]);
  else memcpy(at, &chosen, sizeof chosen);
}

void control_take(const declarations *all, const store_field *f, const float from[3], void *values) {
  void *at = field_at(f, values);
  bool flag = from[0] != 0;
  sinew_quat turned = turn_of(from);
  if (f->type == FIELD_ROTATION && f->tilts) {
    memcpy(at, &turned, sizeof turned);
    return;
  }
  switch (type_of(f)) {
  case SINEW_CONTROL_NUMBER: take_number(f, from[0], at); break;
  case SINEW_CONTROL_FLAG: memcpy(at, &flag, sizeof flag); break;
  case SINEW_CONTROL_CHOICE: take_word(all, f, (int)from[0], at); break;
  case SINEW_CONTROL_VECTOR:
  case SINEW_CONTROL_COLOR: memcpy(at, from, 3 * sizeof *from); break;
  case SINEW_CONTROL_NONE: break;
  }
}

/* ---- as Lua ---- */

SINEW_PRINTF(3, 4) static void write(char *out, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(out, size, format, arguments);
  va_end(arguments);
  if (n < 0 || (size_t)n >= size) out[0] = 0;
}

static void quote(const char *text, char *out, size_t size) {
  if (!strpbrk(text, "\"\\\n\r")) write(out, size, "\"%s\"", text);
}

static void write_reference(const sinew_reference *r, const sinew_model *model, char *out, size_t size) {
  char name[128] = "";
  bool named = r->kind == SINEW_REFERENCE_CLIP && model && r->clip >= 0 && r->clip < sinew_model_clip_count(model);
  if (named) quote(sinew_clip_name(sinew_model_clip(model, r->clip)), name, sizeof name);
  if (name[0]) write(out, size, "{ clip = %s, time = %.6g }", name, r->time);
}

static void write_joint(int joint, const sinew_model *model, char *out, size_t size) {
  char path[DECLARED_NAME] = "";
  if (model && joint >= 0) sinew_model_joint_path(model, joint, path, sizeof path);
  if (path[0]) quote(path, out, size);
}

static void write_feet(const sinew_root_def *root, const sinew_model *model, char *out, size_t size) {
  size_t used = 0;
  for (int i = 0; i < root->foot_count; i++) {
    char joint[DECLARED_NAME + 2] = "";
    write_joint(root->feet[i], model, joint, sizeof joint);
    int n = snprintf(out + used, size - used, "%s%s", used ? ", " : "{ ", joint);
    used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
  }
  if (used > 0 && used + 3 < size) memcpy(out + used, " }", 3);
  else out[0] = 0;
}

/* A table of the fields that differ from their defaults. */
static void write_play(const sinew_play_def *values, char *out, size_t size) {
  sinew_play_def standard = sinew_play_def_default();
  size_t used = 0;
  for (const store_field *f = kind_action.fields; f->name; f++) {
    char text[128];
    if (!f->spec || field_same(f, values, &standard)) continue;
    control_lua(f, values, NULL, text, sizeof text);
    int n = snprintf(out + used, size - used, "%s %s = %s", used ? "," : "{", f->name, text);
    used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
  }
  if (used > 0 && used + 3 < size) memcpy(out + used, " }", 3);
  else out[0] = 0;
}

/* Reads numbers separated by spaces. */
static void write_list(const char *numbers, char *out, size_t size) {
  size_t used = (size_t)snprintf(out, size, "{ ");
  for (const char *at = numbers; *at && used + 4 < size; at++) {
    if (*at == ' ') out[used++] = ',';
    out[used++] = *at;
  }
  snprintf(out + used, size - used, " }");
}

static void write_rotation(const sinew_quat *q, char *out, size_t size) {
  if (q->x == 0 && q->z == 0) write(out, size, "%.6g", about_y(q));
  else write(out, size, "{ %.6g, %.6g, %.6g, %.6g }", (double)q->x, (double)q->y, (double)q->z, (double)q->w);
}

void control_lua(const store_field *f, const void *values, const sinew_model *model, char *out, size_t size) {
  const void *at = field_at(f, values);
  char text[128];
  out[0] = 0;
  if (field_blind[FIELD_COPY] == f) return;
  field_print(f, values, model, text, sizeof text);
  if (f->of == &kind_action) write_play(at, out, size);
  else if (strcmp(f->name, "reference") == 0) write_reference(at, model, out, size);
  else if (f == kind_field(&kind_root, "feet")) write_feet(values, model, out, size);
  else switch (f->type) {
    case FIELD_NUMBER:
    case FIELD_FLOAT: write(out, size, "%s", strcmp(text, "default") == 0 ? "" : text); break;
    case FIELD_JOINT: write_joint(read_int(at), model, out, size); break;
    case FIELD_NAME: quote(*(const char *const *)at ? *(const char *const *)at : "", out, size); break;
    case FIELD_BITS: quote(text, out, size); break;
    case FIELD_COUNT:
    case FIELD_FLAG: write(out, size, "%s", text); break;
    case FIELD_WORD: quote(text, out, size); break;
    case FIELD_TEXT: quote(at, out, size); break;
    case FIELD_LOOP:
      if (read_int(at) == SINEW_LOOP_COUNT) write(out, size, "%s", text);
      else quote(text, out, size);
      break;
    case FIELD_SIZE:
    case FIELD_VECTOR: write_list(text, out, size); break;
    case FIELD_ROTATION: write_rotation(at, out, size); break;
    default: break;
    }
}
