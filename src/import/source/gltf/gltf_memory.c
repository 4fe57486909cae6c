#include "import/source/gltf/gltf_memory.h"

#include "base/memory/memory.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

enum { PIECE = 1 << 16, ALIGNMENT = _Alignof(max_align_t) };

struct gltf_piece {
  gltf_piece *next;
  size_t used, size;
  max_align_t data[];
};

static _Thread_local gltf_piece **current;

static gltf_piece *add_piece(size_t least) {
  size_t size = least > PIECE ? least : PIECE;
  gltf_piece *piece = size < SIZE_MAX - sizeof *piece ? mem_alloc(sizeof *piece + size) : NULL;
  if (!piece) return NULL;
  *piece = (gltf_piece){.next = *current, .size = size};
  return *current = piece;
}

static void *allocate(size_t size) {
  if (size > SIZE_MAX - ALIGNMENT) return NULL;
  size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  gltf_piece *piece = *current;
  if (!piece || piece->size - piece->used < size) piece = add_piece(size);
  if (!piece) return NULL;
  void *memory = (unsigned char *)piece->data + piece->used;
  piece->used += size;
  return memory;
}

static void keep(void *memory) { (void)memory; }

void gltf_memory_use(gltf_piece **pieces) {
  cJSON_Hooks hooks = {allocate, keep};
  current = pieces;
  cJSON_InitHooks(&hooks);
}

void gltf_memory_release(gltf_piece **pieces) {
  while (*pieces) {
    gltf_piece *next = (*pieces)->next;
    mem_free(*pieces);
    *pieces = next;
  }
}
