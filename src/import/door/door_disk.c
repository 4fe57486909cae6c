#include "import/door/door.h"

#include "base/file.h"
#include "base/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* Both paths as the disk knows them, so that neither ".." nor a link leads out. */
static bool is_inside(const char *folder, const char *path) {
  char *real_folder = realpath(folder, NULL), *real_path = realpath(path, NULL);
  bool inside = false;
  if (real_folder && real_path) {
    size_t length = strlen(real_folder);
    bool at_root = length == 1;
    inside = strncmp(real_folder, real_path, length) == 0 && (at_root || real_path[length] == '/');
  }
  free(real_folder);
  free(real_path);
  return inside;
}

bool disk_door_find(const disk_door *door, const char *main, const char *name, char *path, size_t size) {
  char folder[4096], positions[DOOR_PLACES][DOOR_NAME];
  if (!path_folder(folder, sizeof folder, main) || !door_positions(name, positions)) return false;
  for (int i = 0; i < DOOR_PLACES; i++)
    if (path_join(path, size, folder, positions[i]) && source_exists(door->sources, path) && is_inside(folder, path))
      return true;
  return false;
}

void file_bytes_free(file_bytes *bytes) {
  mem_free(bytes->data);
  *bytes = (file_bytes){0};
}

static bool read_disk(file_door *base, const char *main, const char *name, file_bytes *found, sinew_error *error) {
  const disk_door *door = (const disk_door *)base;
  char path[4096];
  if (name && !disk_door_find(door, main, name, path, sizeof path)) return false;
  found->data = source_read(door->sources, name ? path : main, door_limit, &found->size, error);
  return found->data != NULL;
}

disk_door disk_door_open(source_list *sources) { return (disk_door){{read_disk, file_bytes_free}, sources}; }
