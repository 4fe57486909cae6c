#include <sinew/actor.h>
