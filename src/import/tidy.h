/* tidy – white space that Assimp 5.2 stumbles over, put right in the text before it reads it. */
#ifndef SINEW_IMPORT_TIDY_H
#define SINEW_IMPORT_TIDY_H

#include "import/files.h"
#include "import/raw.h"

/* Collada: none at the beginning of an element's text, where a list of numbers would count one more or be refused. MD5:
 * lines end in CR LF; after a plain LF the next line of a header is skipped, be it the frame rate or the number of
 * joints. The tidied text takes the file's place in `files`. False when memory is out. */
bool tidy_text(raw_model *raw, import_files *files);

#endif
