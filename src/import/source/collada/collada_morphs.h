/* collada_morphs – Collada files with morph targets. Assimp 5.2 refuses them, or crashes where they move. */
#ifndef SINEW_IMPORT_COLLADA_MORPHS_H
#define SINEW_IMPORT_COLLADA_MORPHS_H

#include "import/raw/raw.h"

/* The text with the mesh itself in place of each <morph>, and without the curves of its weights; a note says so. In raw
 * memory with a zero behind it; the text itself where there are none. False when memory runs out. */
bool collada_morphs(raw_model *raw, const unsigned char **text, size_t *size);

#endif
