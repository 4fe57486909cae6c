/* Lua's memory: a cap, a charge for large blocks, and a serial number before each block, by which the sandbox's pairs
 * orders keys that have no order of their own. */
#include "scene/scene.h"

#include <string.h>

typedef union header {
  struct {
    uint64_t serial;
    size_t size;
  } is;
  max_align_t align;
} header;

enum { STRING_LIMIT = 8 * 1024 * 1024, LARGE = 4096, BYTES_PER_STEP = 16 };

static bool refused(sinew_scene *scene, const void *pointer, size_t old_size, size_t new_size, size_t grown) {
  if (scene->memory_used + grown > scene->def.memory_limit && new_size > 0) return true;
  if (!pointer && old_size == LUA_TSTRING && new_size > STRING_LIMIT) return true;
  if (grown < LARGE) return false;
  scene->budget.spent += (int64_t)(grown / BYTES_PER_STEP);
  return scene->budget.exhausted && grown > (size_t)LARGE * 16;
}

void *lua_memory(void *user, void *pointer, size_t old_size, size_t new_size) {
  sinew_scene *scene = user;
  const sinew_allocator *allocator = &scene->world.allocator;
  header *old = pointer ? (header *)pointer - 1 : NULL;
  size_t before = old ? old->is.size : 0;
  if (new_size == 0) {
    scene->memory_used -= before;
    if (old) allocator->reallocate(allocator->user, old, 0);
    return NULL;
  }
  size_t grown = new_size > before ? new_size - before : 0;
  if (grown > 0 && refused(scene, pointer, old_size, new_size, grown)) return NULL;
  header *fresh = allocator->reallocate(allocator->user, old, sizeof(header) + new_size);
  if (!fresh) return NULL;
  if (!old) fresh->is.serial = ++scene->memory_serial;
  fresh->is.size = new_size;
  scene->memory_used = scene->memory_used - before + new_size;
  return fresh + 1;
}

/* lua_topointer gives the block itself for tables and Lua functions; a thread's block begins with its extra space, and
 * a userdata's pointer lies past its own header, so for those the serial is asked of what is known to be a block. */
uint64_t lua_memory_serial(lua_State *L, int index) {
  const char *memory = lua_topointer(L, index);
  int type = lua_type(L, index);
  if (!memory || (type == LUA_TFUNCTION && lua_iscfunction(L, index) && !lua_getupvalue(L, index, 1))) return 0;
  if (type == LUA_TFUNCTION && lua_iscfunction(L, index)) lua_pop(L, 1);
  if (type == LUA_TTHREAD) memory -= LUA_EXTRASPACE;
  if (type != LUA_TTABLE && type != LUA_TFUNCTION && type != LUA_TTHREAD) return 0;
  return ((const header *)(const void *)memory - 1)->is.serial;
}
