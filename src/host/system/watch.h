/* watch – notices files that an editor saves. It watches folders, not files: an editor that saves by renaming puts a
 * new file in the old one's place. Only watch.c uses libuv. */
#ifndef SINEW_HOST_WATCH_H
#define SINEW_HOST_WATCH_H

#include <sinew/base.h>

typedef struct watch watch;

/* Called from watch_poll. `exists`: the file has new content, which is complete: it arrived by a rename, or has not
 * changed for 20 ms. A file that keeps changing is reported 150 ms after its first change at the latest, if polls are
 * frequent enough. Otherwise the file has been gone for half a second. */
typedef void watch_function(void *user, const char *path, bool exists);

watch *watch_create(sinew_error *error);
void watch_destroy(watch *w); /* NULL is allowed */

/* Watches a file, which need not exist yet, unlike its folder. Watching one twice is allowed. The content of a folder
 * is its list of files. */
bool watch_add(watch *w, const char *path, sinew_error *error);
void watch_clear(watch *w);

/* Looks for changes without waiting. `function` may add and clear. */
void watch_poll(watch *w, watch_function *function, void *user);

#endif
