/* clip_frames – one track group of a clip: frames at the union of its curves' key times. Translation, scale and morph
 * weights are linear between keys in the source, so they are exact; rotations are slerp in the source and normalised
 * lerp here, and cubic curves are straight between frames, so frames are inserted until a point misses its position by
 * no more than a part of the tolerance. */
#ifndef SINEW_IMPORT_CLIP_FRAMES_H
#define SINEW_IMPORT_CLIP_FRAMES_H

#include "import/clip/clip_truth.h"

/* How strictly track groups are built. No bound predicts the errors that add up along a chain of joints, so
 * track_groups.c measures them, and tightens these rules until they fit. */
typedef struct clip_rules {
  double tolerance; /* as a length in the model's space */
  double rounding;  /* the part of it that integers may take; 0: floats */
  float *shares;    /* by joint, file order: the part of this that its tracks have, because of what hangs below */
  bool floats;      /* joints whose share is less than all of it have floats where 16 bits are too coarse */
  double bending;   /* the part that a line between two frames may miss its arc by */
  double stillness; /* the part that taking a curve for still may take, or a joint for resting */
  double thinning;  /* the part that leaving out frames may take; 0: none are left out */
  float *density;   /* for every moment: frames for each one that the bounds ask for there, from 1 on; NULL: 1 */
} clip_rules;

/* For each track, the largest distance between neighbouring frames; for rotations, that of their quaternions. */
typedef struct clip_steps {
  const float *frames; /* in which they were looked for; or NULL */
  double *longest;     /* of each track */
} clip_steps;

typedef struct clip_frames {
  raw_model *raw;
  const raw_clip *clip;
  const clip_reach *reach;
  const clip_truth *truth;
  const clip_rules *rules;
  double start, end;        /* the file's seconds */
  const raw_track **tracks; /* that move */
  int track_count;
  const double *times; /* the file's seconds, as long as frames are built: the tracks' own where all have the same */
  double *own_times;   /* or these */
  int frame_count;
  clip_track *columns;            /* of each track: the description's */
  double *ranges;                 /* of each track: the widest of three numbers, as it is asked for; negative before */
  double *sizes;                  /* of clip_fit_segment, as the track group was weighed last */
  struct clip_steps *steps;       /* shared by copies */
  const struct clip_frames *like; /* one that has these curves among others, and its track group; or NULL */
  const track_group_desc *like_track_group;
} clip_frames;

/* Everything of `desc` is in the raw model's memory. False, and raw->error set, when memory runs out or the clip is too
 * large. */
bool clip_frames_build(clip_frames *frames, track_group_desc *desc);

/* Sets the form of each column and what rounding may change it by, as the rules are now. */
void clip_frames_judge(const clip_frames *frames);

/* The steps in the frames of `desc`, which has these tracks. */
const double *clip_frames_steps(const clip_frames *frames, const track_group_desc *desc);

/* The error that a track's value in a frame may have, in the value's own unit; 0 for a step track. */
double clip_frames_slack(const clip_frames *frames, int track);

#endif
