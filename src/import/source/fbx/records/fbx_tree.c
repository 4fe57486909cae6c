#include "import/source/fbx/records/fbx_tree.h"

#include "base/memory/memory.h"

#include <math.h>
#include <string.h>

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
