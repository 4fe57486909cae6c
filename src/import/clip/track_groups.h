/* track_groups – turns the moving curves of a clip into track groups, as strictly as its rules demand. One track group
 * serves most clips; if some curves need far fewer frames than others, separate track groups save memory. */
#ifndef SINEW_IMPORT_TRACK_GROUPS_H
#define SINEW_IMPORT_TRACK_GROUPS_H

#include "import/clip/clip_frames.h"
#include "import/raw/raw.h"

typedef struct clip_parts {
  raw_model *raw;
  const raw_clip *clip;
  const model_desc *model;
  const clip_reach *reach;
  const int32_t *stored; /* by file order: the joint's index in the model */
  double start, end;     /* the file's seconds */
  double tolerance;      /* as a length in the model's space */
  bool exact;            /* in floats, with no frame dropped */
} clip_parts;

typedef struct track_groups {
  const clip_parts *parts;
  const clip_truth *truth;
  const sinew_transform *first; /* the values of joints at the beginning */
  clip_rules rules;
  const raw_track **moving;
  int moving_count;
  int *levels;           /* for each: 0 for those that need the most frames, one more for each factor of two */
  int level_count;       /* levels with curves; 0 until they are found */
  sinew_transform *base; /* the values of joints that do not move, in file order */
  clip_frames frames[CLIP_MAX_TRACK_GROUPS];
  track_group_desc groups[CLIP_MAX_TRACK_GROUPS];
  int count;
  bool filled;              /* the following are those of the curves that move */
  clip_frames whole_frames; /* one track group for all curves, with every frame */
  track_group_desc whole;
  clip_frames level_frames[CLIP_MAX_TRACK_GROUPS]; /* and one for each level */
  track_group_desc level_track_groups[CLIP_MAX_TRACK_GROUPS];
} track_groups;

/* These return false, and set raw->error, when memory runs out or the clip is too large. */

/* Finds the curves that move, by rules.stillness, and the base. Keeps the frames if neither has changed. */
bool track_groups_find_moving(track_groups *groups, bool *changed);
/* Builds the track groups again, from existing frames if only the rules for thinning have changed. */
bool track_groups_build(track_groups *groups);
/* Makes the next build compute the frames again, because the rules ask for others. */
void track_groups_forget_frames(track_groups *groups);
/* Sets only the forms of their tracks and the allowed rounding. */
bool track_groups_judge(track_groups *groups);
/* The same for `whole`. */
bool track_groups_judge_whole(track_groups *groups);

/* Whether any curve bends between its keys, so that more frames could help; straight ones gain nothing. */
bool track_groups_bend(const track_groups *f);
/* Were frames left out? */
bool track_groups_are_thinned(const track_groups *groups);

/* Drops the frames of a track group that their neighbours reproduce: all but every second, third … frame of an even
 * one, or any frames if that leaves far fewer. */

/* Finds the frames that `count` tracks from `first` on need: in ascending order, always including the first and the
 * last. `slack` is the allowed error of each track of the track group, 0 for a step track, whose values do not change.
 * `needed` has room for all frames. Returns their number. */
int clip_thin_find(const track_group_desc *desc, const double *slack, int first, int count, int *needed);

#endif
