/* assimp_version – which Assimp is running: what it reads differs between versions. */
#ifndef SINEW_IMPORT_ASSIMP_VERSION_H
#define SINEW_IMPORT_ASSIMP_VERSION_H

#include <stddef.h>

/* "5.2.4 rev 9519a62d" */
void assimp_version(char *out, size_t size);

#endif
