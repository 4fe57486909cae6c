/* modifier – the modifiers that scripts declare: tables made by the functions of sinew. */
#ifndef SINEW_BINDINGS_MODIFIER_H
#define SINEW_BINDINGS_MODIFIER_H

#include "core/api.h"

/* Definitions under construction, in a userdata. A table on the stack keeps what they point to alive. */
typedef struct modifier_reader {
  const actor_record *record;
  const sinew_model *model;
  sinew_mat3x4 *rest; /* of every joint, in model space */
  float metre;        /* sinew_model_metre */
  int keep;           /* stack index of that table */
  int functions;      /* stack index of the functions by name */
  modifier_values items[DECLARED_MODIFIERS];
  int count;
} modifier_reader;

bool modifier_is(lua_State *L, int index);
/* Reads the list at `index`. Raises an error if it is not valid. */
void modifiers_read(lua_State *L, int index, modifier_reader *reader);
/* A point, or { actor, "joint" }. Raises for anything else; `what` names it. */
void modifier_target_read(lua_State *L, int index, sinew_vec3 *point, modifier_target *target, const char *what);

#endif
