/* A page cannot start programs. */
#include "host/system/child.h"

#include "base/error.h"

bool child_exists(const char *program) { return (void)program, false; }

bool child_start(const char *const *words, sinew_error *error) {
  return error_set(error, "%s cannot be started from a web page", words[0]);
}

child *child_feed(const char *const *words, sinew_error *error) { return child_start(words, error), NULL; }
bool child_write(child *c, const void *data, size_t size) { return (void)c, (void)data, (void)size, false; }
bool child_finish(child *c) { return (void)c, false; }
