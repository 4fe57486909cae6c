/* leftovers – temporary files (file_name_beside) of runs that were killed. The next run that writes in their folder
 * removes them. */
#ifndef SINEW_BASE_LEFTOVERS_H
#define SINEW_BASE_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

/* The beginning of a temporary file's name, which tells its process, and the inverse: false for other names. */
int leftover_name(char *out, size_t size, const char *file);
bool leftover_owner(const char *name, long *process);

/* Removes those of processes that are gone from the folder; once in a row for the same folder. */
void leftovers_remove(const char *folder);

#endif
