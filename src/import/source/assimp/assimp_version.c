#include "import/source/assimp/assimp_version.h"

#include <assimp/version.h>

#include <stdio.h>

void assimp_version(char *out, size_t size) {
  snprintf(out, size, "%u.%u.%u rev %x", aiGetVersionMajor(), aiGetVersionMinor(), aiGetVersionPatch(),
           aiGetVersionRevision());
}
