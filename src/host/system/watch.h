/* watch – files that an editor saves. Folders are watched, not files: an editor that saves by renaming puts a new file
 * in the old one's place. The only file with libuv is watch.c. */
#ifndef SINEW_HOST_WATCH_H
#define SINEW_HOST_WATCH_H

#include <sinew/base.h>

typedef struct watch watch;

/* Called from watch_poll. `exists`: the file has other content, which came whole, by a rename, or has not changed for
 * 20 ms; a file that never stops changing is reported no later than 150 ms after its first change was seen, as long as
 * polls are closer than that. Otherwise it has been gone for half a second. */
typedef void watch_function(void *user, const char *path, bool exists);

watch *watch_create(sinew_error *error);
void watch_destroy(watch *w); /* NULL is allowed */

/* Watches a file; it need not exist yet, its folder must. Watching one twice is fine. Of a folder the content is which
 * files are in it. */
bool watch_add(watch *w, const char *path, sinew_error *error);
void watch_clear(watch *w);

/* Looks for changes without waiting. `function` may add and clear. */
void watch_poll(watch *w, watch_function *function, void *user);

#endif
