/* clip_names – names clips whose file gives no name, or the same name as another. */
#ifndef SINEW_IMPORT_CLIP_NAMES_H
#define SINEW_IMPORT_CLIP_NAMES_H

#include "import/raw/raw.h"

/* Names clips after their file if the file gives them no name or a meaningless one, which some program gives to all:
 * "walk.bvh" contains "walk", and a second one is "walk 2". False when memory runs out. */
bool name_clips(raw_model *raw);

/* Names the clips of a clip file before they join the model's: an only clip is named after its file, and so is one with
 * a meaningless name ("mixamo.com", "Take 001"). If the model already has the name, the file's is put in front, then
 * that of the file's folder. False when memory runs out. */
bool name_joining_clips(const raw_model *raw, raw_model *from);

/* Makes clip names unique: later clips get a number. False when memory runs out. */
bool number_equal_clips(raw_model *raw);

#endif
