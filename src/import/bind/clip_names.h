/* clip_names – what clips are called whose file does not say it. */
#ifndef SINEW_IMPORT_CLIP_NAMES_H
#define SINEW_IMPORT_CLIP_NAMES_H

#include "import/raw/raw.h"

/* Clips whose file gave them no name, or whose name says nothing because a program gives it to all, are called after
 * the file: "walk.bvh" holds "walk", and a second one is "walk 2". False when memory is out. */
bool name_clips(raw_model *raw);

#endif
