/* clip_names – names clips whose file gives no name, or the same name as another. */
#ifndef SINEW_IMPORT_CLIP_NAMES_H
#define SINEW_IMPORT_CLIP_NAMES_H

#include "import/raw/raw.h"

/* Clips whose file gave them no name, or whose name says nothing because a program gives it to all, are called after
 * the file: "walk.bvh" holds "walk", and a second one is "walk 2". False when memory runs out. */
bool name_clips(raw_model *raw);

/* The clips of a clip file, before they join the model's: the only one is called after its file, and so is one whose
 * name says nothing ("mixamo.com", "Take 001"). A name that the model has already gets the file's before it, then that
 * of the file's folder. False when memory runs out. */
bool name_joining_clips(const raw_model *raw, raw_model *from);

/* Every clip has a name of its own: later ones get a number. False when memory runs out. */
bool number_equal_clips(raw_model *raw);

#endif
