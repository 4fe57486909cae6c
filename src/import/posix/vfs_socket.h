/* sealed – bytes behind a descriptor without a name on any disk. */
#ifndef SINEW_IMPORT_VFS_SOCKET_H
#define SINEW_IMPORT_VFS_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the messages between a child and its parent, in the machine's byte order ---- */

/* `name_size` bytes of the name follow, without a zero; 0 asks for the main file itself, or for its head. */
typedef struct vfs_request {
  uint32_t main;
  uint16_t name_size, head;
} vfs_request;

/* With a descriptor if the file was found; else an error message of `sentence_size` bytes follows. */
typedef struct vfs_reply {
  uint32_t found, sentence_size;
  uint64_t size;
} vfs_reply;

/* All bytes or false. */
bool message_send(int socket, const void *bytes, size_t size);
bool message_receive(int socket, void *bytes, size_t size);
bool message_receive_with(int socket, void *bytes, size_t size, int *descriptor);

#endif
