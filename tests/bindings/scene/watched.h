/* watched – a host without pictures that watches files, and copies of assets beside its scene. */
#ifndef SINEW_TESTS_BINDINGS_WATCHED_H
#define SINEW_TESTS_BINDINGS_WATCHED_H

#include "bindings/harness.h"

#include <time.h>

static inline void open_watched(harness *h) {
  sinew_host_def def = sinew_host_def_default();
  memset(h, 0, sizeof *h);
  def.output = SINEW_OUTPUT_NONE;
  def.watch = true;
  h->host = sinew_host_create(&def, &h->error);
  assert_non_null(h->host);
  snprintf(h->folder, sizeof h->folder, "/tmp/sinew-test-XXXXXX");
  assert_non_null(mkdtemp(h->folder));
  snprintf(h->path, sizeof h->path, "%s/scene.lua", h->folder);
}

static inline void copy_asset(const harness *h, const char *name, const char *as) {
  char command[256];
  snprintf(command, sizeof command, "cp '%s/assets/%s' '%s/%s'", SINEW_SOURCE, name, h->folder, as);
  assert_int_equal(system(command), 0);
}

static inline void pause_for(double seconds) { nanosleep(&(struct timespec){0, (long)(seconds * 1e9)}, NULL); }

#endif
