/* seen – what the update of a scene prints in one frame, and saves of it. */
#ifndef SINEW_TESTS_BINDINGS_SCENE_SEEN_H
#define SINEW_TESTS_BINDINGS_SCENE_SEEN_H

#include "harness.h"

/* The output of update in one frame. */
static inline const char *seen(harness *h) {
  h->printed[0] = 0;
  harness_step(h, 1);
  h->printed[strcspn(h->printed, "\n")] = 0;
  return h->printed;
}

static inline void expect_seen(harness *h, const char *text) { assert_string_equal(seen(h), text); }

static inline void save(harness *h, const char *text) {
  if (!harness_reload(h, text)) fail_msg("%s", h->error.message);
}

static inline void expect_summary(harness *h, const char *text) { harness_expect(sinew_scene_summary(h->scene), text); }

static inline void expect_silence(harness *h) { expect_summary(h, "nothing declared has changed"); }

/* A counter that begins at `from`, and a comment. */
static const char counting[] = "local count = %d -- %s\n"
                               "function sinew.update() count = count + 1; print(count) end\n";

static inline const char *counter(int from, const char *comment) {
  static char text[256];
  snprintf(text, sizeof text, counting, from, comment);
  return text;
}

#endif
