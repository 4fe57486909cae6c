#define _GNU_SOURCE /* dladdr */
#include "base/self.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char here;

bool self_program(char *path, size_t size) {
  ssize_t length = readlink("/proc/self/exe", path, size);
  if (length <= 0 || (size_t)length >= size) return false;
  path[length] = '\0';
  return true;
}

bool self_library(char *path, size_t size) {
  char program[4096];
  Dl_info info;
  char *file = dladdr(&here, &info) ? realpath(info.dli_fname, NULL) : NULL;
  bool found = file && self_program(program, sizeof program) && strcmp(file, program) != 0 &&
               strchr(info.dli_fname, '/') && snprintf(path, size, "%s", file) < (int)size;
  free(file);
  return found;
}
