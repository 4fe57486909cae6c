/* unsupported – adds notes about features that Assimp drops: curves of Collada between keys, all motion of IQM. */
#ifndef SINEW_IMPORT_UNSUPPORTED_H
#define SINEW_IMPORT_UNSUPPORTED_H

#include "import/raw/raw.h"
#include "import/source/files.h"

/* After raw_check. False when memory runs out. */
bool note_unsupported(raw_model *raw, const import_files *files);

#endif
