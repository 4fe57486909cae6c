/* process_keeper – a thread that starts a child, serves it and lives as long as it: Linux ends such a child together
 * with the thread that forked it, and the calling thread may end much earlier. */
#ifndef SINEW_BASE_POSIX_PROCESS_KEEPER_H
#define SINEW_BASE_POSIX_PROCESS_KEEPER_H

#include "base/posix/process_spawn.h"

typedef struct keeper keeper;

/* The child is running when this returns. NULL and an error message if it cannot be started, or memory runs out. */
keeper *keeper_start(const process_def *def, spawned *made, sinew_error *error);

/* Call it only once the child has ended. NULL is allowed. */
void keeper_end(keeper *k);

#endif
