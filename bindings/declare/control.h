/* control – a field as a control of the inspector, and its value as Lua. */
#ifndef SINEW_BINDINGS_CONTROL_H
#define SINEW_BINDINGS_CONTROL_H

#include "declare/declarations.h"

/* Name, type, range, words and value. */
void control_show(const declarations *all, const store_kind *k, const store_field *f, const void *values,
                  sinew_control *out);
/* Gives the values what a control of the field says. */
void control_take(const declarations *all, const store_field *f, const float from[3], void *values);
/* The value as a scene would write it; "" where one value cannot say it. Clips are those of the model. */
void control_lua(const store_field *f, const void *values, const sinew_model *model, char *out, size_t size);

#endif
