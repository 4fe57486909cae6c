#include "import/worker/picture_process.h"

#include "base/memory/memory.h"

#include <stdio.h>

static void write_number(unsigned char *at, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(number >> (8 * i));
}

static uint64_t read_number(const unsigned char *at, int bytes) {
  uint64_t number = 0;
  for (int i = 0; i < bytes; i++) number |= (uint64_t)at[i] << (8 * i);
  return number;
}

void picture_write_head(unsigned char bytes[PICTURE_HEAD], const picture_head *head) {
  write_number(bytes, head->index, 4);
  write_number(bytes + 4, head->width, 4);
  write_number(bytes + 8, head->height, 4);
  write_number(bytes + 12, 0, 4);
  write_number(bytes + 16, head->size, 8);
}

picture_head picture_read_head(const unsigned char bytes[PICTURE_HEAD]) {
  return (picture_head){(uint32_t)read_number(bytes, 4), (uint32_t)read_number(bytes + 4, 4),
                        (uint32_t)read_number(bytes + 8, 4), read_number(bytes + 16, 8)};
}

bool picture_take(const unsigned char *answer, size_t size, size_t *taken, int count, const bool *done,
                  picture_head *head, const unsigned char **bytes) {
  if (size - *taken < PICTURE_HEAD) return false;
  *head = picture_read_head(answer + *taken);
  if (head->index >= (uint32_t)count || done[head->index] || head->size > size - *taken - PICTURE_HEAD) return false;
  *bytes = answer + *taken + PICTURE_HEAD;
  *taken += PICTURE_HEAD + (size_t)head->size;
  return true;
}

const char **picture_names(int count) {
  enum { SIZE = 12 };
  size_t pointers = (size_t)count + 1;
  const char **names = mem_alloc_zeroed(pointers * sizeof *names + (size_t)count * SIZE);
  char *text = names ? (char *)(names + pointers) : NULL;
  for (int i = 0; names && i < count; i++, text += SIZE) {
    snprintf(text, SIZE, "%d", i);
    names[i] = text;
  }
  return names;
}
