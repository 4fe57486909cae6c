/* sanitize – corrects text that Assimp 5.2 would misread. */
#ifndef SINEW_IMPORT_SANITIZE_H
#define SINEW_IMPORT_SANITIZE_H

#include "import/raw/raw.h"
#include "import/source/files.h"

/* Collada: no white space at the beginning of an element's text, where a list of numbers would count one more or be
 * refused; a mark behind each node's name, because clips that move one of two nodes of a name are lost. MD5:
 * lines end in CR LF; after a plain LF the next line of a header is skipped, be it the frame rate or the number of
 * joints. BVH: see bvh_names.h and bvh_channels.h. The tidied text takes the file's place in `files`. False when memory
 * runs out. */
bool sanitize_text(raw_model *raw, import_files *files);

/* After the import: takes the marks off. False when memory runs out. */
bool sanitize_names(raw_model *raw);

#endif
