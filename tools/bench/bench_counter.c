#define _GNU_SOURCE /* syscall */
#include "bench/bench_counter.h"

#include <unistd.h>

#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/syscall.h>

int bench_counter_open(void) {
  struct perf_event_attr wanted = {.type = PERF_TYPE_HARDWARE,
                                   .size = sizeof wanted,
                                   .config = PERF_COUNT_HW_INSTRUCTIONS,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
  return (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}
#else
int bench_counter_open(void) { return -1; }
#endif

void bench_counter_close(int counter) {
  if (counter >= 0) close(counter);
}

bool bench_counter_read(int counter, uint64_t *instructions) {
  return counter >= 0 && read(counter, instructions, sizeof *instructions) == (ssize_t)sizeof *instructions;
}
