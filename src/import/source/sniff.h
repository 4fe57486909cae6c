/* sniff – recognises a file by its first bytes, when that gives a better error message than a parser would. */
#ifndef SINEW_IMPORT_SNIFF_H
#define SINEW_IMPORT_SNIFF_H

#include "import/raw/raw.h"
#include "import/source/files.h"

/* By the extension. */
raw_format raw_format_of(const char *path);

/* False and an error message: a truncated or foreign .glb, a foreign FBX. */
bool sniff_check(const import_files *files, sinew_error *error);

#endif
