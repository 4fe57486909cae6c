/* The message about what a save changed in one thing: its fate, and which of its fields differ. */
#include "declare/declarations.h"

#include <stdarg.h>
#include <stdio.h>

enum { THING = 3 * DECLARED_NAME };

bool declarations_tells(const actor_record *record) { return record->head.declared || record->head.runtime; }

static void name_thing(char out[THING], const char *format, va_list arguments) {
  vsnprintf(out, THING, format, arguments);
}

void declarations_tell_fate(declarations *all, declaration_fate fate, const char *format, ...) {
  static const char *const words[] = {[FATE_GOES] = "is gone", [FATE_COMES] = "joins", [FATE_RETURNS] = "is back"};
  char thing[THING];
  if (fate < FATE_GOES) return;
  va_list arguments;
  va_start(arguments, format);
  name_thing(thing, format, arguments);
  va_end(arguments);
  declarations_note(all, "%s %s", thing, words[fate]);
}

bool declarations_tell_values(declarations *all, const store_kind *kind, const told_values *last,
                              const told_values *next, const char *format, ...) {
  char changes[320], thing[THING];
  if (!kind_tell(kind, last->values, last->model, next->values, next->model, changes, sizeof changes)) return false;
  va_list arguments;
  va_start(arguments, format);
  name_thing(thing, format, arguments);
  va_end(arguments);
  declarations_note(all, "%s: %s", thing, changes);
  return true;
}
