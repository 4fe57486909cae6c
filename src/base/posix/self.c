#define _GNU_SOURCE /* dladdr */
#include "base/process/self.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

static const char here;

#ifdef __APPLE__
bool self_program(char *path, size_t size) {
  uint32_t room = (uint32_t)size;
  return _NSGetExecutablePath(path, &room) == 0;
}
#else
bool self_program(char *path, size_t size) {
  ssize_t length = readlink("/proc/self/exe", path, size);
  if (length <= 0 || (size_t)length >= size) return false;
  path[length] = '\0';
  return true;
}
#endif

bool self_library(char *path, size_t size) {
  char program[4096];
  Dl_info info;
  char *file = dladdr(&here, &info) ? realpath(info.dli_fname, NULL) : NULL;
  bool found = file && self_program(program, sizeof program) && strcmp(file, program) != 0 &&
               strchr(info.dli_fname, '/') && snprintf(path, size, "%s", file) < (int)size;
  free(file);
  return found;
}
