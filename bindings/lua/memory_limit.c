/* Lua's memory: a cap, a charge for large blocks, and a serial number before each block, by which the sandbox's pairs
 * orders keys that have no natural order. */
#include "core/scene.h"

#include <string.h>

/* Small, because most blocks are a few dozen bytes. Lua passes the old size of a block, and asks for no more alignment
 * than this has. */
typedef struct header {
  uint64_t serial;
} header;

enum { STRING_LIMIT = 8 * 1024 * 1024, LARGE = 4096, BYTES_PER_STEP = 16 };

/* When an allocation is refused, Lua collects all garbage and tries again; a script that continues after the error is
 * charged for that. */
enum { BYTES_COLLECTED_PER_STEP = 128 };

static bool refuse(sinew_scene *scene, memory_reason reason) {
  scene->memory_reason = reason;
  return true;
}

static bool refused(sinew_scene *scene, const void *pointer, size_t old_size, size_t new_size, size_t grown) {
  if (scene->memory_used + grown > scene->def.memory_limit && new_size > 0) {
    budget_add(scene, (int64_t)(scene->memory_used / BYTES_COLLECTED_PER_STEP));
    return refuse(scene, MEMORY_TOTAL);
  }
  if (!pointer && old_size == LUA_TSTRING && new_size > STRING_LIMIT) return refuse(scene, MEMORY_TEXT);
  if (grown < LARGE) return false;
  budget_add(scene, (int64_t)(grown / BYTES_PER_STEP));
  return scene->budget.over && grown > (size_t)LARGE * 16 && refuse(scene, MEMORY_SYSTEM);
}

static const char *const reasons[MEMORY_REASONS] = {
    [MEMORY_SYSTEM] = "not enough memory: the system gives no more",
    [MEMORY_TOTAL] = "not enough memory: the scene has reached its limit of %I MiB",
    [MEMORY_TEXT] = "not enough memory: a single string may have at most %I MiB"};

void lua_memory_open(lua_State *L) {
  const lua_Integer numbers[MEMORY_REASONS] = {
      [MEMORY_TOTAL] = (lua_Integer)(scene_of(L)->def.memory_limit >> 20), [MEMORY_TEXT] = STRING_LIMIT >> 20};
  for (int i = 0; i < MEMORY_REASONS; i++) {
    lua_pushfstring(L, reasons[i], (LUAI_UACINT)numbers[i]);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &reasons[i]);
  }
}

void lua_memory_push_reason(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &reasons[scene_of(L)->memory_reason]); }

void *lua_memory(void *user, void *pointer, size_t old_size, size_t new_size) {
  sinew_scene *scene = user;
  const sinew_allocator *allocator = &scene->declarations.allocator;
  header *old = pointer ? (header *)pointer - 1 : NULL;
  size_t before = old ? old_size : 0; /* for a new block, Lua passes the kind of object here */
  if (new_size == 0) {
    scene->memory_used -= before;
    if (old) allocator->reallocate(allocator->user, old, 0);
    return NULL;
  }
  size_t grown = new_size > before ? new_size - before : 0;
  if (grown > 0 && refused(scene, pointer, old_size, new_size, grown)) return NULL;
  header *fresh = allocator->reallocate(allocator->user, old, sizeof(header) + new_size);
  if (!fresh) return refuse(scene, MEMORY_SYSTEM), NULL;
  if (!old) fresh->serial = ++scene->memory_serial;
  scene->memory_used = scene->memory_used - before + new_size;
  return fresh + 1;
}

/* lua_topointer returns the block itself for tables and Lua functions. A thread's block begins with its extra space,
 * and a userdata's pointer lies behind a header, so for those the serial is read from the known start of the block. */
uint64_t lua_memory_serial(lua_State *L, int index) {
  const char *memory = lua_topointer(L, index);
  int type = lua_type(L, index);
  if (!memory || (type == LUA_TFUNCTION && lua_iscfunction(L, index) && !lua_getupvalue(L, index, 1))) return 0;
  if (type == LUA_TFUNCTION && lua_iscfunction(L, index)) lua_pop(L, 1);
  if (type == LUA_TTHREAD) memory -= LUA_EXTRASPACE;
  if (type != LUA_TTABLE && type != LUA_TFUNCTION && type != LUA_TTHREAD) return 0;
  return ((const header *)(const void *)memory - 1)->serial;
}
