/* There is no socket to a child here (process_can_serve); it opens its files itself. */
#include "import/door/door_socket.h"

static bool read_nothing(file_door *door, const char *main, const char *name, file_bytes *found, sinew_error *error) {
  (void)door, (void)main, (void)name, (void)found, (void)error;
  return false;
}

socket_door socket_door_open(int socket, door_mains mains) {
  return (socket_door){{read_nothing, file_bytes_free}, socket, mains};
}

void door_serve(void *service, int socket) { (void)service, (void)socket; }
