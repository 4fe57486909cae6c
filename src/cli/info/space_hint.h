/* space_hint – does a character's size or the way it lies say that its file has another unit, or another axis up, than
 * it is read with? */
#ifndef SINEW_CLI_SPACE_HINT_H
#define SINEW_CLI_SPACE_HINT_H

#include <sinew/sinew.h>

enum { SPACE_HINT = 256 }; /* bytes that are enough */

/* What the option `unit` should be, or 0 where the size is one of a character, or of something else. `text` gets a
 * sentence: "It is 176 m high, which is large for a character. Is its file in centimetres?" */
double space_hint_unit(const sinew_model *model, char text[SPACE_HINT]);
/* What the option `up` should be, or NULL where the head is above the feet or there is neither. */
const char *space_hint_up(const sinew_model *model, char text[SPACE_HINT]);

#endif
