#include <sinew/base.h>

#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

/* Created once and kept; if two threads create it at once, one copy is leaked. */
static locale_t c_locale(void) {
  static _Atomic(locale_t) made;
  if (!made) made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return made;
}

void *sinew_enter_c_locale(void) { return (void *)uselocale(c_locale()); }
void sinew_leave_c_locale(void *before) { uselocale((locale_t)before); }
