/* file_map – maps part of a file into memory; its pages are read on first access. */
#ifndef SINEW_BASE_FILE_MAP_H
#define SINEW_BASE_FILE_MAP_H

#include <sinew/base.h>

typedef struct file_map {
  void *start; /* NULL: nothing is mapped */
  size_t size;
} file_map;

/* Where the bytes from `offset` on are, to be read only; NULL where they cannot be mapped: read them then. The file may
 * be closed, renamed or removed afterwards. Only for files that are never shortened: a page that is gone when it is
 * looked at ends the program (SIGBUS). So files of other machines, which may go at any time, are not mapped. */
const unsigned char *file_map_open(file_map *map, int file, uint64_t offset, size_t size);
void file_map_close(file_map *map);

#endif
