#define _GNU_SOURCE /* memfd_create */
#include "import/posix/sealed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static bool write_all(int file, const char *at, size_t size) {
  while (size > 0) {
    ssize_t done = write(file, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    size -= (size_t)done;
  }
  return true;
}

#ifdef __linux__
static int make(void) { return memfd_create("sinew", MFD_CLOEXEC | MFD_ALLOW_SEALING); }

static bool seal(int file) {
  return fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
}
#else
static int make(void) {
  const char *folder = getenv("TMPDIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/sinew-XXXXXX", folder ? folder : "/tmp");
  int file = mkstemp(path);
  if (file >= 0) unlink(path);
  if (file >= 0) fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}

static bool seal(int file) {
  (void)file;
  return true;
}
#endif

int sealed_copy(const void *bytes, size_t size) {
  int file = make();
  if (file < 0) return -1;
  if (write_all(file, bytes, size) && seal(file)) return file;
  close(file);
  return -1;
}

#ifndef MAP_POPULATE
#define MAP_POPULATE 0 /* Linux: all pages at once */
#endif

unsigned char *sealed_map(int file, size_t size) {
  void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  return bytes == MAP_FAILED ? NULL : bytes;
}

void sealed_unmap(unsigned char *bytes, size_t size) { munmap(bytes, size); }
