#include "import/vfs/vfs.h"

#include "base/file.h"
#include "base/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* Compares resolved paths, so that neither ".." nor a link leads out. */
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

bool disk_vfs_find(const disk_vfs *fs, const char *main, const char *name, char *path, size_t size) {
  char folder[4096], candidates[VFS_CANDIDATES][VFS_NAME];
  if (!path_folder(folder, sizeof folder, main) || !vfs_candidates(name, candidates)) return false;
  for (int i = 0; i < VFS_CANDIDATES; i++)
    if (path_join(path, size, folder, candidates[i]) && source_exists(fs->sources, path) && is_inside(folder, path))
      return true;
  return false;
}

void file_bytes_free(file_bytes *bytes) {
  mem_free(bytes->data);
  *bytes = (file_bytes){0};
}

static bool read_disk(vfs *base, const char *main, const char *name, file_bytes *found, sinew_error *error) {
  const disk_vfs *fs = (const disk_vfs *)base;
  char path[4096];
  if (name && !disk_vfs_find(fs, main, name, path, sizeof path)) return false;
  found->data = source_read(fs->sources, name ? path : main, vfs_file_limit, &found->size, error);
  return found->data != NULL;
}

static bool read_disk_head(vfs *fs, const char *main, file_bytes *found, sinew_error *error) {
  (void)fs;
  found->data = file_read_head(main, vfs_file_limit, VFS_HEAD, &found->size, error);
  return found->data != NULL;
}

disk_vfs disk_vfs_open(source_list *sources) {
  return (disk_vfs){{read_disk, read_disk_head, file_bytes_free}, sources};
}
