/* track_groups – turns the moving curves of a clip into track groups, as strictly as its rules demand. One track group
 * serves most clips; where some curves need far fewer frames than others, track groups of their own save room. */
#ifndef SINEW_IMPORT_TRACK_GROUPS_H
#define SINEW_IMPORT_TRACK_GROUPS_H

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

typedef struct track_groups {
  const clip_parts *parts;
  const clip_truth *truth;
  const sinew_transform *first; /* what joints hold at the beginning */
  clip_rules rules;
  const raw_track **moving;
  int moving_count;
  int *levels;           /* of each: 0 for those that need the most frames, one more for each factor of two */
  int level_count;       /* that have curves; 0 until they are found */
  sinew_transform *base; /* what joints hold where nothing moves, file order */
  clip_frames frames[CLIP_MAX_TRACK_GROUPS];
  track_group_desc groups[CLIP_MAX_TRACK_GROUPS];
  int count;
  bool filled;              /* are the following those of the curves that move? */
  clip_frames whole_frames; /* one track group for all curves, in which no frame is left out */
  track_group_desc whole;
  clip_frames level_frames[CLIP_MAX_TRACK_GROUPS]; /* and one for each level */
  track_group_desc level_track_groups[CLIP_MAX_TRACK_GROUPS];
} track_groups;

/* These are false, with raw->error set, when memory runs out or the clip is too large. */

/* Which curves move, as rules.stillness has it, and the base. Leaves the frames if both are as they were. */
bool track_groups_find_moving(track_groups *groups, bool *changed);
/* Makes the track groups again; of frames that are there already where only the rules of thinning have changed. */
bool track_groups_build(track_groups *groups);
/* The rules ask for other frames: the next build makes them. */
void track_groups_forget_frames(track_groups *groups);
/* Sets only the forms of their tracks and what those may be rounded by. */
bool track_groups_judge(track_groups *groups);
/* The same for `whole`. */
bool track_groups_judge_whole(track_groups *groups);

/* Whether any curve bends between its keys, so that more frames could help: lines are lines with any number of them. */
bool track_groups_bend(const track_groups *f);
/* Were frames left out? */
bool track_groups_are_thinned(const track_groups *groups);

#endif
