/* file_map – maps part of a file into memory; its pages are read on first access. */
#ifndef SINEW_BASE_FILE_MAP_H
#define SINEW_BASE_FILE_MAP_H

#include <sinew/base.h>

typedef struct file_map {
  void *start; /* NULL: nothing is mapped */
  size_t size;
} file_map;

/* Maps the bytes from `offset` on, read-only; NULL if they cannot be mapped: read them instead. The file may be closed,
 * renamed or removed afterwards. Only for files that are never shortened: access to a page that is gone ends the
 * program (SIGBUS). Files of other machines may disappear at any time, so they are not mapped. */
const unsigned char *file_map_open(file_map *map, int file, uint64_t offset, size_t size);
void file_map_close(file_map *map);

#endif
