#include "bench/bench_process.h"

#include "base/clock.h"
#include "base/process/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifndef _WIN32
#include <sys/resource.h>
#include <sys/wait.h>
#endif

int bench_make_file(char path[BENCH_PATH], const char *extension) {
  const char *folder = getenv("TMPDIR");
#ifdef _WIN32
  folder = getenv("TEMP");
#endif
  int length = snprintf(path, BENCH_PATH, "%s/sinew-bench-XXXXXX%s", folder ? folder : "/tmp", extension);
  return length < BENCH_PATH ? mkstemps(path, (int)strlen(extension)) : -1;
}

#ifdef __APPLE__
static const double of_maxrss = 1e-6; /* in bytes; Linux counts in KiB */
#elif !defined(_WIN32)
static const double of_maxrss = 1024e-6;
#endif

/* A run without a window only draws if it has to make a picture. */
static bool run(const char *const *words, double *megabytes) {
#ifdef _WIN32
  process_def def = process_def_default();
  def.arguments = words;
  process *child = process_start(&def, NULL);
  while (child && !process_wait(child, 60)) {
  }
  bool ran = child && process_status(child) == 0;
  process_destroy(child);
  *megabytes = 0;
  return ran;
#else
  struct rusage usage;
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < 3; i++) dup2(nowhere, i);
    execv(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
  }
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return false;
  *megabytes = (double)usage.ru_maxrss * of_maxrss;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
#endif
}

bool bench_find_sinew(char path[BENCH_PATH]) {
  static const char own[] = "-dev";
  char *end = self_program(path, BENCH_PATH) ? strstr(strrchr(path, '/'), own) : NULL;
  if (end) memmove(end, end + strlen(own), strlen(end + strlen(own)) + 1);
  return end != NULL;
}

bool bench_run_scene(const char *scene, int frames, bench_process *result) {
  char program[BENCH_PATH], picture[BENCH_PATH], count[16];
  int file = bench_find_sinew(program) ? bench_make_file(picture, ".png") : -1;
  if (file < 0) return false;
  close(file);
  snprintf(count, sizeof count, "%d", frames);
  const char *const words[] = {program, "run", scene, "--headless", "--frames", count, "--capture", picture, NULL};
  double begin = clock_seconds();
  bool ran = run(words, &result->megabytes);
  result->seconds = clock_seconds() - begin;
  remove(picture);
  return ran;
}
