/* find_files – finds the model files that match a pattern, by the rules of sinew_find_files. */
#ifndef SINEW_IMPORT_FIND_FILES_H
#define SINEW_IMPORT_FIND_FILES_H

#include <sinew/model.h>

typedef struct file_list {
  char **paths;
  int count, capacity;
} file_list;

/* `found` must be empty. When memory runs out or too many files match, returns false and leaves it empty. */
bool files_find(const char *pattern, file_list *found);
void file_list_reset(file_list *list);

bool path_is_pattern(const char *path);

#endif
