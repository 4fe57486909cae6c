/* name_list – "a, b, c, d, …": a few names for a message, and their number. */
#ifndef SINEW_IMPORT_NAME_LIST_H
#define SINEW_IMPORT_NAME_LIST_H

typedef struct name_list {
  int count;
  char text[256];
} name_list;

/* Adds a name, or two joined by " → " if `to` is not NULL. */
void name_list_add(name_list *list, const char *name, const char *to);

#endif
