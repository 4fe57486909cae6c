/* space_hint – suggests another unit or up axis if a character's size or orientation is unusual. */
#ifndef SINEW_CLI_SPACE_HINT_H
#define SINEW_CLI_SPACE_HINT_H

#include <sinew/sinew.h>

enum { SPACE_HINT = 256 }; /* bytes that are enough */

/* The value that the option `unit` should have; 0 if the model has the size of a character, or is something else.
 * `text` gets a sentence: "It is 176 m high, which is large for a character. Is its file in centimetres?" */
double space_hint_unit(const sinew_model *model, char text[SPACE_HINT]);
/* The value that the option `up` should have; NULL if the head is above the feet, or one of them is missing. */
const char *space_hint_up(const sinew_model *model, char text[SPACE_HINT]);
/* The value that the option `front` should have; NULL if the character faces +z, or lies. */
const char *space_hint_front(const sinew_model *model, char text[SPACE_HINT]);

#endif
