/* sanitize – corrects text that Assimp 5.2 would misread. */
#ifndef SINEW_IMPORT_SANITIZE_H
#define SINEW_IMPORT_SANITIZE_H

#include "import/raw/raw.h"
#include "import/source/files.h"

/* Collada: removes white space at the beginning of an element's text, where Assimp would count an extra number or
 * reject the list; adds a mark to each node's name, because clips for one of two nodes with the same name are lost.
 * MD5: ends lines in CR LF, because after a plain LF Assimp skips the next line of a header, such as the frame rate or
 * the number of joints. BVH: see bvh.h and bvh.h. The corrected text replaces the file in `files`. False
 * when memory runs out. */
bool sanitize_text(raw_model *raw, import_files *files);

/* After the import: removes the marks. False when memory runs out. */
bool sanitize_names(raw_model *raw);

#endif
