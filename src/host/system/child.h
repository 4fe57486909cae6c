/* child – programs of the user's own that the host starts: one that is fed (ffmpeg), one that is let go (an editor).
 * They are found in the folders of PATH, and see what the host sees. */
#ifndef SINEW_HOST_CHILD_H
#define SINEW_HOST_CHILD_H

#include <sinew/base.h>

/* Whether there is such a program: a path, or a name in a folder of PATH. */
bool child_exists(const char *program);

/* Starts it and forgets it. `words` end with NULL. */
bool child_start(const char *const *words, sinew_error *error);

typedef struct child child;

/* Starts it with a pipe for its standard input. NULL and an error message where it cannot be started. */
child *child_feed(const char *const *words, sinew_error *error);
/* All of it; false where the program takes no more. */
bool child_write(child *c, const void *data, size_t size);
/* Ends its input and waits; true where its status is 0. */
bool child_finish(child *c);

#endif
