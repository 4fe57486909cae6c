#include <assimp/cimport.h> /* breach: only bench_assimp.c includes it */
#include "base/error.h"
