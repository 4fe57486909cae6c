#include "host/system/driver_cache.h"

void driver_cache_guard(void) {} /* Mesa is rare here */
void driver_cache_hold(void) {}
