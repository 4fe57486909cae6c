#include "import/cook/cook.h"
#include "import/cook/cook_format.h"
#include "import/cook/cook_hash.h"
#include "import/cook/cook_visit.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"

#include <string.h>

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
