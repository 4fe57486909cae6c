/* fbx – reads FBX, binary and text, from 3.0 to 7.7, into the raw description. docs/formats.md says what is read,
 * converted, noted and refused. */
#ifndef SINEW_IMPORT_FBX_H
#define SINEW_IMPORT_FBX_H

#include "import/raw/raw.h"
#include "import/source/files.h"

/* `clips_only`: reads only the morph targets of meshes. False and an error message for a broken file, or when memory
 * runs out. */
bool fbx_import(raw_model *raw, const import_files *files, bool clips_only);

#endif
