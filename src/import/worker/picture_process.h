/* picture_process – the protocol between the program and the process that unpacks pictures for it. */
#ifndef SINEW_IMPORT_PICTURE_PROCESS_H
#define SINEW_IMPORT_PICTURE_PROCESS_H

#include <sinew/base.h>

/* A round has at most this many pictures, numbered from 0 on. */
enum { PICTURES_ROUND = 256 };

/* The header of each picture, little-endian: its number, its size (0 × 0: an error message follows), and the number of
 * bytes that follow. */
enum { PICTURE_HEAD = 24 };
typedef struct picture_head {
  uint32_t index, width, height;
  uint64_t size;
} picture_head;

void picture_write_head(unsigned char bytes[PICTURE_HEAD], const picture_head *head);
picture_head picture_read_head(const unsigned char bytes[PICTURE_HEAD]);

/* Reads the next picture of an answer from *taken on, in a round of `count` pictures, some of which are done; nothing
 * in it is trusted. False if the next one is incomplete, was not requested, or came before. */
bool picture_take(const unsigned char *answer, size_t size, size_t *taken, int count, const bool *done,
                  picture_head *head, const unsigned char **bytes);

/* The names "0", "1" … of the files that can be requested; one allocation (mem_free), or NULL. */
const char **picture_names(int count);

#endif
