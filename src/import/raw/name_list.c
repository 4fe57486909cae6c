#include "import/raw/name_list.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 4 };

void name_list_add(name_list *list, const char *name, const char *to) {
  char *end = list->text + strlen(list->text);
  size_t room = sizeof list->text - (size_t)(end - list->text);
  int before = list->count++;
  const char *comma = before ? ", " : "";
  if (before > SHOWN) return;
  if (before == SHOWN) snprintf(end, room, ", …");
  else if (to) snprintf(end, room, "%s%.24s → %.24s", comma, name, to);
  else snprintf(end, room, "%s%.40s", comma, name);
}
