/* self – finds the folder of this program or library, which contains the programs and files installed with it. */
#ifndef SINEW_BASE_SELF_H
#define SINEW_BASE_SELF_H

#include <stdbool.h>
#include <stddef.h>

/* The running executable. */
bool self_program(char *path, size_t size);
/* The shared library that contains this code; false if it is part of the executable. */
bool self_library(char *path, size_t size);

#endif
