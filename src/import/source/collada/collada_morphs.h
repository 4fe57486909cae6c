/* collada_morphs – Collada files with morph targets: Assimp 5.2 rejects them, or crashes if they are animated. */
#ifndef SINEW_IMPORT_COLLADA_MORPHS_H
#define SINEW_IMPORT_COLLADA_MORPHS_H

#include "import/raw/raw.h"

/* Returns the text with each <morph> replaced by its mesh, and without the curves of its weights; a note says so. In
 * zero-terminated raw memory; the same text if there are none. False when memory runs out. */
bool collada_morphs(raw_model *raw, const unsigned char **text, size_t *size);

#endif
