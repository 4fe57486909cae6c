/* heap – a heap for a program that lives for one import: it asks the system for memory rarely and in large pages, and
 * gives nothing back. A small page takes longer than most of the work done with it. */
#ifndef SINEW_WORKER_HEAP_H
#define SINEW_WORKER_HEAP_H

/* Once, before anything large is allocated and after the limits are set. Where the system or its C library has no such
 * means, nothing happens. */
void heap_prepare(void);

#endif
