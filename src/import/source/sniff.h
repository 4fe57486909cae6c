/* sniff – recognises a file by its first bytes, when that gives a better error message than a parser would. */
#ifndef SINEW_IMPORT_SNIFF_H
#define SINEW_IMPORT_SNIFF_H

#include "import/raw/raw.h"
#include "import/source/files.h"

/* By the extension. */
raw_format raw_format_of(const char *path);

/* Decides by the first VFS_HEAD bytes, or all of a smaller file, before the rest is read. False and an error message
 * for what no reader would take: a foreign .glb or FBX, zeros, a pointer of Git LFS. */
bool sniff_head(const char *path, const unsigned char *head, size_t size, sinew_error *error);

/* Whether the bytes are those that Git LFS puts in the place of a file that it has not fetched. */
bool sniff_is_pointer(const void *bytes, size_t size);

/* False and an error message for what the whole file shows: a truncated .glb, a foreign FBX. */
bool sniff_check(const import_files *files, sinew_error *error);

#endif
