/* keys – the list of Sinew's own keys, as ? shows it. */
#ifndef SINEW_HOST_KEYS_H
#define SINEW_HOST_KEYS_H

#include "host/ui/ui.h"

typedef enum key_page { KEYS_EVERYWHERE, KEYS_LOOKING_BACK, KEY_PAGE_COUNT } key_page;

/* One line of it. */
typedef struct key_line {
  const char *label; /* as printed on a keyboard */
  const char *what;
  const char *keys; /* the keys to press, by their names in sinew_key_name: "f9 escape", "shift+g"; "" for the mouse */
} key_line;

/* NULL past the last. */
const key_line *keys_line(key_page page, int index);
/* Draws the list in the middle of the area, over everything but error messages. */
void keys_draw(ui *u, const float area[4]);

#endif
