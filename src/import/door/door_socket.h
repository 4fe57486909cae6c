/* door_socket – a door whose other side is another process: a child that may open nothing asks its parent for files,
 * and gets descriptors of sealed copies. POSIX only (process_can_serve). */
#ifndef SINEW_IMPORT_DOOR_SOCKET_H
#define SINEW_IMPORT_DOOR_SOCKET_H

#include "import/door/door.h"

/* The files that may be asked for by number, and the number of questions after which none is answered. */
enum { DOOR_MOST_QUESTIONS = 8192 };
typedef struct door_mains {
  const char *const *paths; /* count; the model's own first */
  int count;
} door_mains;

/* ---- the child ---- */

typedef struct socket_door {
  file_door door;
  int socket;
  door_mains mains; /* as the parent has them */
} socket_door;

socket_door socket_door_open(int socket, door_mains mains);

/* ---- the parent ---- */

typedef struct door_service {
  file_door *door; /* who answers */
  door_mains mains;
} door_service;

/* process_def.serve, with a door_service. Nothing that the child sends is trusted: it chooses one of the main files by
 * its number and a name of at most DOOR_NAME bytes, and whatever else it sends ends the service. */
void door_serve(void *service, int socket);

#endif
