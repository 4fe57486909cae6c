/* control – a field as a control of the inspector, and its value as Lua. */
#ifndef SINEW_BINDINGS_CONTROL_H
#define SINEW_BINDINGS_CONTROL_H

#include "declare/declarations.h"

/* Fills in name, type, range, words and value. */
void control_show(const declarations *all, const store_kind *k, const store_field *f, const void *values,
                  sinew_control *out);
/* Sets the field from the numbers of its control. */
void control_take(const declarations *all, const store_field *f, const float from[3], void *values);
/* The value as Lua; "" if a single value cannot express it. `model` names the clips. */
void control_lua(const store_field *f, const void *values, const sinew_model *model, char *out, size_t size);

#endif
