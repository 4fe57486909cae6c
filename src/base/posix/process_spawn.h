/* process_spawn – starts a program safely with fork and exec, for process.c. */
#ifndef SINEW_BASE_POSIX_PROCESS_SPAWN_H
#define SINEW_BASE_POSIX_PROCESS_SPAWN_H

#include "base/process/process.h"

#include <sys/types.h>

enum { SPAWN_OUTPUT, SPAWN_ERRORS, SPAWN_ANSWER, SPAWN_PIPES };

/* Our ends of a child's pipes, which are non-blocking, and of its socket, which is blocking (-1 if it is not served).
 * No other child inherits them. */
typedef struct spawned {
  pid_t child;
  int descriptors[SPAWN_PIPES];
  int socket;
} spawned;

/* False and an error message if the program cannot be run. A served child ends with the calling thread. */
bool process_spawn(const process_def *def, spawned *made, sinew_error *error);

#endif
