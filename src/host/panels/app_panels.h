/* app_panels – the panels of the application (sinew_ui_…), whose answers are recorded. */
#ifndef SINEW_HOST_APP_PANELS_H
#define SINEW_HOST_APP_PANELS_H

#include <stdbool.h>
#include <stdint.h>

/* A tab or a tree. */
typedef struct told_open {
  uint64_t hash; /* of its label */
  int64_t frame; /* in which it came last */
  bool is_open, is_new;
} told_open;

#endif
