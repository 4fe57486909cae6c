/* find_files – model files that a pattern names: sinew_find_files has the rules. */
#ifndef SINEW_IMPORT_FIND_FILES_H
#define SINEW_IMPORT_FIND_FILES_H

#include <sinew/model.h>

typedef struct file_list {
  char **paths;
  int count, capacity;
} file_list;

/* Into an empty list. False, and the list empty, when memory runs out or too many files match. */
bool files_find(const char *pattern, file_list *found);
void file_list_reset(file_list *list);

bool path_is_pattern(const char *path);

#endif
