/* layout – keeps the sizes of the regions from one run to the next. */
#ifndef SINEW_HOST_LAYOUT_H
#define SINEW_HOST_LAYOUT_H

#include "host/ui/ui.h"

enum { LAYOUT_TEXT = 128 };

/* "left 240\nright 300\nbottom 200\n" */
void layout_write(const ui *u, char out[LAYOUT_TEXT]);
/* Reads what it understands; other regions keep their size. */
void layout_read(ui *u, const char *text);

/* For a window, reads the file `panels` in the cache's folder. A replay has the sizes of its recording, because panels
 * take clicks away from the application. */
void layout_load(sinew_host *host);
void layout_save(sinew_host *host);

#endif
