#include "cli/bench_process.h"

#include "base/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Without a picture to make, a run without a window draws nothing. */
static void run_child(const char *scene, int frames, const char *picture) {
  char count[16];
  snprintf(count, sizeof count, "%d", frames);
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int i = 0; i < 3; i++) dup2(nowhere, i);
  execl("/proc/self/exe", "sinew", "run", scene, "--headless", "--frames", count, "--capture", picture, (char *)NULL);
  _exit(127);
}

bool bench_run_scene(const char *scene, int frames, bench_process *result) {
  char picture[] = "/tmp/sinew-bench-XXXXXX.png";
  int file = mkstemps(picture, 4), status = 0;
  if (file < 0) return false;
  close(file);
  double begin = clock_seconds();
  pid_t child = fork();
  if (child == 0) run_child(scene, frames, picture);
  struct rusage usage;
  bool ran = child > 0 && wait4(child, &status, 0, &usage) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  result->seconds = clock_seconds() - begin;
  remove(picture);
  if (!ran) return false;
  result->megabytes = (double)usage.ru_maxrss * 1024e-6; /* Linux counts in KiB */
  return true;
}
