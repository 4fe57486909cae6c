/* assimp_import – reads a file with Assimp into a raw_model, and releases everything of Assimp. */
#ifndef SINEW_IMPORT_ASSIMP_IMPORT_H
#define SINEW_IMPORT_ASSIMP_IMPORT_H

#include "import/raw/raw.h"
#include "import/source/files.h"

/* NULL, or the reason why a file with that name cannot be read at all, formatted into `error`. */
bool assimp_reads(const char *path, sinew_error *error);

/* Fills in nodes, clips, meshes, materials and images. `clips_only` leaves the last three out. False and an error
 * message if Assimp rejects the file or memory runs out. */
bool assimp_import(raw_model *raw, const import_files *files, bool clips_only);

/* From here on nothing of Assimp is freed: for a program that imports one file and ends with _exit. Memory that Assimp
 * has corrupted then does no harm. */
void assimp_never_release(void);

#endif
