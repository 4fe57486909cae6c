/* pose_object – a pose as scripts hold it: a value of their own, or an actor's while the function of a modifier runs.
 */
#ifndef SINEW_BINDINGS_POSE_OBJECT_H
#define SINEW_BINDINGS_POSE_OBJECT_H

#include "core/api.h"

typedef struct pose_object {
  sinew_posed posed; /* model NULL: it was an actor's, and that call is over */
} pose_object;

/* Raises where it is over. */
pose_object *pose_check(lua_State *L, int index);
/* A value in the model's rest pose; its model space is not settled yet. */
const sinew_posed *pose_push_new(lua_State *L, const sinew_model *model);
/* After a change of the joint (0: of all). */
void pose_settle(const sinew_posed *posed, int joint);

#endif
