/* page_files – tells the watch of a page that one of its files changed; nothing else changes files in memory. */
#ifndef SINEW_HOST_PAGE_FILES_H
#define SINEW_HOST_PAGE_FILES_H

#include <stdbool.h>

/* Call it once the file has its new content, or after it was removed. It is reported by the next watch_poll if the
 * host watches it, and otherwise forgotten. False when memory runs out. */
bool page_file_changed(const char *path, bool exists);

#endif
