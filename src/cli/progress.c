/* progress – lines on the terminal: while pictures are rendered, and at the end of a run. */
#include "base/clock.h"
#include "base/text.h"
#include "cli/cli.h"

#include <stdio.h>
#include <unistd.h>

typedef struct meter {
  double begun, shown;
} meter;

static void print(meter *m, int64_t done, int64_t total, double now) {
  double each = (now - m->begun) / (double)done;
  m->shown = now;
  if (total > 0)
    text_print(stderr, "\rframe %lld of %lld, %.0f s left   ", (long long)done, (long long)total,
               each * (double)(total - done));
  else fprintf(stderr, "\rframe %lld   ", (long long)done);
  if (done == total) fputc('\n', stderr);
}

static void on_progress(void *user, int64_t done, int64_t total) {
  meter *m = user;
  double now = clock_seconds();
  if (m->begun == 0) m->begun = now;
  if (now - m->shown >= 0.2 || done == total) print(m, done, total, now);
}

void cli_show_progress(sinew_host_def *def) {
  static meter one;
  if (!def->capture || !isatty(STDERR_FILENO)) return;
  def->progress = on_progress;
  def->progress_user = &one;
}

void cli_tell_end(const sinew_host *host, const char *what, double seconds) {
  if (sinew_host_output(host) == SINEW_OUTPUT_WINDOW || !isatty(STDOUT_FILENO)) return;
  text_show(stdout, "%s: %lld frames, %.1f s of the scene, in %.1f s\n", what, (long long)sinew_host_frame(host),
            sinew_host_time(host), seconds);
}
