#include <cglm/cglm.h> /* breach: a type of a library */
#include <stdint.h>
