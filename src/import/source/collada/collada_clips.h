/* collada_clips – finds the clips of a Collada file. Assimp 5.2 reads none of its <animation_clip>, and makes a clip of
 * each <animation> that has channels instead. */
#ifndef SINEW_IMPORT_COLLADA_CLIPS_H
#define SINEW_IMPORT_COLLADA_CLIPS_H

#include "import/raw/raw.h"

/* Follows a name, and separates it from a node's number, or from a clip's begin and end in seconds. A clip's name also
 * has a mark in front, "~#Walk~#0.5,2", because Assimp puts the first clip's name in front of all others. */
#define COLLADA_MARK "~#"

/* Returns the text with one <animation> for each clip in the file, with its name and the mark, and one for everything
 * that is in no clip. In zero-terminated raw memory; the same text if there is nothing to join. False when memory runs
 * out. */
bool collada_clips(raw_model *raw, const unsigned char **text, size_t *size);

/* After the import: removes the marks from the clips' names and sets their ranges. False when memory runs out. */
bool collada_restore_clips(raw_model *raw);

#endif
