/* process_spawn – fork and exec with care: the one step of process.c between two programs. */
#ifndef SINEW_BASE_POSIX_PROCESS_SPAWN_H
#define SINEW_BASE_POSIX_PROCESS_SPAWN_H

#include "base/process.h"

#include <sys/types.h>

enum { SPAWN_OUTPUT, SPAWN_ERRORS, SPAWN_ANSWER, SPAWN_PIPES };

/* The child's number, and our ends of its pipes, which do not block and which no other child inherits. -1 and a
 * sentence where the program cannot be run. */
pid_t process_spawn(const char *const *arguments, const process_limits *limits, int descriptors[SPAWN_PIPES],
                    sinew_error *error);

#endif
