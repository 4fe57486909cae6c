#include "base/file_map.h"

#if defined(__linux__)

#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

static bool is_of_this_machine(int file) {
  /* NFS, SMB, CIFS, SMB2, 9P, FUSE (statfs(2)) */
  static const uint32_t remote[] = {0x6969, 0x517B, 0xFF534D42, 0xFE534D42, 0x01021997, 0x65735546};
  struct statfs info;
  if (fstatfs(file, &info) != 0) return false;
  for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
    if ((uint32_t)info.f_type == remote[i]) return false;
  return true;
}

const unsigned char *file_map_open(file_map *map, int file, uint64_t offset, size_t size) {
  uint64_t before = offset % (uint64_t)sysconf(_SC_PAGESIZE);
  size_t mapped = size + (size_t)before;
  *map = (file_map){0};
  if (size == 0 || mapped < size || !is_of_this_machine(file)) return NULL;
  void *start = mmap(NULL, mapped, PROT_READ, MAP_PRIVATE, file, (off_t)(offset - before));
  if (start == MAP_FAILED) return NULL;
  *map = (file_map){start, mapped};
  return (const unsigned char *)start + before;
}

void file_map_close(file_map *map) {
  if (map->start) munmap(map->start, map->size);
  *map = (file_map){0};
}

#else

const unsigned char *file_map_open(file_map *map, int file, uint64_t offset, size_t size) {
  (void)file, (void)offset, (void)size;
  *map = (file_map){0};
  return NULL;
}

void file_map_close(file_map *map) { *map = (file_map){0}; }

#endif
