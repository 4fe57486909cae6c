/* Gives the thread its own locale (permanently), and restores the old one by name. */
#include <sinew/base.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>

void *sinew_enter_c_locale(void) {
  _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
  const char *now = setlocale(LC_ALL, NULL);
  if (!now || strcmp(now, "C") == 0) return NULL;
  char *before = _strdup(now);
  if (before) setlocale(LC_ALL, "C");
  return before;
}

void sinew_leave_c_locale(void *before) {
  if (before) setlocale(LC_ALL, before);
  free(before);
}
