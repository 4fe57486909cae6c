/* self – where this code lies: beside it are the programs and files that it was installed with. */
#ifndef SINEW_BASE_SELF_H
#define SINEW_BASE_SELF_H

#include <stdbool.h>
#include <stddef.h>

/* The running executable. */
bool self_program(char *path, size_t size);
/* The shared library that this code is part of; false where it is part of the executable. */
bool self_library(char *path, size_t size);

#endif
