/* door_parcel – what goes over the socket between a child and its parent, in memory's own order. */
#ifndef SINEW_IMPORT_DOOR_PARCEL_H
#define SINEW_IMPORT_DOOR_PARCEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `name_size` bytes of the name follow, without a zero; 0 asks for the main file itself. */
typedef struct door_question {
  uint32_t main, name_size;
} door_question;

/* With a descriptor where the file was found; else `sentence_size` bytes of a sentence follow. */
typedef struct door_reply {
  uint32_t found, sentence_size;
  uint64_t size;
} door_reply;

/* All bytes or false. */
bool parcel_send(int socket, const void *bytes, size_t size);
bool parcel_receive(int socket, void *bytes, size_t size);

/* The first bytes that go with a descriptor; -1 sends none, and *descriptor is -1 where none came. */
bool parcel_send_with(int socket, const void *bytes, size_t size, int descriptor);
bool parcel_receive_with(int socket, void *bytes, size_t size, int *descriptor);

#endif
