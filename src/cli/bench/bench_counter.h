/* bench_counter – instructions that this thread executes, where the machine counts them. */
#ifndef SINEW_CLI_BENCH_COUNTER_H
#define SINEW_CLI_BENCH_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* A number for the others, or −1 where there is no counter: virtual machines often have none, and a kernel may refuse.
 */
int bench_counter_open(void);
void bench_counter_close(int counter);

/* In this thread, outside of the kernel, since the counter was opened. False where it cannot be read. */
bool bench_counter_read(int counter, uint64_t *instructions);

#endif
