#include "base/error.h" /* breach: private */
#include <lauxlib.h>
#include <sinew/actor.h>
