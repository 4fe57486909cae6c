/* collada_clips – finds the clips of a Collada file. Assimp 5.2 reads none of its <animation_clip>, and makes a clip of
 * each <animation> that has channels instead. */
#ifndef SINEW_IMPORT_COLLADA_CLIPS_H
#define SINEW_IMPORT_COLLADA_CLIPS_H

#include "import/raw/raw.h"

/* Behind a name: which node it is, or where a clip begins and ends, in seconds. A clip's name has one in front, too:
 * "~#Walk~#0.5,2", because Assimp puts the first clip's name in front of all others. */
#define COLLADA_MARK "~#"

/* The text with one <animation> for each clip that the file tells, which has its name and the mark, and one for all
 * that is in no clip. In raw memory with a zero behind it; the text itself where there is nothing to join. False when
 * memory runs out. */
bool collada_clips(raw_model *raw, const unsigned char **text, size_t *size);

/* After the import: takes the marks off each clip's name and tells it its range. False when memory runs out. */
bool collada_restore_clips(raw_model *raw);

#endif
