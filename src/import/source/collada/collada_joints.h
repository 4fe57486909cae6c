/* collada_joints – finds the joints of Collada skins, which Assimp would look for among all names and ids of a file. */
#ifndef SINEW_IMPORT_COLLADA_JOINTS_H
#define SINEW_IMPORT_COLLADA_JOINTS_H

#include "import/raw/raw.h"

/* Returns the text with the sids in skins replaced by the ids of those joints, preferably below the skeleton that the
 * skin's first instance names. Without this, a mesh called Head would be taken for the joint Head, and the second of
 * two skeletons would move both skins. In zero-terminated raw memory; the same text if there is no skin. False when
 * memory runs out. */
bool collada_joints(raw_model *raw, const unsigned char **text, size_t *size);

#endif
