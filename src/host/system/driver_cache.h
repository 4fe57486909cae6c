/* driver_cache – keeps the graphics driver's cache off a full disk. */
#ifndef SINEW_HOST_DRIVER_CACHE_H
#define SINEW_HOST_DRIVER_CACHE_H

/* Call it before a context is created. Mesa maps its shader cache into memory; if the disk has no room for it, the
 * system ends the program (SIGBUS). With less than 16 MiB left, this turns the cache off. */
void driver_cache_guard(void);

/* Call it once the context exists. The index of that cache is a sparse file: this allocates its blocks now, so that a
 * disk that fills up later ends nothing. */
void driver_cache_hold(void);

#endif
