#include <lauxlib.h>
#include <sinew/actor.h>
#include "base/error.h" /* breach: private */
