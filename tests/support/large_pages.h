/* large_pages – whether large pages were asked for where an address is. */
#ifndef SINEW_TESTS_LARGE_PAGES_H
#define SINEW_TESTS_LARGE_PAGES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads from Linux whether large pages were requested at an address; -1 if it does not say. */
static inline int large_pages_at(const void *address) {
  FILE *maps = access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) == 0 ? fopen("/proc/self/smaps", "r") : NULL;
  char line[512];
  unsigned long from, to;
  bool here = false;
  int large = -1;
  while (maps && large < 0 && fgets(line, sizeof line, maps)) {
    if (sscanf(line, "%lx-%lx ", &from, &to) == 2) here = (uintptr_t)address >= from && (uintptr_t)address < to;
    else if (here && strncmp(line, "VmFlags:", 8) == 0) large = strstr(line, " hg") != NULL;
  }
  if (maps) fclose(maps);
  return large;
}

#endif
