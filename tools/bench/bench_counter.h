/* bench_counter – counts the instructions that this thread executes, if the machine can. */
#ifndef SINEW_BENCH_COUNTER_H
#define SINEW_BENCH_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* A handle for the other functions, or −1 if there is no counter: virtual machines often have none, and the kernel may
 * refuse. */
int bench_counter_open(void);
void bench_counter_close(int counter);

/* The count in this thread, outside the kernel, since the counter was opened. False if it cannot be read. */
bool bench_counter_read(int counter, uint64_t *instructions);

#endif
