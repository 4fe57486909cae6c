/* heap – a heap for a program that lives for one import: it asks the system for memory rarely and in large pages, and
 * returns nothing. Getting a small page takes longer than most of the work done with it. */
#ifndef SINEW_WORKER_HEAP_H
#define SINEW_WORKER_HEAP_H

/* Call it once, before anything large is allocated and after the limits are set. Does nothing if the system or its C
 * library does not support it. */
void heap_prepare(void);

#endif
