/* process_spawn – fork and exec with care: the one step of process.c between two programs. */
#ifndef SINEW_BASE_POSIX_PROCESS_SPAWN_H
#define SINEW_BASE_POSIX_PROCESS_SPAWN_H

#include "base/process/process.h"

#include <sys/types.h>

enum { SPAWN_OUTPUT, SPAWN_ERRORS, SPAWN_ANSWER, SPAWN_PIPES };

/* Our ends of a child's pipes, which do not block, and of its socket, which does (-1 where it is not served). No other
 * child inherits them. */
typedef struct spawned {
  pid_t child;
  int descriptors[SPAWN_PIPES];
  int socket;
} spawned;

/* False and an error message where the program cannot be run. A child that is served ends with the calling thread. */
bool process_spawn(const process_def *def, spawned *made, sinew_error *error);

#endif
