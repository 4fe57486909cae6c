/* vfs_caller – files that the calling program provides: bytes in memory for the model, its own functions for the rest.
 */
#ifndef SINEW_IMPORT_VFS_CALLER_H
#define SINEW_IMPORT_VFS_CALLER_H

#include "import/vfs/vfs.h"

typedef struct caller_vfs {
  vfs fs;
  sinew_file_reader reader; /* `read` may be NULL: then there is only `own` */
  const char *path;         /* of the model */
  file_bytes own;           /* its bytes, once they have been read */
} caller_vfs;

/* Copies the model's bytes from `bytes`, or reads them if that is NULL. `path` must outlive it. False and an error
 * message if the reader has no such file, it is too large, or memory runs out. */
bool caller_vfs_open(caller_vfs *fs, const char *path, const sinew_file_bytes *bytes, const sinew_file_reader *reader,
                     sinew_error *error);
void caller_vfs_close(caller_vfs *fs);

#endif
