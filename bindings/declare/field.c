#include "declare/field.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <sinew/actor.h>

const store_field *field_blind[FIELD_USES];

/* ---- finding ---- */

bool field_is_option(const store_kind *k, const store_field *f, const char *set) {
  size_t size = strlen(set);
  if (!f->sets) return f->spec && k->options && strcmp(k->options, set) == 0;
  for (const char *at = f->sets; (at = strstr(at, set)); at += size)
    if ((at == f->sets || at[-1] == ' ') && (at[size] == ' ' || !at[size])) return true;
  return false;
}

const store_field *kind_field(const store_kind *k, const char *name) {
  for (const store_field *f = k->fields; f->name; f++)
    if (strcmp(f->name, name) == 0) return f;
  return NULL;
}

int field_word(const store_field *f, const char *word) {
  for (int i = 0; f->words[i]; i++)
    if (strcmp(f->words[i], word) == 0) return i;
  return -1;
}

bool kind_has(const store_kind *k, const store_field *field) {
  const store_field *f = k->fields;
  while (f->name && f != field) f++;
  return f->name;
}

bool field_has_control(const store_kind *k, const store_field *f) {
  return f->effect != FIELD_START && !f->uncontrolled && !k->uncontrolled && field_blind[FIELD_SHOW] != f;
}

/* ---- size ---- */

/* A loop is two members. */
static size_t size_of(const store_field *f) { return (size_t)f->size + (f->type == FIELD_LOOP ? sizeof(int) : 0); }

void field_copy(const store_field *f, void *to, const void *from) {
  memcpy(field_at(f, to), field_at(f, from), size_of(f));
}

void field_set(const store_field *f, void *to, const void *from) {
  if (field_blind[FIELD_APPLY] != f) field_copy(f, to, from);
}

/* ---- sameness ---- */

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool is_in_word(char c) { return c == '_' || c == '.' || isalnum((unsigned char)c); }

static const char *skip_spaces(const char *at) { return at + strspn(at, " \t\r\n"); }

static bool same_condition(const char *a, const char *b) {
  char before = ' ';
  if (!a || !b) return a == b;
  for (;;) {
    const char *x = skip_spaces(a), *y = skip_spaces(b);
    bool apart = is_in_word(before) && is_in_word(*x) && (x == a) != (y == b);
    if (*x != *y || apart) return false;
    if (!*x) return true;
    before = *x;
    a = x + 1, b = y + 1;
  }
}

/* NAN is a value: not said. */
static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool same_floats(const float *a, const float *b, int count) {
  bool same = true;
  for (int i = 0; i < count && same; i++) same = same_number((double)a[i], (double)b[i]);
  return same;
}

typedef struct list {
  const void *items; /* NULL: none is given */
  int count;
} list;

static list list_of(const store_field *f, const void *values) {
  list l;
  memcpy(&l.items, field_at(f, values), sizeof l.items);
  memcpy(&l.count, (const char *)values + f->count, sizeof l.count);
  return l;
}

/* Compares lists of ints or of floats. */
static bool same_list(const store_field *f, const void *a, const void *b) {
  list x = list_of(f, a), y = list_of(f, b);
  if (!x.items || !y.items) return x.items == y.items;
  return x.count == y.count && memcmp(x.items, y.items, (size_t)x.count * sizeof(int)) == 0;
}

static bool same_pose(const sinew_pose *a, const sinew_pose *b) {
  size_t size = (size_t)sinew_pose_group_count(a->joint_count) * sizeof *a->groups;
  if (!a->groups || !b->groups) return a->groups == b->groups;
  return a->joint_count == b->joint_count && memcmp(a->groups, b->groups, size) == 0;
}

/* Only the counting mode has a number. */
static bool same_loop(const void *a, const void *b) {
  sinew_loop_mode modes[2];
  memcpy(&modes[0], a, sizeof *modes);
  memcpy(&modes[1], b, sizeof *modes);
  size_t count = sizeof(sinew_loop_mode) + sizeof(int);
  return modes[0] == modes[1] && (modes[0] != SINEW_LOOP_COUNT || memcmp(a, b, count) == 0);
}

bool field_same(const store_field *f, const void *a, const void *b) {
  const void *x = field_at(f, a), *y = field_at(f, b);
  if (field_blind[FIELD_COMPARE] == f) return true;
  switch (f->type) {
  case FIELD_NUMBER: return same_number(*(const double *)x, *(const double *)y);
  case FIELD_FLOAT: return same_floats(x, y, 1);
  case FIELD_VECTOR:
  case FIELD_ROTATION:
  case FIELD_SIZE:
  case FIELD_TRANSFORM: return same_floats(x, y, f->size / (int)sizeof(float));
  case FIELD_TEXT: return same_text(x, y);
  case FIELD_NAME: return same_text(*(char *const *)x, *(char *const *)y);
  case FIELD_CONDITION: return same_condition(*(char *const *)x, *(char *const *)y);
  case FIELD_LOOP: return same_loop(x, y);
  case FIELD_JOINTS:
  case FIELD_NUMBERS: return same_list(f, a, b);
  case FIELD_POSE: return same_pose(x, y);
  case FIELD_KIND: return kind_same(f->of, x, y);
  default: return memcmp(x, y, size_of(f)) == 0;
  }
}

/* ---- print ---- */

typedef struct line {
  char *out;
  size_t size, used;
} line;

static void add(line *l, const char *text) {
  int n = snprintf(l->out + l->used, l->size - l->used, "%s%s", l->used ? " " : "", text);
  l->used = n > 0 && l->used + (size_t)n < l->size ? l->used + (size_t)n : l->size - 1;
}

static void add_number(line *l, double value) {
  char text[32] = "default";
  if (isfinite(value)) snprintf(text, sizeof text, "%g", value); /* some distances are infinite by default */
  add(l, text);
}

static void add_floats(line *l, const float *values, int count) {
  bool said = count > 0 && !isnan(values[0]);
  for (int i = 0; i < count && (said || i == 0); i++) add_number(l, (double)values[i]);
}

/* A rotation about y is an angle, as scenes set it. */
static void add_rotation(line *l, const sinew_quat *q) {
  char angle[32];
  snprintf(angle, sizeof angle, "%.3g", 2 * sinew_atan2((double)q->y, (double)q->w));
  if (q->x == 0 && q->z == 0) add(l, angle);
  else add_floats(l, &q->x, 4);
}

static void add_joint(line *l, const sinew_model *model, int joint) {
  bool named = model && joint >= 0 && joint < sinew_model_joint_count(model);
  if (named) add(l, sinew_model_joint_name(model, joint));
  else if (joint < 0) add(l, "none");
  else add_number(l, joint);
}

enum { LISTED = 4 };

/* The names of a subtree would fill the line. */
static void add_joints(line *l, const sinew_model *model, list joints) {
  const int *items = joints.items;
  char more[32];
  for (int i = 0; i < joints.count && i < LISTED; i++) add_joint(l, model, items[i]);
  snprintf(more, sizeof more, "and %d more", joints.count - LISTED);
  if (joints.count > LISTED) add(l, more);
  if (joints.count == 0) add(l, "none");
}

/* A mask would fill the line, too. */
static void add_numbers(line *l, list numbers) {
  if (!numbers.items) add(l, "none");
  else if (numbers.count <= LISTED) add_floats(l, numbers.items, numbers.count);
  else add(l, "given");
}

static void add_clip(line *l, const sinew_model *model, int clip) {
  bool named = model && clip >= 0 && clip < sinew_model_clip_count(model);
  if (named) add(l, sinew_clip_name(sinew_model_clip(model, clip)));
  else add_number(l, clip);
}

static void add_loop(line *l, const void *at) {
  static const char *const names[] = {"once", "forever", "ping_pong"};
  sinew_loop_mode mode;
  int count;
  memcpy(&mode, at, sizeof mode);
  memcpy(&count, (const char *)at + sizeof mode, sizeof count);
  if (mode == SINEW_LOOP_COUNT) add_number(l, count);
  else add(l, names[mode]);
}

static bool is_all(const sinew_vec3 *v, float value) { return v->x == value && v->y == value && v->z == value; }

/* Lists the parts by name, as scenes write them; those at their defaults are left out. */
static void add_transform(line *l, const sinew_transform *t) {
  size_t used = l->used;
  bool turned = t->rotation.x != 0 || t->rotation.y != 0 || t->rotation.z != 0;
  if (!is_all(&t->translation, 0)) add(l, "position"), add_floats(l, &t->translation.x, 3);
  if (turned) add(l, "rotation"), add_rotation(l, &t->rotation);
  if (!is_all(&t->scale, 1)) add(l, "scale"), add_floats(l, &t->scale.x, 3);
  if (l->used == used) add(l, "none");
}

static void add_bits(line *l, const store_field *f, uint32_t bits) {
  for (int i = 0; f->words[i]; i++)
    if (bits >> i & 1) add(l, f->words[i]);
  if (!bits) add(l, "none");
}

static int read_int(const void *at) {
  int value;
  memcpy(&value, at, sizeof value);
  return value;
}

static bool has_function(const store_field *f, const void *values) {
  int64_t id;
  memcpy(&id, field_at(f, values), sizeof id);
  return id >= 0;
}

void field_print(const store_field *f, const void *values, const sinew_model *model, char *out, size_t size) {
  line l = {out, size, 0};
  const void *at = field_at(f, values);
  out[0] = 0;
  switch (f->type) {
  case FIELD_NUMBER: add_number(&l, *(const double *)at); break;
  case FIELD_FLOAT: add_floats(&l, at, 1); break;
  case FIELD_PARAM:
  case FIELD_COUNT: add_number(&l, read_int(at)); break;
  case FIELD_FLAG: add(&l, f->words ? f->words[*(const bool *)at] : *(const bool *)at ? "true" : "false"); break;
  case FIELD_WORD: add(&l, f->words[read_int(at)]); break;
  case FIELD_TEXT: add(&l, *(const char *)at ? at : "none"); break;
  case FIELD_CONDITION:
  case FIELD_NAME: add(&l, *(char *const *)at ? *(char *const *)at : "none"); break;
  case FIELD_ROTATION: add_rotation(&l, at); break;
  case FIELD_SIZE:
  case FIELD_VECTOR: add_floats(&l, at, f->size / (int)sizeof(float)); break;
  case FIELD_TRANSFORM: add_transform(&l, at); break;
  case FIELD_LOOP: add_loop(&l, at); break;
  case FIELD_JOINT: add_joint(&l, model, read_int(at)); break;
  case FIELD_JOINTS: add_joints(&l, model, list_of(f, values)); break;
  case FIELD_NUMBERS: add_numbers(&l, list_of(f, values)); break;
  case FIELD_CLIP: add_clip(&l, model, read_int(at)); break;
  case FIELD_BITS: add_bits(&l, f, (uint32_t)read_int(at)); break;
  case FIELD_FUNCTION: add(&l, has_function(f, values) ? "given" : "none"); break;
  case FIELD_POSE:
  case FIELD_INDEX:
  case FIELD_KIND:
  case FIELD_LUA:
  case FIELD_OPAQUE: break;
  }
}

/* ---- a whole kind ---- */

bool kind_same(const store_kind *k, const void *a, const void *b) {
  bool same = true;
  for (const store_field *f = k->fields; f->name && same; f++) same = field_same(f, a, b);
  return same;
}

unsigned kind_merge(const store_kind *k, const void *last, const void *next, void *living) {
  unsigned effects = 0;
  for (const store_field *f = k->fields; f->name; f++) {
    if (field_same(f, last, next)) continue;
    field_set(f, living, next);
    effects |= 1u << f->effect;
  }
  return effects;
}

void kind_keep(const store_kind *k, const void *last, const void *living, void *next) {
  for (const store_field *f = k->fields; f->name; f++)
    if (f->effect == FIELD_LIVE && field_same(f, last, next)) field_set(f, next, living);
}

static bool is_told(const store_field *f, const void *last, const void *next) {
  if (f->type == FIELD_INDEX || f->type == FIELD_PARAM || field_same(f, last, next)) return false;
  return f->type != FIELD_FUNCTION || has_function(f, last) != has_function(f, next);
}

/* Long lists may differ only behind the printed part: then the message has no values. */
static void tell(const store_field *f, const char *before, const char *after, char *out, size_t size) {
  const char *late = f->effect == FIELD_START ? " (when it starts next)" : "";
  if (strcmp(before, after) == 0) snprintf(out, size, "%s changed%s", f->name, late);
  else snprintf(out, size, "%s %s → %s%s", f->name, before, after, late);
}

int kind_tell(const store_kind *k, const void *last, const sinew_model *last_model, const void *next,
              const sinew_model *next_model, char *out, size_t size) {
  int count = 0;
  size_t used = 0;
  out[0] = 0;
  for (const store_field *f = k->fields; f->name; f++) {
    char before[96], after[96], part[256];
    if (!is_told(f, last, next)) continue;
    field_print(f, last, last_model, before, sizeof before);
    field_print(f, next, next_model, after, sizeof after);
    tell(f, before, after, part, sizeof part);
    int n = snprintf(out + used, size - used, "%s%s", count++ ? ", " : "", part);
    used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
  }
  return count;
}
