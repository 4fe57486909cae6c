#include "core/watchdog.h"

/* No thread can be interrupted for a call here. */
bool watchdog_start(watchdog *dog, double seconds, void (*tick)(void)) {
  (void)dog, (void)seconds, (void)tick;
  return false;
}

void watchdog_stop(watchdog *dog) { (void)dog; }
