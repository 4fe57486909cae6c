/* level_object – a level as scripts hold it. */
#ifndef SINEW_BINDINGS_LEVEL_OBJECT_H
#define SINEW_BINDINGS_LEVEL_OBJECT_H

#include "core/api.h"

#include <sinew/level.h>

enum { LEVEL_PARTS = 4096, LEVEL_NAME = 64 };

/* Part i of the object is part i of the level. */
typedef struct level_part {
  int64_t actor; /* the id of its record */
  int hint;
  char name[LEVEL_NAME], surface[LEVEL_NAME];
} level_part;

typedef struct level_object {
  sinew_level *level;
  int64_t serial; /* no other has it */
  int count;
  char name[LEVEL_NAME];
  level_part parts[];
} level_object;

level_object *level_check(lua_State *L, int index); /* raises where it is not one */
void levels_place(lua_State *L);                    /* where the actors of all parts are */

#endif
