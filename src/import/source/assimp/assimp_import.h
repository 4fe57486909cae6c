/* assimp_import – reads a file with Assimp into a raw_model. Nothing of Assimp is alive afterwards. */
#ifndef SINEW_IMPORT_ASSIMP_IMPORT_H
#define SINEW_IMPORT_ASSIMP_IMPORT_H

#include "import/raw/raw.h"
#include "import/source/files.h"

/* NULL, or the sentence why a file of that name cannot be read at all. Formatted into `error`. */
bool assimp_reads(const char *path, sinew_error *error);

/* Fills nodes, clips, meshes, materials and images. `clips_only` leaves the last three out. False and an error message
 * where Assimp refuses the file or memory runs out. */
bool assimp_import(raw_model *raw, const import_files *files, bool clips_only);

/* From here on nothing of Assimp is freed: for a program that imports one file and leaves by _exit. What Assimp has
 * broken then breaks nothing more. */
void assimp_never_release(void);

#endif
