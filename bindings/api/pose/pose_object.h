/* pose_object – a pose as scripts hold it: a value that the script owns, or an actor's pose while a modifier's function
 * runs. */
#ifndef SINEW_BINDINGS_POSE_OBJECT_H
#define SINEW_BINDINGS_POSE_OBJECT_H

#include "core/api.h"

typedef struct pose_object {
  sinew_posed posed;   /* model NULL: an actor's pose whose call is over */
  sinew_model **model; /* of the object that keeps the model, which a value keeps; NULL: an actor's pose */
} pose_object;

/* Raises where it is over. */
pose_object *pose_check(lua_State *L, int index);
/* A value in the model's rest pose; its model space is not computed yet. */
const sinew_posed *pose_push_new(lua_State *L, const sinew_model *model);
/* Updates model space after a change of the joint (0: of all). */
void pose_settle(const sinew_posed *posed, int joint);

#endif
