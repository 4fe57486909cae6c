/* jail – gives up, permanently, every right that an importer does not need: it computes, reads from descriptors that it
 * was given, asks on its socket, writes its answer and its log, starts threads, and ends. It opens nothing, makes
 * nothing, starts nothing, sends no signal, and no memory of it can be written and then run. */
#ifndef SINEW_WORKER_JAIL_H
#define SINEW_WORKER_JAIL_H

#include <stdbool.h>

/* Every thread that there is and will be is confined from here on. Which walls stand: worker_walls. */
unsigned jail_enter(void);

/* The system calls that are left, by seccomp. False where the system has none, and nothing happened. */
bool jail_calls(void);
/* No file on any disk, no port, no socket and no signal beyond, so far as the kernel's Landlock knows these. */
bool jail_files(void);

#endif
