/* On Windows there is no socket to a child (process_can_serve); it opens its files itself. */
#include "import/vfs/vfs.h"

static bool read_nothing(vfs *fs, const char *main, const char *name, file_bytes *found, sinew_error *error) {
  (void)fs, (void)main, (void)name, (void)found, (void)error;
  return false;
}

static bool read_no_head(vfs *fs, const char *main, file_bytes *found, sinew_error *error) {
  return read_nothing(fs, main, NULL, found, error);
}

socket_vfs socket_vfs_open(int socket, vfs_mains mains) {
  return (socket_vfs){{read_nothing, read_no_head, file_bytes_free}, socket, mains};
}

void vfs_serve(void *service, int socket) { (void)service, (void)socket; }
