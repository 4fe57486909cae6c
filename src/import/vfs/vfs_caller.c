#include "import/vfs/vfs_caller.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory/memory.h"

#include <string.h>

static bool copy(const char *path, const sinew_file_bytes *bytes, file_bytes *found, sinew_error *error) {
  if (bytes->size > vfs_file_limit)
    return error_set(error, "%s: is %zu bytes, more than the %zu that are read", path, bytes->size, vfs_file_limit);
  found->size = bytes->size;
  found->data = mem_alloc(bytes->size + 1);
  if (!found->data) return error_memory(error, path, bytes->size + 1);
  if (bytes->size) memcpy(found->data, bytes->data, bytes->size);
  found->data[bytes->size] = 0;
  return true;
}

static bool read_file(const caller_vfs *d, const char *path, file_bytes *found, sinew_error *error) {
  sinew_file_bytes bytes = {0};
  if (!d->reader.read || !d->reader.read(d->reader.user, path, &bytes))
    return error_set(error, "%s: no such file among those that the program reads", path);
  bool copied = copy(path, &bytes, found, error);
  if (d->reader.release) d->reader.release(d->reader.user, &bytes);
  return copied;
}

/* Removes "." and ".." from a path. False if it leads out of the folder. */
static bool make_plain(char *position) {
  char *out = position;
  if (path_is_absolute(position)) return false;
  for (const char *part = position; *part;) {
    size_t length = strcspn(part, "/");
    const char *next = part + length + (part[length] == '/');
    bool up = length == 2 && memcmp(part, "..", 2) == 0, here = length == 0 || (length == 1 && *part == '.');
    if (up && out == position) return false;
    if (up)
      while (--out > position && *out != '/') {
      }
    if (!up && !here) {
      if (out > position) *out++ = '/';
      memmove(out, part, length);
      out += length;
    }
    part = next;
  }
  *out = '\0';
  return out > position;
}

static bool read_beside(const caller_vfs *d, const char *main, const char *name, file_bytes *found) {
  char folder[4096], path[4096], candidates[VFS_CANDIDATES][VFS_NAME];
  if (!path_folder(folder, sizeof folder, main) || !vfs_candidates(name, candidates)) return false;
  for (int i = 0; i < VFS_CANDIDATES; i++)
    if (make_plain(candidates[i]) && path_join(path, sizeof path, folder, candidates[i]) &&
        read_file(d, path, found, NULL))
      return true;
  return false;
}

static bool read_own(vfs *base, const char *main, const char *name, file_bytes *found, sinew_error *error) {
  const caller_vfs *d = (const caller_vfs *)base;
  if (name) return read_beside(d, main, name, found);
  if (d->own.data && strcmp(main, d->path) == 0)
    return copy(main, &(sinew_file_bytes){.data = d->own.data, .size = d->own.size}, found, error);
  return read_file(d, main, found, error);
}

/* The bytes are in memory already. */
static bool read_own_head(vfs *base, const char *main, file_bytes *found, sinew_error *error) {
  if (!read_own(base, main, NULL, found, error)) return false;
  if (found->size > VFS_HEAD) found->size = VFS_HEAD;
  return true;
}

bool caller_vfs_open(caller_vfs *fs, const char *path, const sinew_file_bytes *bytes, const sinew_file_reader *reader,
                     sinew_error *error) {
  *fs = (caller_vfs){.fs = {read_own, read_own_head, file_bytes_free}, .reader = *reader, .path = path};
  return bytes ? copy(path, bytes, &fs->own, error) : read_file(fs, path, &fs->own, error);
}

void caller_vfs_close(caller_vfs *fs) { file_bytes_free(&fs->own); }
