#include "import/source/fbx/records/fbx_tree.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

enum { FBX_MAX_DEPTH = 32 };

/* Numbers and records of the text container: "Name: value, value { children }". Line ends have no meaning: a name is a
 * word followed by a colon. */

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

static bool fbx_parse_text(fbx_file *file) {
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

/* The binary container: a header of 27 bytes, then records: EndOffset, number of values, their bytes, the name, the
 * values, the children. */

enum { HEADER = 27, WIDE_FROM = 7500 };

typedef struct binary_reader {
  fbx_file *file;
  size_t at;
  bool wide; /* 64-bit offsets */
} binary_reader;

static const char magic[] = "Kaydara FBX Binary  ";

static bool fbx_is_binary(const import_files *files) {
  return files->size >= HEADER && memcmp(files->data, magic, sizeof magic - 1) == 0;
}

static uint64_t read_unsigned(const fbx_file *file, const unsigned char *at, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++) value = value << 8 | at[file->big_endian ? i : size - 1 - i];
  return value;
}

static bool broken_binary(const binary_reader *r, const char *what) {
  return error_set(r->file->raw->error, "%s: is cut short or broken_binary: %s at byte %zu of %zu", r->file->raw->path, what,
                   r->at, r->file->size);
}

/* ---- values ---- */

static size_t scalar_size(char type) {
  switch (type) {
  case 'C':
  case 'B':
  case 'Z': return 1;
  case 'Y': return 2;
  case 'I':
  case 'F': return 4;
  case 'L':
  case 'D': return 8;
  default: return 0;
  }
}

static fbx_value scalar(const fbx_file *file, char type, const unsigned char *at, size_t size) {
  uint64_t bits = read_unsigned(file, at, size);
  fbx_value value = {.kind = FBX_INTEGER, .type = type};
  if (type == 'F') {
    float single;
    memcpy(&single, &(uint32_t){(uint32_t)bits}, sizeof single);
    value.kind = FBX_NUMBER;
    value.number = (double)single;
  } else if (type == 'D') {
    value.kind = FBX_NUMBER;
    memcpy(&value.number, &bits, sizeof bits);
  } else {
    value.integer = type == 'Y' ? (int16_t)bits : type == 'I' ? (int32_t)bits : (int64_t)bits;
  }
  return value;
}

/* The number of bytes after a value's letter, or 0 if it does not fit before `end`. Includes the lengths of strings and
 * arrays. */
static size_t value_size(const fbx_file *file, char type, const unsigned char *at, size_t left) {
  size_t size = scalar_size(type), header = type == 'S' || type == 'R' ? 4 : 12;
  if (size) return size <= left ? size : 0;
  if (!strchr("SRcbilfd", type) || type == '\0' || left < header) return 0;
  uint64_t bytes = read_unsigned(file, at + header - 4, 4);
  return bytes <= left - header ? header + (size_t)bytes : 0;
}

static bool read_values(binary_reader *r, fbx_record *record, size_t end) {
  const fbx_file *file = r->file;
  for (uint32_t i = 0; i < record->value_count; i++) {
    if (r->at >= end) return broken_binary(r, "a value is missing");
    char type = (char)file->data[r->at];
    const unsigned char *at = file->data + r->at + 1;
    size_t size = value_size(file, type, at, end - r->at - 1);
    if (size == 0) return broken_binary(r, "a value does not end");
    fbx_value *value = record->values + i;
    if (scalar_size(type)) *value = scalar(file, type, at, size);
    else if (type == 'S' || type == 'R')
      *value = (fbx_value){.bytes = at + 4, .size = (uint32_t)(size - 4), .kind = FBX_STRING, .type = type};
    else *value = (fbx_value){.bytes = at, .size = (uint32_t)size, .kind = FBX_ARRAY, .type = type};
    r->at += 1 + size;
  }
  return true;
}

/* ---- records ---- */

typedef struct head {
  uint64_t end, values, bytes;
} head;

static bool read_children(binary_reader *r, fbx_record *parent, size_t end, int depth);

static bool check_head(const binary_reader *r, const head *h, size_t limit) {
  if (h->end && (h->end < r->at || h->end > limit)) return broken_binary(r, "a record ends outside of its parent");
  size_t end = h->end ? (size_t)h->end : limit;
  if (h->bytes > end - r->at) return broken_binary(r, "a record's values do not fit");
  return h->values <= h->bytes || broken_binary(r, "a record has more values than bytes");
}

static bool read_record(binary_reader *r, fbx_record *record, const head *h, size_t limit, int depth) {
  if (!check_head(r, h, limit)) return false;
  size_t values_end = r->at + (size_t)h->bytes;
  record->value_count = (uint32_t)h->values;
  record->values = fbx_take(r->file, record->value_count, sizeof *record->values);
  if (!record->values || !read_values(r, record, values_end)) return false;
  r->at = values_end;
  if (h->end == 0 || r->at >= h->end) return true;
  if (depth >= FBX_MAX_DEPTH) return broken_binary(r, "records are nested too deep");
  if (!read_children(r, record, (size_t)h->end, depth + 1)) return false;
  r->at = (size_t)h->end;
  return true;
}

/* A list ends with a record of zeros, or with its parent. */
static bool read_children(binary_reader *r, fbx_record *parent, size_t end, int depth) {
  size_t number = r->wide ? 8 : 4, size = 3 * number + 1;
  fbx_record **next = &parent->child;
  while (end - r->at >= size) {
    const unsigned char *at = r->file->data + r->at;
    head h = {read_unsigned(r->file, at, number), read_unsigned(r->file, at + number, number),
              read_unsigned(r->file, at + 2 * number, number)};
    size_t name_size = at[3 * number];
    r->at += size;
    if (h.end == 0 && name_size == 0) return true;
    if (name_size > end - r->at) return broken_binary(r, "a name does not end");
    fbx_record *record = fbx_take(r->file, 1, sizeof *record);
    if (!record) return false;
    record->name = (const char *)at + size;
    record->name_size = (uint32_t)name_size;
    r->at += name_size;
    if (!read_record(r, record, &h, end, depth)) return false;
    *next = record;
    next = &record->next;
  }
  return true;
}

/* fbx_tree.c, fbx_tree.c: fill file->root. False and an error message for a broken_binary file. */
static bool fbx_parse_binary(fbx_file *file) {
  file->big_endian = file->data[22] != 0;
  file->version = (unsigned)read_unsigned(file, file->data + 23, 4);
  binary_reader r = {file, HEADER, file->version >= WIDE_FROM};
  if (file->version < 3000 || file->version >= 10000)
    return error_set(file->raw->error, "%s: is FBX of version number %u, and those from 3000 to 7700 are read",
                     file->raw->path, file->version);
  return read_children(&r, &file->root, file->size, 0);
}

/* ---- memory ---- */

/* Small, because most files are small and a pool should not stay empty. Nothing here is larger than a pointer or a
 * double. */
enum { POOL_SIZE = 1 << 12, ALIGNMENT = 8 };

void *fbx_take(fbx_file *file, size_t count, size_t size) {
  size_t bytes;
  if (!size_multiply(count, size, &bytes) || bytes > POOL_SIZE / 4) return raw_alloc(&file->memory, count, size);
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (bytes > file->pool_left) {
    file->pool = raw_alloc(&file->memory, POOL_SIZE, 1);
    file->pool_left = file->pool ? POOL_SIZE : 0;
    if (!file->pool) return NULL;
  }
  void *taken = file->pool;
  file->pool += bytes;
  file->pool_left -= bytes;
  return taken;
}

bool fbx_open(fbx_file *file, raw_model *raw, const import_files *files) {
  *file = (fbx_file){.raw = raw, .data = files->data, .size = files->size, .text = !fbx_is_binary(files)};
  raw_init(&file->memory, raw->path, raw->error);
  return file->text ? fbx_parse_text(file) : fbx_parse_binary(file);
}

void fbx_close(fbx_file *file) {
  fbx_close_inflater(file);
  raw_release(&file->memory);
}

/* ---- records ---- */

bool fbx_is_named(const fbx_record *record, const char *name) {
  size_t size = strlen(name);
  return record->name_size == size && memcmp(record->name, name, size) == 0;
}

const fbx_record *fbx_child(const fbx_record *record, const char *name) {
  const fbx_record *child = record ? record->child : NULL;
  while (child && !fbx_is_named(child, name)) child = child->next;
  return child;
}

const fbx_record *fbx_again(const fbx_record *record) {
  const fbx_record *next = record->next;
  while (next && (next->name_size != record->name_size || memcmp(next->name, record->name, next->name_size) != 0))
    next = next->next;
  return next;
}

/* ---- values ---- */

static const fbx_value *value_at(const fbx_record *record, uint32_t index) {
  return record && index < record->value_count ? record->values + index : NULL;
}

double fbx_number(const fbx_record *record, uint32_t index, double otherwise) {
  const fbx_value *v = value_at(record, index);
  if (v && v->kind == FBX_INTEGER) return (double)v->integer;
  return v && v->kind == FBX_NUMBER && isfinite(v->number) ? v->number : otherwise;
}

int64_t fbx_integer(const fbx_record *record, uint32_t index, int64_t otherwise) {
  const fbx_value *v = value_at(record, index);
  if (v && v->kind == FBX_INTEGER) return v->integer;
  return v && v->kind == FBX_NUMBER && fabs(v->number) < 9e18 ? (int64_t)v->number : otherwise;
}

char fbx_letter(const fbx_record *record, uint32_t index) {
  const fbx_value *v = value_at(record, index);
  if (v && (v->kind == FBX_WORD || v->kind == FBX_STRING)) return v->size ? (char)v->bytes[0] : '\0';
  return v && v->kind == FBX_INTEGER && v->integer > 0 && v->integer < 128 ? (char)v->integer : '\0';
}

static const fbx_value *string_at(const fbx_record *record, uint32_t index) {
  const fbx_value *v = value_at(record, index);
  return v && (v->kind == FBX_STRING || v->kind == FBX_WORD) ? v : NULL;
}

bool fbx_says(const fbx_record *record, uint32_t index, const char *text) {
  const fbx_value *v = string_at(record, index);
  size_t size = strlen(text);
  return v && v->size == size && memcmp(v->bytes, text, size) == 0;
}

/* &quot; &cr; &lf; in a text; any other "&" stands for itself. Strings end at a zero. */
static char *copy_text(fbx_file *file, const unsigned char *from, size_t size) {
  static const struct {
    const char *name;
    char letter;
  } escapes[] = {{"&quot;", '"'}, {"&cr;", '\r'}, {"&lf;", '\n'}};
  char *copy = fbx_take(file, size + 1, 1);
  size_t n = 0;
  for (size_t i = 0; copy && i < size && from[i]; n++) {
    copy[n] = (char)from[i];
    size_t step = 1;
    for (size_t e = 0; file->text && from[i] == '&' && e < sizeof escapes / sizeof *escapes; e++) {
      size_t length = strlen(escapes[e].name);
      if (size - i < length || memcmp(from + i, escapes[e].name, length) != 0) continue;
      copy[n] = escapes[e].letter;
      step = length;
    }
    i += step;
  }
  return copy;
}

char *fbx_text(fbx_file *file, const fbx_record *record, uint32_t index) {
  const fbx_value *v = string_at(record, index);
  return v ? copy_text(file, v->bytes, v->size) : fbx_take(file, 1, 1);
}

char *fbx_name(fbx_file *file, const fbx_record *record, uint32_t index) {
  const fbx_value *v = string_at(record, index);
  if (!v) return fbx_take(file, 1, 1);
  const unsigned char *from = v->bytes;
  size_t size = v->size;
  for (size_t i = 0; file->text && i + 1 < v->size; i++)
    if (v->bytes[i] == ':' && v->bytes[i + 1] == ':') {
      from += i + 2;
      size -= i + 2;
      break;
    }
  return copy_text(file, from, size);
}

/* FNV-1a. */
int64_t fbx_hash(const fbx_record *record, uint32_t index) {
  const fbx_value *v = string_at(record, index);
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint32_t i = 0; v && i < v->size; i++) hash = (hash ^ v->bytes[i]) * 0x100000001b3u;
  return (int64_t)(hash & INT64_MAX);
}
