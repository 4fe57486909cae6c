/* Numbers and records of the text container: "Name: value, value { children }". Line ends have no meaning: a name is a
 * word followed by a colon. */
#include "import/source/fbx/records/fbx_tree.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static double times_power_of_ten(double number, int exponent) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  for (; exponent > 22; exponent -= 22) number *= 1e22;
  for (; exponent < -22; exponent += 22) number /= 1e22;
  return exponent < 0 ? number / powers[-exponent] : number * powers[exponent];
}

typedef struct digits {
  uint64_t mantissa;
  int exponent, count;
  bool exact; /* no digit was left out */
} digits;

static const uint64_t most_mantissa = (UINT64_MAX - 9) / 10;

static const char *scan_digits(const char *at, const char *end, digits *d, int step) {
  for (; at < end && is_digit(*at); at++, d->count++) {
    bool fits = d->mantissa <= most_mantissa;
    if (fits) d->mantissa = d->mantissa * 10 + (uint64_t)(*at - '0');
    d->exact &= fits;
    d->exponent += fits ? step : step + 1;
  }
  return at;
}

static const char *scan_exponent(const char *at, const char *end, int *exponent) {
  const char *digit = at + 1 < end && (at[1] == '-' || at[1] == '+') ? at + 2 : at + 1;
  if (at == end || (*at != 'e' && *at != 'E') || digit >= end || !is_digit(*digit)) return at;
  int value = 0;
  bool negative = at[1] == '-';
  for (at = digit; at < end && is_digit(*at); at++) value = value < 1000 ? value * 10 + (*at - '0') : value;
  *exponent += negative ? -value : value;
  return at;
}

/* Skips "1.#INF", "-1.#IND", "nan" and other words in place of numbers. */
static const char *skip_word(const char *at, const char *end) {
  while (at < end && !is_blank(*at) && !strchr(",{}:\"", *at)) at++;
  return at;
}

bool fbx_scan_number(const char **text, const char *end, double *number, int64_t *integer, bool *is_integer) {
  const char *at = *text;
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) at++;
  digits d = {.exact = true};
  const char *whole = scan_digits(at, end, &d, 0);
  bool point = whole < end && *whole == '.';
  const char *behind = point ? scan_digits(whole + 1, end, &d, -1) : whole;
  if (d.count == 0) return false;
  const char *after = scan_exponent(behind, end, &d.exponent);
  *is_integer = !point && after == behind && d.exact && d.mantissa <= (uint64_t)INT64_MAX + negative;
  *integer = (int64_t)(negative ? 0 - d.mantissa : d.mantissa);
  double value = times_power_of_ten((double)d.mantissa, d.mantissa ? d.exponent : 0);
  if (after < end && *after == '#') value = (double)NAN;
  *number = negative ? -value : value;
  *text = skip_word(after, end);
  return true;
}

/* ---- tokens ---- */

typedef struct reader {
  fbx_file *file;
  const char *at, *end;
  fbx_value *values; /* of the current record */
  size_t count, capacity;
} reader;

static bool broken(const reader *r, const char *what) {
  int line = 1;
  for (const char *c = (const char *)r->file->data; c < r->at; c++) line += *c == '\n';
  return error_set(r->file->raw->error, "%s: line %d: %s", r->file->raw->path, line, what);
}

static void skip_blanks(reader *r) {
  while (r->at < r->end && (is_blank(*r->at) || *r->at == ';')) {
    if (*r->at != ';') r->at++;
    else
      while (r->at < r->end && *r->at != '\n') r->at++;
  }
}

/* Reads a word, quoted or not, and the colon after it; else does not move. */
static bool take_name(reader *r, const char **name, size_t *size) {
  const char *start = r->at;
  bool quoted = start < r->end && *start == '"';
  const char *stop = quoted ? memchr(start + 1, '"', (size_t)(r->end - start) - 1) : skip_word(start, r->end);
  if (!stop || stop == start) return false;
  *name = quoted ? start + 1 : start;
  *size = (size_t)(stop - *name);
  for (stop += quoted; stop < r->end && (*stop == ' ' || *stop == '\t');) stop++;
  if (stop == r->end || *stop != ':') return false;
  r->at = stop + 1;
  return true;
}

static fbx_value *add_value(reader *r) {
  if (r->count == r->capacity) {
    size_t capacity = r->capacity ? 2 * r->capacity : 64;
    fbx_value *larger = mem_resize(r->values, capacity * sizeof *larger);
    if (!larger) {
      error_memory(r->file->raw->error, r->file->raw->path, capacity * sizeof *larger);
      return NULL;
    }
    r->values = larger;
    r->capacity = capacity;
  }
  return r->values + r->count++;
}

static bool add_string(reader *r, const char *from, const char *to, fbx_value_kind kind) {
  fbx_value *value = (size_t)(to - from) <= UINT32_MAX ? add_value(r) : NULL;
  if (value)
    *value = (fbx_value){.bytes = (const unsigned char *)from, .size = (uint32_t)(to - from), .kind = (uint8_t)kind};
  return value != NULL;
}

/* "*24 { a: 1,2,… }": the count is only a hint. */
static bool take_list(reader *r) {
  const char *open = memchr(r->at, '{', (size_t)(r->end - r->at));
  const char *start = open ? memchr(open, ':', (size_t)(r->end - open)) : NULL;
  const char *close = start ? memchr(start, '}', (size_t)(r->end - start)) : NULL;
  if (!close) return broken(r, "a list of numbers does not end");
  r->at = close + 1;
  return add_string(r, start + 1, close, FBX_LIST);
}

static bool take_string(reader *r) {
  const char *start = r->at + 1, *stop = memchr(start, '"', (size_t)(r->end - start));
  if (!stop) return broken(r, "a string does not end");
  r->at = stop + 1;
  return add_string(r, start, stop, FBX_STRING);
}

static bool take_plain(reader *r) {
  double number;
  int64_t integer;
  bool is_integer;
  const char *start = r->at;
  if (fbx_scan_number(&r->at, r->end, &number, &integer, &is_integer)) {
    fbx_value *value = add_value(r);
    if (!value) return false;
    *value = is_integer ? (fbx_value){.integer = integer, .kind = FBX_INTEGER}
                        : (fbx_value){.number = number, .kind = FBX_NUMBER};
    return true;
  }
  r->at = skip_word(start, r->end);
  if (r->at == start) return broken(r, "this is not a value");
  return add_string(r, start, r->at, FBX_WORD);
}

/* ---- records ---- */

static bool is_name_next(const reader *r) {
  reader ahead = *r;
  const char *name;
  size_t size;
  return take_name(&ahead, &name, &size);
}

static bool take_values(reader *r, fbx_record *record) {
  r->count = 0;
  for (;;) {
    skip_blanks(r);
    if (r->at == r->end || *r->at == '{' || *r->at == '}') break;
    if (*r->at == ',') {
      r->at++;
      continue;
    }
    if (!is_digit(*r->at) && *r->at != '-' && is_name_next(r)) break;
    bool taken = *r->at == '*' ? take_list(r) : *r->at == '"' ? take_string(r) : take_plain(r);
    if (!taken) return false;
  }
  if (r->count > UINT32_MAX) return broken(r, "a record has too many values");
  record->value_count = (uint32_t)r->count;
  record->values = fbx_take(r->file, r->count, sizeof *record->values);
  if (record->values && r->count) memcpy(record->values, r->values, r->count * sizeof *record->values);
  return record->values != NULL;
}

static bool take_records(reader *r, fbx_record *parent, int depth) {
  fbx_record **next = &parent->child;
  if (depth > FBX_MAX_DEPTH) return broken(r, "records are nested too deep");
  for (skip_blanks(r); r->at < r->end && *r->at != '}'; skip_blanks(r)) {
    const char *name;
    size_t size;
    if (!take_name(r, &name, &size)) return broken(r, "the name of a record, followed by a colon, is missing here");
    fbx_record *record = fbx_take(r->file, 1, sizeof *record);
    if (!record) return false;
    record->name = name;
    record->name_size = (uint32_t)size;
    if (!take_values(r, record)) return false;
    *next = record;
    next = &record->next;
    if (r->at == r->end || *r->at != '{') continue;
    r->at++;
    if (!take_records(r, record, depth + 1)) return false;
    if (r->at == r->end) return broken(r, "the file ends inside of a record");
    r->at++;
  }
  return true;
}

static unsigned find_version(const fbx_file *file) {
  const fbx_record *header = fbx_child(&file->root, "FBXHeaderExtension");
  int64_t version = fbx_integer(fbx_child(header, "FBXVersion"), 0, 0);
  if (version > 0 && version < 10000) return (unsigned)version;
  const char *at = (const char *)file->data, *end = at + file->size, *line = memchr(at, '\n', file->size);
  double number = 0;
  for (end = line ? line : end; at < end; at++) { /* ; FBX 7.4.0 project file */
    int64_t integer;
    bool is_integer;
    if (is_digit(*at) && fbx_scan_number(&at, end, &number, &integer, &is_integer)) break;
  }
  return number > 0 && number < 10 ? (unsigned)(number * 1000 + 0.5) : 7400;
}

bool fbx_parse_text(fbx_file *file) {
  const char *text = (const char *)file->data;
  size_t mark = file->size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  reader r = {.file = file, .at = text + mark, .end = text + file->size};
  const char *zero = memchr(r.at, '\0', (size_t)(r.end - r.at));
  if (zero) r.end = zero;
  bool parsed = take_records(&r, &file->root, 0);
  if (parsed && r.at < r.end) parsed = broken(&r, "a brace closes nothing");
  mem_free(r.values);
  file->version = find_version(file);
  return parsed;
}
