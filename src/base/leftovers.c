#include "base/leftovers.h"

#include "base/file.h"
#include "base/system.h"

#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char begin[] = ".part-";

int leftover_name(char *out, size_t size, const char *file) {
  static atomic_uint count;
  return snprintf(out, size, "%s%ld-%u-%s", begin, (long)getpid(), atomic_fetch_add(&count, 1), file);
}

/* Digits and a '-'. */
static bool take_number(const char **at, long *number) {
  char *end;
  if (!isdigit((unsigned char)**at)) return false;
  *number = strtol(*at, &end, 10);
  *at = end + 1;
  return *end == '-';
}

bool leftover_owner(const char *name, long *process) {
  long count;
  const char *at = name + sizeof begin - 1;
  return strncmp(name, begin, sizeof begin - 1) == 0 && take_number(&at, process) && take_number(&at, &count) && *at;
}

static void remove_from(const char *folder) {
  char path[4096];
  long owner;
  DIR *files = opendir(folder);
  for (const struct dirent *one; files && (one = readdir(files));)
    if (leftover_owner(one->d_name, &owner) && path_join(path, sizeof path, folder, one->d_name))
      system_remove_left(path, owner);
  if (files) closedir(files);
}

void leftovers_remove(const char *folder) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static char last[4096];
  pthread_mutex_lock(&mutex);
  bool again = strcmp(last, folder) == 0;
  if (!again) snprintf(last, sizeof last, "%s", folder);
  pthread_mutex_unlock(&mutex);
  if (!again) remove_from(folder);
}
