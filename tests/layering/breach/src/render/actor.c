#include "actor/actor.h" /* breach: not below render */
