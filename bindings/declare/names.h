/* names – finds a record by its name, however many there are: a hash table of the records' own texts. */
#ifndef SINEW_BINDINGS_NAMES_H
#define SINEW_BINDINGS_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct declarations;

/* One place of the table: free without a name. */
typedef struct name_position {
  uint64_t hash;
  const char *name;
  void *record;
} name_position;

typedef struct name_table {
  name_position *positions;
  int count, capacity; /* capacity: 0, or a power of two and at least twice the count */
} name_table;

/* A record whose name is not there yet. The text must stay where it is and as it is until the record is removed. False:
 * no memory. */
bool names_add(struct declarations *all, name_table *names, const char *name, void *record);
void *names_find(const name_table *names, const char *name); /* or NULL */
void names_remove(name_table *names, const char *name);      /* does nothing where it is not there */
void names_clear(struct declarations *all, name_table *names);

#endif
