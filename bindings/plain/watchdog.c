#include "core/watchdog.h"

/* Here no thread can be interrupted by a call. */
bool watchdog_start(watchdog *dog, double seconds, void (*tick)(void)) {
  (void)dog, (void)seconds, (void)tick;
  return false;
}

void watchdog_stop(watchdog *dog) { (void)dog; }
