/* door_caller – files that a program brings itself: bytes in memory for the model, its own functions for the rest. */
#ifndef SINEW_IMPORT_DOOR_CALLER_H
#define SINEW_IMPORT_DOOR_CALLER_H

#include "import/door/door.h"

typedef struct caller_door {
  file_door door;
  sinew_file_reader reader; /* `read` may be NULL: there is nothing but `own` */
  const char *path;         /* of the model */
  file_bytes own;           /* its bytes, once they are there */
} caller_door;

/* The model's bytes are copied from `bytes`, or read where that is NULL. `path` must outlive the door. False and a
 * sentence: the reader has no such file, it is too large, or memory runs out. */
bool caller_door_open(caller_door *door, const char *path, const sinew_file_bytes *bytes,
                      const sinew_file_reader *reader, sinew_error *error);
void caller_door_close(caller_door *door);

#endif
