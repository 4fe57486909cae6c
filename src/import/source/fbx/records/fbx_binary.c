/* The binary container: a header of 27 bytes, then records: EndOffset, number of values, their bytes, the name, the
 * values, the children. */
#include "import/source/fbx/records/fbx_tree.h"

#include "base/error.h"

#include <string.h>

enum { HEADER = 27, WIDE_FROM = 7500 };

typedef struct reader {
  fbx_file *file;
  size_t at;
  bool wide; /* 64-bit offsets */
} reader;

static const char magic[] = "Kaydara FBX Binary  ";

bool fbx_is_binary(const import_files *files) {
  return files->size >= HEADER && memcmp(files->data, magic, sizeof magic - 1) == 0;
}

static uint64_t read_unsigned(const fbx_file *file, const unsigned char *at, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++) value = value << 8 | at[file->big_endian ? i : size - 1 - i];
  return value;
}

static bool broken(const reader *r, const char *what) {
  return error_set(r->file->raw->error, "%s: is cut short or broken: %s at byte %zu of %zu", r->file->raw->path, what,
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

static bool read_values(reader *r, fbx_record *record, size_t end) {
  const fbx_file *file = r->file;
  for (uint32_t i = 0; i < record->value_count; i++) {
    if (r->at >= end) return broken(r, "a value is missing");
    char type = (char)file->data[r->at];
    const unsigned char *at = file->data + r->at + 1;
    size_t size = value_size(file, type, at, end - r->at - 1);
    if (size == 0) return broken(r, "a value does not end");
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

static bool read_children(reader *r, fbx_record *parent, size_t end, int depth);

static bool check_head(const reader *r, const head *h, size_t limit) {
  if (h->end && (h->end < r->at || h->end > limit)) return broken(r, "a record ends outside of its parent");
  size_t end = h->end ? (size_t)h->end : limit;
  if (h->bytes > end - r->at) return broken(r, "a record's values do not fit");
  return h->values <= h->bytes || broken(r, "a record has more values than bytes");
}

static bool read_record(reader *r, fbx_record *record, const head *h, size_t limit, int depth) {
  if (!check_head(r, h, limit)) return false;
  size_t values_end = r->at + (size_t)h->bytes;
  record->value_count = (uint32_t)h->values;
  record->values = fbx_take(r->file, record->value_count, sizeof *record->values);
  if (!record->values || !read_values(r, record, values_end)) return false;
  r->at = values_end;
  if (h->end == 0 || r->at >= h->end) return true;
  if (depth >= FBX_MAX_DEPTH) return broken(r, "records are nested too deep");
  if (!read_children(r, record, (size_t)h->end, depth + 1)) return false;
  r->at = (size_t)h->end;
  return true;
}

/* A list ends with a record of zeros, or with its parent. */
static bool read_children(reader *r, fbx_record *parent, size_t end, int depth) {
  size_t number = r->wide ? 8 : 4, size = 3 * number + 1;
  fbx_record **next = &parent->child;
  while (end - r->at >= size) {
    const unsigned char *at = r->file->data + r->at;
    head h = {read_unsigned(r->file, at, number), read_unsigned(r->file, at + number, number),
              read_unsigned(r->file, at + 2 * number, number)};
    size_t name_size = at[3 * number];
    r->at += size;
    if (h.end == 0 && name_size == 0) return true;
    if (name_size > end - r->at) return broken(r, "a name does not end");
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

bool fbx_parse_binary(fbx_file *file) {
  file->big_endian = file->data[22] != 0;
  file->version = (unsigned)read_unsigned(file, file->data + 23, 4);
  reader r = {file, HEADER, file->version >= WIDE_FROM};
  if (file->version < 3000 || file->version >= 10000)
    return error_set(file->raw->error, "%s: is FBX of version number %u, and those from 3000 to 7700 are read",
                     file->raw->path, file->version);
  return read_children(&r, &file->root, file->size, 0);
}
