/* vfs_socket – files from another process: a child that may not open files asks its parent for them, and gets
 * descriptors of sealed copies. POSIX only (process_can_serve). */
#ifndef SINEW_IMPORT_VFS_SOCKET_H
#define SINEW_IMPORT_VFS_SOCKET_H

#include "import/vfs/vfs.h"

#include <stdatomic.h>

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
