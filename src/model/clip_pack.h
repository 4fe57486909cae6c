/* clip_pack – puts a described clip into a model's block. */
#ifndef SINEW_MODEL_CLIP_PACK_H
#define SINEW_MODEL_CLIP_PACK_H

#include "base/block.h"
#include "model/clip.h"

/* The number of 16-bit integers for 1, of either sign. */
enum { CLIP_ONE = 32767 };

/* Lays a clip's tables and packs out; `stored` maps the file's joints to stored ones. While the block measures, the
 * clip gets counts alone. */
void clip_tables_lay(block *b, const clip_desc *desc, const int32_t *stored, sinew_clip *clip);

/* The part of clip_table_lay that says how rows are found: sets what a table has of time. */
void clip_times_lay(block *b, const clip_table_desc *desc, clip_table *table);

/* Rounds the rows of a table (`rows`, a copy of the description's) as 16 bits will: what a sample will see. */
void clip_table_round(const clip_table_desc *desc, float *rows);

#endif
