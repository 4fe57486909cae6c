/* picture_process – the protocol between the program and the process that unpacks its pictures. */
#ifndef SINEW_IMPORT_PICTURE_PROCESS_H
#define SINEW_IMPORT_PICTURE_PROCESS_H

#include <sinew/base.h>

/* A round has at most this many pictures, numbered from 0 on. */
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

/* The next of the pictures that an answer holds from *taken on, in a round of `count` of which some are done; none of
 * it is trusted. False where the next one is not there whole, is not asked for, or came before. */
bool picture_take(const unsigned char *answer, size_t size, size_t *taken, int count, const bool *done,
                  picture_head *head, const unsigned char **bytes);

/* "0", "1" … as the files that may be asked for; one allocation (mem_free), or NULL. */
const char **picture_names(int count);

#endif
