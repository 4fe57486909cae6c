#include "import/cook/cook.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/block.h"
#include "base/memory/memory.h"
#include "import/cook/cook_visit.h"
#include "import/cook/model_check.h"
#include "model/clip/clip_still.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(sizeof(cook_header) == COOK_ALIGNMENT, "the payload begins aligned");

/* XXH64 (Yann Collet, xxHash specification 0.1.1): 64 bits over many bytes, faster than memory. It detects damage, not
 * forgery, so everything that is read is checked as well. */

static const uint64_t prime1 = 0x9E3779B185EBCA87u, prime2 = 0xC2B2AE3D27D4EB4Fu, prime3 = 0x165667B19E3779F9u,
                      prime4 = 0x85EBCA77C2B2AE63u, prime5 = 0x27D4EB2F165667C5u;

static uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static uint64_t read64(const unsigned char *p) {
  uint64_t x;
  memcpy(&x, p, sizeof x);
  return x;
}

static uint64_t read32(const unsigned char *p) {
  uint32_t x;
  memcpy(&x, p, sizeof x);
  return x;
}

static uint64_t round_lane(uint64_t lane, uint64_t input) { return rotate(lane + input * prime2, 31) * prime1; }

static uint64_t merge_lane(uint64_t hash, uint64_t lane) { return (hash ^ round_lane(0, lane)) * prime1 + prime4; }

/* Four lanes over the whole blocks of 32 bytes; *p is moved behind them. */
static uint64_t hash_blocks(const unsigned char **p, size_t size, uint64_t seed) {
  uint64_t a = seed + prime1 + prime2, b = seed + prime2, c = seed, d = seed - prime1;
  for (size_t left = size; left >= 32; left -= 32, *p += 32) {
    a = round_lane(a, read64(*p));
    b = round_lane(b, read64(*p + 8));
    c = round_lane(c, read64(*p + 16));
    d = round_lane(d, read64(*p + 24));
  }
  uint64_t hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  return merge_lane(merge_lane(merge_lane(merge_lane(hash, a), b), c), d);
}

uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed) {
  const unsigned char *p = bytes;
  uint64_t hash = size >= 32 ? hash_blocks(&p, size, seed) : seed + prime5;
  size_t left = size % 32;
  hash += size;
  for (; left >= 8; left -= 8, p += 8) hash = rotate(hash ^ round_lane(0, read64(p)), 27) * prime1 + prime4;
  for (; left >= 4; left -= 4, p += 4) hash = rotate(hash ^ read32(p) * prime1, 23) * prime2 + prime3;
  for (; left > 0; left--, p++) hash = rotate(hash ^ *p * prime5, 11) * prime1;
  hash = (hash ^ hash >> 33) * prime2;
  hash = (hash ^ hash >> 29) * prime3;
  return hash ^ hash >> 32;
}

/* ---- cook read ---- */

/* ---- reading bytes ---- */

/* Bytes in memory, or an open file if `bytes` is NULL. */
typedef struct byte_source {
  const unsigned char *bytes;
  int file;
  bool is_cache; /* pixels are not checked, and may be mapped */
} byte_source;

static bool take_bytes(byte_source *from, void *out, size_t size, const char *path, sinew_error *error) {
  if (from->bytes) {
    memcpy(out, from->bytes, size);
    from->bytes += size;
    return true;
  }
  for (size_t done = 0; done < size;) {
    ssize_t got = read(from->file, (char *)out + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return error_set(error, "%s: cannot be read: %s", path, strerror(errno));
    if (got == 0) return error_set(error, "%s: ends too early: cook the source again", path);
    done += (size_t)got;
  }
  return true;
}

/* ---- the header ---- */

static bool check_header(const cook_header *header, size_t size, const char *path, sinew_error *error) {
  const cook_header ours = {.magic = "SINEWCK", .byte_order = 0x01020304};
  if (memcmp(header->magic, ours.magic, sizeof ours.magic) != 0)
    return error_set(error, "%s: is not a cooked model (it does not begin with SINEWCK)", path);
  if (header->byte_order != ours.byte_order)
    return error_set(error, "%s: was cooked for a machine of another byte order: cook the source again", path);
  if (header->version != COOK_VERSION)
    return error_set(error, "%s: is cooked in version %u, and this Sinew reads version %d: cook the source again", path,
                     header->version, COOK_VERSION);
  if (header->layout != cook_layout_stamp())
    return error_set(error, "%s: was cooked by a Sinew with other structures: cook the source again", path);
  if (header->payload_size != size - sizeof *header)
    return error_set(error,
                     "%s: has %zu bytes where its header says %llu: it is truncated or damaged, cook the "
                     "source again",
                     path, size, (unsigned long long)header->payload_size + sizeof *header);
  if (header->pixels < layout_size(&layout_model) || header->pixels % COOK_ALIGNMENT != 0 ||
      header->pixels > header->payload_size || header->payload_size % COOK_ALIGNMENT != 0 || header->zero ||
      memcmp(header->zeros, ours.zeros, sizeof ours.zeros) != 0)
    return error_set(error, "%s: has a damaged header: cook the source again", path);
  return true;
}

/* ---- the payload ---- */

/* A payload in one piece, or without its pixels, which are separate. */
typedef struct read_payload {
  unsigned char *bytes;
  size_t size, held; /* `held`: how much of it is at `bytes` */
  const unsigned char *pixels;
  file_map map; /* has `pixels` */
} read_payload;

typedef struct reader {
  model_visitor visitor; /* first: the visitor is the reader */
  const read_payload *from;
  size_t used; /* where the next piece must begin, before alignment */
  const char *path;
  sinew_error *error;
} reader;

static void *refuse(reader *r, const char *what, const char *rule) {
  error_set(r->error, "%s: %s %s: the file is damaged, cook the source again", r->path, what, rule);
  r->visitor.stopped = true;
  return NULL;
}

/* Does nothing if memory has the layout of files. */
static void take_layout(const cook_layout *layout, void *items, size_t count) {
  if (sizeof(void *) != sizeof(uint64_t)) layout_unpack(layout, items, count);
}

/* The number of bytes of a piece that begins at `begin`; 0 after an error. */
static size_t piece_bytes(reader *r, const visit_piece *piece, size_t begin, size_t end) {
  size_t left = end - begin, bytes;
  if (piece->text) {
    const char *text = (const char *)r->from->bytes + begin, *last = memchr(text, 0, left);
    if (last) return (size_t)(last - text) + 1;
    refuse(r, piece->what, "has no end");
    return 0;
  }
  if (size_multiply((size_t)piece->count, piece_item_size(piece), &bytes) && bytes <= left) return bytes;
  refuse(r, piece->what, "are more than the file holds");
  return 0;
}

/* Pieces follow each other in the order of the walk, so one comparison proves that an offset is in range, aligned, and
 * used by no other piece. */
static void *read_piece(model_visitor *visitor, const visit_piece *piece) {
  reader *r = (reader *)visitor;
  const read_payload *from = r->from;
  uintptr_t offset;
  memcpy(&offset, piece->field, sizeof offset);
  if (piece->count < 0) return refuse(r, piece->what, "have a negative count");
  bool empty = !piece->text && (piece->count == 0 || (piece->optional && offset == 0));
  if (empty && offset != 0) return refuse(r, piece->what, "are empty, but have an offset");
  if (empty) return piece_set_pointer(piece, NULL), NULL;
  bool elsewhere = piece->pixels && from->pixels;
  size_t first = elsewhere ? from->held : 0, end = elsewhere ? from->size : from->held;
  size_t begin = piece->text ? r->used : (r->used + COOK_ALIGNMENT - 1) / COOK_ALIGNMENT * COOK_ALIGNMENT;
  if (offset != begin || begin < first || begin >= end)
    return refuse(r, piece->what, "are not at the offset that follows");
  size_t bytes = piece_bytes(r, piece, begin, end);
  if (bytes == 0) return NULL;
  r->used = begin + bytes;
  const unsigned char *at = elsewhere ? from->pixels + (begin - first) : from->bytes + begin;
  piece_set_pointer(piece, at);
  if (piece->layout) take_layout(piece->layout, from->bytes + begin, (size_t)piece->count);
  return (void *)(uintptr_t)at;
}

static bool relocate(const read_payload *from, const char *path, sinew_error *error) {
  sinew_model *model = (sinew_model *)(void *)from->bytes;
  reader r = {
      .visitor = {.visit = read_piece}, .from = from, .used = layout_size(&layout_model), .path = path, .error = error};
  take_layout(&layout_model, model, 1);
  model_visit(model, &r.visitor);
  if (!r.visitor.stopped && from->size - r.used >= COOK_ALIGNMENT)
    refuse(&r, "the end", "has more bytes than the model");
  return !r.visitor.stopped;
}

/* Shared data is stored only once. */
static bool share_meshes(sinew_model *model, sinew_error *error) {
  for (int i = 0; i < model->mesh_count; i++) {
    sinew_mesh_view *mesh = model->meshes + i;
    if (mesh->same_as == -1) continue;
    if (!check_same_mesh(model, mesh, i, error)) return false;
    model_share_arrays(mesh, model->meshes + mesh->same_as);
  }
  return true;
}

static bool has_checksums(const read_payload *p, const cook_header *header, const byte_source *from) {
  size_t pixels = (size_t)header->pixels;
  return hash_bytes(p->bytes, pixels, 0) == header->checksum &&
         (from->is_cache || hash_bytes(p->bytes + pixels, p->size - pixels, 0) == header->pixel_checksum);
}

/* Fills and checks the block, which has room for the path behind its content; the caller frees it in any case. */
static bool fill(read_payload *p, const cook_header *header, byte_source *from, const char *path, sinew_error *error) {
  sinew_model *model = (sinew_model *)(void *)p->bytes;
  char *placed_path = (char *)model + p->held;
  memcpy(placed_path, path, strlen(path) + 1);
  if (!take_bytes(from, model, p->held, path, error)) return false;
  if (!has_checksums(p, header, from))
    return error_set(error, "%s: is damaged (its checksum is wrong): cook the source again", path);
  if (!relocate(p, path, error)) return false;
  atomic_init(&model->references, 1);
  model->path = placed_path;
  model->sources = NULL;
  model->names = NULL;
  model->still = NULL;
  model->pixels = p->map;
  for (int i = 0; i < model->clip_count; i++) model->clips[i].rest = model->rest, model->clips[i].still = NULL;
  if (!share_meshes(model, error) || !check_model(model, error)) return false;
  model->names = model_names_create(model, error);
  if (model->names && clip_still_find(model, error)) return true;
  block_release(model->names);
  return false;
}

/* The cache's pixels stay in their file until they are needed. A user's file is read completely, because its owner may
 * shorten it at any time. */
static void map_pixels(read_payload *p, const cook_header *header, const byte_source *from) {
  enum { WORTH_IT = 1 << 16 };
  size_t pixels = (size_t)header->pixels, size = p->size - pixels;
  off_t at = from->is_cache && size >= WORTH_IT ? lseek(from->file, 0, SEEK_CUR) : -1;
  if (at < 0) return;
  p->pixels = file_map_open(&p->map, from->file, (uint64_t)at + pixels, size);
  if (p->pixels) p->held = pixels;
}

static sinew_model *read_model(byte_source *from, size_t size, const char *path, sinew_error *error) {
  cook_header header;
  if (size < sizeof header) {
    error_set(error, "%s: has %zu bytes, too few for a cooked model", path, size);
    return NULL;
  }
  if (!take_bytes(from, &header, sizeof header, path, error) || !check_header(&header, size, path, error)) return NULL;
  read_payload p = {.size = (size_t)header.payload_size, .held = (size_t)header.payload_size};
  map_pixels(&p, &header, from);
  p.bytes = block_create_raw(p.held + strlen(path) + 1, path, error);
  if (p.bytes && fill(&p, &header, from, path, error)) return (sinew_model *)(void *)p.bytes;
  block_release(p.bytes);
  file_map_close(&p.map);
  return NULL;
}

sinew_model *cook_read(const void *bytes, size_t size, const char *path, sinew_error *error) {
  return read_model(&(byte_source){.bytes = bytes}, size, path, error);
}

sinew_model *sinew_model_load_cooked(const char *path, const void *bytes, size_t size, sinew_error *error) {
  return cook_read(bytes, size, path, error);
}

sinew_model *cook_read_cached(int file, size_t size, const char *path, sinew_error *error) {
  return read_model(&(byte_source){.file = file, .is_cache = true}, size, path, error);
}

/* ---- files ---- */

sinew_model *cook_load(const char *path, sinew_error *error) {
  struct stat info;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not block us */
  if (file < 0 || fstat(file, &info) != 0) {
    if (errno == ENOENT) error_set(error, "%s: no such file", path);
    else error_set(error, "%s: %s", path, strerror(errno));
    if (file >= 0) close(file);
    return NULL;
  }
  sinew_model *model = NULL;
  if (S_ISREG(info.st_mode)) model = read_model(&(byte_source){.file = file}, (size_t)info.st_size, path, error);
  else error_set(error, "%s: is not a regular file", path);
  close(file);
  return model;
}

bool cook_is_path(const char *path) { return strcasecmp(path_extension(path), "sinew") == 0; }

/* ---- cook write ---- */

/* Walks the same pieces several times: without a payload, to measure; then to copy; and last, if memory has another
 * layout than files, to pack. Structs with pointers keep memory's layout until all offsets are known. */
typedef struct writer {
  model_visitor visitor; /* first: the visitor is the writer */
  unsigned char *payload;
  bool packs;
  size_t used, pixels; /* `pixels`: the offset of the first ones, or 0 */
} writer;

static void *write_piece(model_visitor *visitor, const visit_piece *piece) {
  writer *w = (writer *)visitor;
  const char *source = piece_pointer(piece);
  if (piece->text && !source) source = "";
  size_t bytes = piece->text ? strlen(source) + 1 : (size_t)piece->count * piece_item_size(piece);
  if (!source || bytes == 0) {
    if (w->payload && !w->packs) piece_set_pointer(piece, NULL);
    return NULL;
  }
  if (!piece->text) w->used = (w->used + COOK_ALIGNMENT - 1) / COOK_ALIGNMENT * COOK_ALIGNMENT;
  size_t offset = w->used;
  if (piece->pixels && w->pixels == 0) w->pixels = offset;
  w->used += bytes; /* the model is in memory, so its size fits a size_t */
  if (w->packs && piece->layout) layout_pack(piece->layout, w->payload + offset, (size_t)piece->count);
  if (!w->payload || w->packs) return (void *)(uintptr_t)source;
  memcpy(w->payload + offset, source, piece->text ? bytes : (size_t)piece->count * piece->size);
  uintptr_t stored = offset;
  memcpy(piece->field, &stored, sizeof stored);
  return w->payload + offset;
}

static size_t measure(const sinew_model *model) {
  writer w = {.visitor = {.visit = write_piece}, .used = layout_size(&layout_model)};
  model_visit((sinew_model *)(uintptr_t)model, &w.visitor);
  return (w.used + COOK_ALIGNMENT - 1) / COOK_ALIGNMENT * COOK_ALIGNMENT;
}

static void pack(const sinew_model *model, unsigned char *payload) {
  if (sizeof(void *) == sizeof(uint64_t)) return;
  writer w = {.visitor = {.visit = write_piece}, .payload = payload, .packs = true, .used = layout_size(&layout_model)};
  model_visit((sinew_model *)(uintptr_t)model, &w.visitor);
  layout_pack(&layout_model, payload, 1);
}

/* Returns the offset of the pixels. */
static size_t write_payload(const sinew_model *model, unsigned char *payload, size_t size) {
  sinew_model *copy = (sinew_model *)(void *)payload;
  memcpy(payload, model, sizeof *model);
  atomic_init(&copy->references, 0);
  copy->sources = NULL;
  copy->names = NULL;
  copy->still = NULL;
  copy->pixels = (file_map){0};
  copy->path = NULL; /* the path of the source is private */
  writer w = {.visitor = {.visit = write_piece}, .payload = payload, .used = layout_size(&layout_model)};
  model_visit(copy, &w.visitor);
  sinew_clip *clips = (sinew_clip *)(void *)(payload + (uintptr_t)copy->clips);
  for (int i = 0; i < copy->clip_count; i++) clips[i].rest = NULL, clips[i].still = NULL; /* set where it is read */
  pack(model, payload);
  return w.pixels ? w.pixels : size;
}

cook_header cook_header_make(const void *payload, size_t size, size_t pixels) {
  return (cook_header){.magic = "SINEWCK",
                       .byte_order = 0x01020304,
                       .version = COOK_VERSION,
                       .layout = cook_layout_stamp(),
                       .payload_size = size,
                       .pixels = pixels,
                       .checksum = hash_bytes(payload, pixels, 0),
                       .pixel_checksum = hash_bytes((const unsigned char *)payload + pixels, size - pixels, 0)};
}

void *cook_bytes(const sinew_model *model, size_t *size, sinew_error *error) {
  size_t payload_size = measure(model);
  size_t bytes = sizeof(cook_header) + payload_size;
  unsigned char *cooked = mem_alloc_zeroed(bytes);
  if (!cooked) {
    error_memory(error, model->path, bytes);
    return NULL;
  }
  unsigned char *payload = cooked + sizeof(cook_header);
  size_t pixels = write_payload(model, payload, payload_size);
  cook_header header = cook_header_make(payload, payload_size, pixels);
  memcpy(cooked, &header, sizeof header);
  *size = bytes;
  return cooked;
}

bool sinew_model_cook(const sinew_model *model, const char *path, sinew_error *error) {
  if (!cook_is_path(path))
    return error_set(error, "%s: a cooked file has the extension .sinew, or nothing would read it", path);
  size_t size;
  void *cooked = cook_bytes(model, &size, error);
  /* a model that would be rejected is not written */
  sinew_model *read = cooked ? cook_read(cooked, size, path, error) : NULL;
  bool good = read && file_write(path, cooked, size, error);
  sinew_model_release(read);
  mem_free(cooked);
  return good;
}

bool sinew_model_cook_memory(const sinew_model *model, void (*take)(void *user, const void *bytes, size_t size),
                             void *user, sinew_error *error) {
  size_t size;
  void *cooked = cook_bytes(model, &size, error);
  if (cooked) take(user, cooked, size);
  mem_free(cooked);
  return cooked != NULL;
}
