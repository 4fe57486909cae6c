/* keys – the list of Sinew's own keys, as ? shows it. */
#ifndef SINEW_HOST_KEYS_H
#define SINEW_HOST_KEYS_H

#include "host/ui/ui.h"

typedef enum key_page { KEYS_EVERYWHERE, KEYS_LOOKING_BACK, KEY_PAGE_COUNT } key_page;

/* One line of it. */
typedef struct key_line {
  const char *label; /* as it stands on a keyboard */
  const char *what;
  const char *keys; /* what is pressed, by the names of sinew_key_name: "f9 escape", "shift+g"; "" for the mouse */
} key_line;

/* NULL past the last. */
const key_line *keys_line(key_page page, int index);
/* All of it in the middle of the area; over everything but problems. */
void keys_draw(ui *u, const float area[4]);

#endif
