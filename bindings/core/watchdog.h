/* watchdog – a tick on a thread's own processor time: while the thread works, never while it waits. */
#ifndef SINEW_BINDINGS_WATCHDOG_H
#define SINEW_BINDINGS_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct watchdog {
  bool ticks;
  uintptr_t timer;
} watchdog;

/* From now on `tick` runs on the calling thread, inside a signal handler, each time the thread has worked for another
 * `seconds` (> 0; the system's clock makes it 4 ms or so at least). Watchdogs of one thread share their tick. False,
 * and nothing ticks, where the system cannot do this. */
bool watchdog_start(watchdog *dog, double seconds, void (*tick)(void));

/* By the thread that started it; a last tick may still come. One that does not tick is fine. */
void watchdog_stop(watchdog *dog);

#endif
