/* Reads the numbers of a record as one plain array: unpacked, in this machine's byte order, and of the type asked for.
 */
#include "import/source/fbx/records/fbx_tree.h"

#include "base/error.h"
#include "base/memory/memory.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

/* Deflate expands a byte to at most this many. */
enum { MOST_DEFLATED = 1032, HEADER = 12 };

/* An array of a binary file; `made` is freed with mem_free. */
typedef struct elements {
  const unsigned char *bytes;
  unsigned char *made;
  size_t count, width;
  char type;
  bool swapped;
} elements;

static bool broken(fbx_file *file, const fbx_record *record, const char *why) {
  return error_set(file->raw->error, "%s: the array '%.*s' is broken: %s", file->raw->path,
                   (int)(record->name_size < 60 ? record->name_size : 60), record->name, why);
}

static uint32_t read_u32(const fbx_file *file, const unsigned char *at) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++) value = value << 8 | at[file->big_endian ? i : 3 - i];
  return value;
}

static void *zlib_alloc(void *user, unsigned count, unsigned size) {
  (void)user;
  return mem_alloc_array(count, size);
}

static void zlib_free(void *user, void *memory) {
  (void)user;
  mem_free(memory);
}

/* A single inflater for all arrays, because thousands of them are a few bytes long. */
static z_stream *open_inflater(fbx_file *file) {
  if (file->inflater) return inflateReset(file->inflater) == Z_OK ? file->inflater : NULL;
  z_stream *stream = fbx_take(file, 1, sizeof *stream);
  if (!stream) return NULL;
  stream->zalloc = zlib_alloc;
  stream->zfree = zlib_free;
  if (inflateInit(stream) != Z_OK) return NULL;
  return file->inflater = stream;
}

void fbx_close_inflater(fbx_file *file) {
  if (file->inflater) inflateEnd(file->inflater);
}

/* The stream must give exactly as many bytes. */
static bool inflate_exactly(fbx_file *file, unsigned char *out, size_t size, const unsigned char *data, size_t bytes) {
  z_stream *stream = size <= UINT32_MAX && bytes <= UINT32_MAX ? open_inflater(file) : NULL;
  if (!stream) return false;
  stream->next_in = (unsigned char *)(uintptr_t)data;
  stream->avail_in = (unsigned)bytes;
  stream->next_out = out;
  stream->avail_out = (unsigned)size;
  return inflate(stream, Z_FINISH) == Z_STREAM_END && stream->total_out == size;
}

static size_t width_of(char type) {
  return type == 'f' || type == 'i' ? 4 : type == 'd' || type == 'l' ? 8 : type == 'c' || type == 'b' ? 1 : 0;
}

static bool unpack(fbx_file *file, const fbx_record *record, elements *e) {
  const fbx_value *value = record->values;
  uint32_t count = read_u32(file, value->bytes), encoding = read_u32(file, value->bytes + 4);
  size_t stored = value->size - HEADER;
  *e = (elements){.bytes = value->bytes + HEADER, .count = count, .width = width_of(value->type), .type = value->type};
  e->swapped = file->big_endian != (*(const unsigned char *)&(uint16_t){1} == 0);
  size_t size = count * e->width;
  if (encoding == 0) return size <= stored || broken(file, record, "it has fewer bytes than it states");
  if (encoding != 1) return broken(file, record, "it is packed in an unknown way");
  if (size / MOST_DEFLATED > stored) return broken(file, record, "its packed bytes cannot hold this many numbers");
  e->made = mem_alloc(size + 1);
  if (!e->made) return error_memory(file->raw->error, file->raw->path, size);
  e->bytes = e->made;
  return size == 0 || inflate_exactly(file, e->made, size, value->bytes + HEADER, stored) ||
         broken(file, record, "its packed bytes do not unpack to the size that it states");
}

static void load(const elements *e, size_t index, void *out) {
  const unsigned char *from = e->bytes + index * e->width;
  unsigned char *to = out;
  for (size_t i = 0; i < e->width; i++) to[i] = from[e->swapped ? e->width - 1 - i : i];
}

static double load_double(const elements *e, size_t index) {
  union {
    float f;
    double d;
    int32_t i;
    int64_t l;
    unsigned char c;
  } u;
  load(e, index, &u);
  switch (e->type) {
  case 'f': return (double)u.f;
  case 'd': return u.d;
  case 'i': return u.i;
  case 'l': return (double)u.l;
  default: return u.c;
  }
}

static int64_t load_integer(const elements *e, size_t index) {
  if (e->type == 'l') {
    int64_t value;
    load(e, index, &value);
    return value;
  }
  double value = load_double(e, index);
  return fabs(value) < 9e18 ? (int64_t)value : 0;
}

/* ---- conversion to one of four types ---- */

typedef enum wanted { DOUBLES, FLOATS, INT32S, INT64S } wanted;

static const size_t wanted_size[] = {8, 4, 4, 8};
static const char wanted_type[] = {'d', 'f', 'i', 'l'};

static bool is_whole(wanted what) { return what == INT32S || what == INT64S; }

static int32_t clamp32(int64_t value) {
  return (int32_t)(value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
}

static void store(wanted what, void *out, size_t index, double number, int64_t integer) {
  if (what == DOUBLES) ((double *)out)[index] = number;
  else if (what == FLOATS) ((float *)out)[index] = (float)number;
  else if (what == INT32S) ((int32_t *)out)[index] = clamp32(integer);
  else ((int64_t *)out)[index] = integer;
}

static void *convert(wanted what, elements *e) {
  if (e->made && e->type == wanted_type[what] && !e->swapped) {
    void *same = e->made;
    e->made = NULL;
    return same;
  }
  void *out = mem_alloc_array(e->count + 1, wanted_size[what]);
  if (out && e->type == wanted_type[what] && !e->swapped) memcpy(out, e->bytes, e->count * e->width);
  else
    for (size_t i = 0; out && i < e->count; i++)
      store(what, out, i, is_whole(what) ? 0 : load_double(e, i), is_whole(what) ? load_integer(e, i) : 0);
  return out;
}

static void *scan_list(wanted what, const fbx_value *value, size_t *count) {
  const char *at = (const char *)value->bytes, *end = at + value->size;
  size_t most = 1, n = 0;
  for (const char *c = at; c < end; c++) most += *c == ',';
  void *out = mem_alloc_array(most, wanted_size[what]);
  while (out && at < end && n < most) {
    double number;
    int64_t integer;
    bool is_integer;
    if (fbx_scan_number(&at, end, &number, &integer, &is_integer)) {
      store(what, out, n++, number, is_integer ? integer : fabs(number) < 9e18 ? (int64_t)number : 0);
      continue;
    }
    at++;
  }
  *count = n;
  return out;
}

static void *gather_values(wanted what, const fbx_record *record, size_t *count) {
  void *out = mem_alloc_array((size_t)record->value_count + 1, wanted_size[what]);
  size_t n = 0;
  for (uint32_t i = 0; out && i < record->value_count; i++)
    if (record->values[i].kind == FBX_INTEGER || record->values[i].kind == FBX_NUMBER)
      store(what, out, n++, fbx_number(record, i, 0), fbx_integer(record, i, 0));
  *count = n;
  return out;
}

static bool read_array(fbx_file *file, const fbx_record *record, wanted what, void **out, size_t *count) {
  *out = NULL;
  *count = 0;
  if (!record || record->value_count == 0) return true;
  if (record->values[0].kind == FBX_ARRAY) {
    elements e;
    bool unpacked = unpack(file, record, &e);
    if (unpacked) *out = convert(what, &e);
    *count = *out ? e.count : 0;
    mem_free(e.made);
    if (!unpacked) return false;
  } else {
    *out = record->values[0].kind == FBX_LIST ? scan_list(what, record->values, count)
                                              : gather_values(what, record, count);
  }
  return *out || error_memory(file->raw->error, file->raw->path, *count * wanted_size[what]);
}

bool fbx_doubles(fbx_file *file, const fbx_record *record, double **numbers, size_t *count) {
  void *out;
  bool read = read_array(file, record, DOUBLES, &out, count);
  *numbers = out;
  return read;
}

bool fbx_floats(fbx_file *file, const fbx_record *record, float **numbers, size_t *count) {
  void *out;
  bool read = read_array(file, record, FLOATS, &out, count);
  *numbers = out;
  return read;
}

bool fbx_int32s(fbx_file *file, const fbx_record *record, int32_t **numbers, size_t *count) {
  void *out;
  bool read = read_array(file, record, INT32S, &out, count);
  *numbers = out;
  return read;
}

bool fbx_int64s(fbx_file *file, const fbx_record *record, int64_t **numbers, size_t *count) {
  void *out;
  bool read = read_array(file, record, INT64S, &out, count);
  *numbers = out;
  return read;
}
