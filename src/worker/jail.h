/* jail – permanently gives up every right that an importer does not need. It may compute, read from given descriptors,
 * request files on its socket, write its answer and its log, and end. It cannot open or create files, start programs or
 * threads beyond those of base/jobs.h, or send signals, and none of its memory can be written and then executed. */
#ifndef SINEW_WORKER_JAIL_H
#define SINEW_WORKER_JAIL_H

#include <stdbool.h>

/* Confines every present and future thread from here on. Returns the restrictions in force: worker_walls. */
unsigned jail_enter(void);

/* Restricts the system calls with seccomp. Returns false, and does nothing, if the system does not support it. */
bool jail_calls(void);
/* Forbids files on any disk, ports, sockets and signals outside, as far as the kernel's Landlock supports this. */
bool jail_files(void);

#endif
