#include <stdint.h>
#include <cglm/cglm.h> /* breach: a type of a library */
