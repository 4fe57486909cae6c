#include "import/cook/cook.h"
#include "import/cook/cook_format.h"
#include "import/cook/cook_hash.h"
#include "import/cook/cook_visit.h"
#include "import/cook/model_check.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"
#include "model/clip/clip_still.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading bytes ---- */

/* Bytes in memory, or an open file if `bytes` is NULL. */
typedef struct byte_source {
  const unsigned char *bytes;
  int file;
  bool is_cache; /* pixels are not checked, and may be mapped */
} byte_source;

static bool take(byte_source *from, void *out, size_t size, const char *path, sinew_error *error) {
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
typedef struct payload {
  unsigned char *bytes;
  size_t size, held; /* `held`: how much of it is at `bytes` */
  const unsigned char *pixels;
  file_map map; /* has `pixels` */
} payload;

typedef struct reader {
  model_visitor visitor; /* first: the visitor is the reader */
  const payload *from;
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
  const payload *from = r->from;
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

static bool relocate(const payload *from, const char *path, sinew_error *error) {
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

static bool has_checksums(const payload *p, const cook_header *header, const byte_source *from) {
  size_t pixels = (size_t)header->pixels;
  return hash_bytes(p->bytes, pixels, 0) == header->checksum &&
         (from->is_cache || hash_bytes(p->bytes + pixels, p->size - pixels, 0) == header->pixel_checksum);
}

/* Fills and checks the block, which has room for the path behind its content; the caller frees it in any case. */
static bool fill(payload *p, const cook_header *header, byte_source *from, const char *path, sinew_error *error) {
  sinew_model *model = (sinew_model *)(void *)p->bytes;
  char *placed_path = (char *)model + p->held;
  memcpy(placed_path, path, strlen(path) + 1);
  if (!take(from, model, p->held, path, error)) return false;
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
static void map_pixels(payload *p, const cook_header *header, const byte_source *from) {
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
  if (!take(from, &header, sizeof header, path, error) || !check_header(&header, size, path, error)) return NULL;
  payload p = {.size = (size_t)header.payload_size, .held = (size_t)header.payload_size};
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
