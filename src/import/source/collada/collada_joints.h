/* collada_joints – the joints of Collada skins, which Assimp looks for among all names and ids of a file. */
#ifndef SINEW_IMPORT_COLLADA_JOINTS_H
#define SINEW_IMPORT_COLLADA_JOINTS_H

#include "import/raw/raw.h"

/* The text with the sids that skins name replaced by the ids of those joints: of the one below the skeleton that the
 * skin's first instance names, if there is one. Otherwise a mesh called Head was the joint Head, and the second of two
 * skeletons moved both skins. In raw memory with a zero behind it; the text itself where there is no skin. False when
 * memory runs out. */
bool collada_joints(raw_model *raw, const unsigned char **text, size_t *size);

#endif
