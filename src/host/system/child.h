/* child – programs of the user that the host starts: one that reads data (ffmpeg), and one that runs on its own (an
 * editor). They are found in the folders of PATH, and inherit the host's environment. */
#ifndef SINEW_HOST_CHILD_H
#define SINEW_HOST_CHILD_H

#include <sinew/base.h>

/* True if there is such a program, given a path or a name in a folder of PATH. */
bool child_exists(const char *program);

/* Starts it and forgets it. `words` end with NULL. */
bool child_start(const char *const *words, sinew_error *error);

typedef struct child child;

/* Starts it with a pipe for its standard input. NULL and an error message if it cannot be started. */
child *child_feed(const char *const *words, sinew_error *error);
/* Writes all of the data; false if the program stops reading. */
bool child_write(child *c, const void *data, size_t size);
/* Closes its input and waits; true if its status is 0. */
bool child_finish(child *c);

#endif
