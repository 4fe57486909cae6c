/* vfs – the virtual file system of an import: the disk, the caller of sinew_load, or the program that started this one.
 * An importer names a file and gets its bytes; it never opens anything itself. The rules for names are in this one
 * place: the main files (the model and its clip files) are those that the caller named; every other file must be in the
 * folder of the main file that names it, or below, and have an extension that some model format uses. */
#ifndef SINEW_IMPORT_VFS_H
#define SINEW_IMPORT_VFS_H

#include "import/cache/cache_sources.h"

#include <stdatomic.h>

static const size_t vfs_file_limit = (size_t)1 << 30; /* bytes of one file */
enum { VFS_HEAD = 4096 };                             /* its first bytes */

/* `data` is followed by a zero byte that `size` does not count. The reader releases it. */
typedef struct file_bytes {
  unsigned char *data;
  size_t size;
} file_bytes;

/* The first member of each implementation. One thread at a time may use one. */
typedef struct vfs vfs;
struct vfs {
  /* Reads the main file itself if `name` is NULL; else the file that `main` calls `name`, in any spelling
   * ("C:\\work\\tex\\skin.png", "../skin.png", "skin%20two.png"). False if there is none; for a main file with an error
   * message: missing, a folder, not readable, too large. `error` may be NULL. */
  bool (*read)(vfs *fs, const char *main, const char *name, file_bytes *found, sinew_error *error);
  /* The first VFS_HEAD bytes of the main file, or all of a smaller one. */
  bool (*read_head)(vfs *fs, const char *main, file_bytes *found, sinew_error *error);
  void (*release)(file_bytes *bytes); /* also clears them; does nothing for cleared ones */
};

void file_bytes_free(file_bytes *bytes); /* the `release` for bytes on the heap */

/* ---- the disk ---- */

typedef struct disk_vfs {
  vfs fs;
  source_list *sources; /* records every file that is opened or looked for; or NULL */
} disk_vfs;

disk_vfs disk_vfs_open(source_list *sources);

/* The path on the disk of a file that `main` names; records the attempt. False if there is none. */
bool disk_vfs_find(const disk_vfs *fs, const char *main, const char *name, char *path, size_t size);

/* ---- names ---- */

enum { VFS_NAME = 1024, VFS_CANDIDATES = 3 };

/* The possible paths of a file called `name`, relative to the folder of the main file, best first: the name itself,
 * then its last part beside the main file and in textures/. Backslashes count as slashes and %20 as a space. False for
 * a name that is empty or too long, has no extension, or one that no model format uses. */
bool vfs_candidates(const char *name, char candidates[VFS_CANDIDATES][VFS_NAME]);

/* Whether it is a model or a file of clips, by its extension. */
bool vfs_is_model(const char *name);

/* ---- files that the calling program provides ---- */

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

/* Files from another process: a child that may not open files asks its parent for them, and gets descriptors of sealed
 * copies. POSIX only (process_can_serve). */

/* The number of files that can be requested by number, and of requests after which none is answered. */
enum { VFS_MOST_REQUESTS = 8192 };
typedef struct vfs_mains {
  const char *const *paths; /* the model's own first */
  int count;
} vfs_mains;

/* ---- the child ---- */

typedef struct socket_vfs {
  vfs fs;
  int socket;
  vfs_mains mains; /* as the parent has them */
} socket_vfs;

socket_vfs socket_vfs_open(int socket, vfs_mains mains);

/* ---- the parent ---- */

typedef struct vfs_server {
  vfs *fs; /* the answering side */
  vfs_mains mains;
  atomic_bool at_work; /* while it reads for the child */
} vfs_server;

/* process_def.serve, with a vfs_server. Nothing that the child sends is trusted: it can choose one of the main files by
 * number and a name of at most VFS_NAME bytes; anything else ends the service. */
void vfs_serve(void *service, int socket);

#endif
