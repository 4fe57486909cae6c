/* clip_forms – which narrow rotations of a table are full, and which follow arcs. */
#ifndef SINEW_IMPORT_CLIP_FORMS_H
#define SINEW_IMPORT_CLIP_FORMS_H

#include "import/clip/clip_frames.h"
#include "import/clip/clip_tables.h"

/* Of the `tracks` of a table, those that share a group of the pose get the same form. `frame_count`: of the clip's
 * longest table. False when memory is out. */
bool clip_forms_choose(const clip_parts *parts, const clip_rules *rules, int frame_count, const clip_table_desc *table,
                       clip_track *tracks);

#endif
