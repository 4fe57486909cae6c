/* process_parts – the code that the processes of all systems share. */
#ifndef SINEW_BASE_PROCESS_PARTS_H
#define SINEW_BASE_PROCESS_PARTS_H

#include "base/process/process.h"

/* The bytes that came through one pipe of a child, up to a limit. */
typedef struct received {
  unsigned char *data;
  size_t size, capacity, limit;
  bool cut;
} received;

/* Room for one more byte, where it is not at its limit. False when memory runs out. */
bool received_make_room(received *r);
process_bytes received_bytes(const received *r);

#endif
