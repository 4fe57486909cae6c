/* process_parts – code shared by the processes of all systems. */
#ifndef SINEW_BASE_PROCESS_PARTS_H
#define SINEW_BASE_PROCESS_PARTS_H

#include "base/process/process.h"

/* The bytes from one pipe of a child, up to a limit. */
typedef struct received {
  unsigned char *data;
  size_t size, capacity, limit;
  bool cut;
} received;

/* Makes room for one more byte, unless the limit is reached. False when memory runs out. */
bool received_make_room(received *r);
process_bytes received_bytes(const received *r);

/* Finds out whether a child does nothing. */
typedef struct idleness {
  double limit, since, used; /* since that moment it was seen to work, having used so much of the processor */
  const atomic_bool *is_served;
} idleness;

/* `used`: processor seconds so far. A child that spoke since the last call is at work. */
bool idleness_is_over(idleness *idle, double now, double used, bool spoke);

#endif
