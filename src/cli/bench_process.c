#include "cli/bench_process.h"

#include "base/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_child(const char *scene, int frames) {
  char count[16];
  snprintf(count, sizeof count, "%d", frames);
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int i = 0; i < 3; i++) dup2(nowhere, i);
  execl("/proc/self/exe", "sinew", "run", scene, "--headless", "--frames", count, (char *)NULL);
  _exit(127);
}

bool bench_run_scene(const char *scene, int frames, bench_process *result) {
  double begin = clock_seconds();
  pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) run_child(scene, frames);
  int status = 0;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status)) return false;
  result->seconds = clock_seconds() - begin;
  result->megabytes = (double)usage.ru_maxrss * 1024e-6; /* Linux counts in KiB */
  return true;
}
