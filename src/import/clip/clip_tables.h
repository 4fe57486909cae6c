/* clip_tables – the moving curves of a clip as tables, by rules that say how strictly. One table serves most clips;
 * where some curves need far fewer frames than others, tables of their own save room. */
#ifndef SINEW_IMPORT_CLIP_TABLES_H
#define SINEW_IMPORT_CLIP_TABLES_H

#include "import/clip/clip_frames.h"

typedef struct clip_parts {
  raw_model *raw;
  const raw_clip *clip;
  const model_desc *model;
  const clip_reach *reach;
  const int32_t *stored; /* by file order: where the model has its joints */
  double start, end;     /* the file's seconds */
  double tolerance;      /* as a length in the model's space */
  bool exact;            /* in floats, no frame left out */
} clip_parts;

typedef struct clip_tables {
  const clip_parts *parts;
  const clip_truth *truth;
  const sinew_transform *first; /* what joints hold at the beginning */
  clip_rules rules;
  const raw_track **moving;
  int moving_count;
  int *levels;           /* of each: 0 for those that need the most frames, one more for each factor of two */
  int level_count;       /* that have curves; 0 until they are found */
  sinew_transform *base; /* what joints hold where nothing moves, file order */
  clip_frames frames[CLIP_MAX_TABLES];
  clip_table_desc tables[CLIP_MAX_TABLES];
  int count;
  bool filled;              /* are the following those of the curves that move? */
  clip_frames whole_frames; /* one table for all curves, in which no frame is left out */
  clip_table_desc whole;
  clip_frames level_frames[CLIP_MAX_TABLES]; /* and one for each level */
  clip_table_desc level_tables[CLIP_MAX_TABLES];
} clip_tables;

/* These are false, with raw->error set, when memory is out or the clip is too large. */

/* Which curves move, as rules.stillness has it; sets the base. */
bool clip_tables_find_moving(clip_tables *tables);
/* Makes the tables anew; of frames that are there already where only the rules of thinning have changed. */
bool clip_tables_build(clip_tables *tables);
/* The rules ask for other frames: the next build makes them. */
void clip_tables_forget_frames(clip_tables *tables);
/* Sets only the forms of their tracks and what those may be rounded by. */
bool clip_tables_judge(clip_tables *tables);
/* The same for `whole`. */
bool clip_tables_judge_whole(clip_tables *tables);

/* Were frames left out? */
bool clip_tables_are_thinned(const clip_tables *tables);

#endif
