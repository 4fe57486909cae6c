/* watchdog – a tick on a thread's own processor time: while the thread works, never while it waits. */
#ifndef SINEW_BINDINGS_WATCHDOG_H
#define SINEW_BINDINGS_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct watchdog {
  bool ticks;
  uintptr_t timer;
} watchdog;

/* Makes `tick` run on the calling thread, inside a signal handler, each time the thread has worked for another
 * `seconds` (> 0; the system's clock makes it 4 ms or so at least). Watchdogs of one thread share their tick. False,
 * and nothing ticks, if the system does not support this. */
bool watchdog_start(watchdog *dog, double seconds, void (*tick)(void));

/* Call it on the thread that started it; one last tick may follow. The watchdog need not be running. */
void watchdog_stop(watchdog *dog);

#endif
