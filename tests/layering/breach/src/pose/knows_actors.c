#include <sinew/actor.h> /* breach: a public header of a floor above */
