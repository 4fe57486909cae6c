/* picture_process – what the program and the process that unpacks its pictures must agree about. */
#ifndef SINEW_IMPORT_PICTURE_PROCESS_H
#define SINEW_IMPORT_PICTURE_PROCESS_H

#include <sinew/base.h>

/* A round has so many pictures at most, numbered from 0 on. */
enum { PICTURES_ROUND = 256 };

/* Before each picture, little-endian: its number, its size (0 × 0: what follows is the sentence why there is none), and
 * the bytes that follow. */
enum { PICTURE_HEAD = 24 };
typedef struct picture_head {
  uint32_t index, width, height;
  uint64_t size;
} picture_head;

void picture_write_head(unsigned char bytes[PICTURE_HEAD], const picture_head *head);
picture_head picture_read_head(const unsigned char bytes[PICTURE_HEAD]);

/* "0", "1" … as the files that may be asked for; one allocation (mem_free), or NULL. */
const char **picture_names(int count);

#endif
