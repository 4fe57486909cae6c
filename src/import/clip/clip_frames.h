/* clip_frames – one track group of a clip: frames at the union of its curves' key times. Translation, scale and morph
 * weights are linear between keys in the source, so they are exact; rotations are slerp in the source and normalised
 * lerp here, and cubic curves are straight between frames, so frames are inserted until the error of a point is within
 * a fraction of the tolerance. */
#ifndef SINEW_IMPORT_CLIP_FRAMES_H
#define SINEW_IMPORT_CLIP_FRAMES_H

#include "import/clip/clip_truth.h"

/* How strictly track groups are built. No bound predicts the errors that add up along a chain of joints, so
 * track_groups.c measures them, and tightens these rules until they fit. */
typedef struct clip_rules {
  double tolerance; /* as a length in the model's space */
  double rounding;  /* the fraction of it that integers may use; 0: floats */
  /* By joint in file order: the fraction of the tolerance that its tracks may use, depending on the joints below. */
  float *fractions;
  bool floats;      /* joints with a smaller fraction get floats if 16 bits are too coarse */
  double bending;   /* the fraction by which a line between two frames may miss its arc */
  double stillness; /* the fraction for treating a curve as still, or a joint as resting */
  double thinning;  /* the fraction for dropping frames; 0: none are dropped */
  float *density; /* for every moment, the number of frames for each one that the bounds ask for there, from 1 on; NULL:
                     1 */
} clip_rules;

/* For each track, the largest distance between neighbouring frames; for rotations, that of their quaternions. */
typedef struct clip_steps {
  const float *frames; /* the frames in which they were found; or NULL */
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
  const double *times; /* in the file's seconds, while frames are built; the tracks' own if all are equal */
  double *own_times;   /* or these */
  int frame_count;
  clip_track *columns;      /* for each track, its column in the description */
  double *ranges;           /* for each track, the widest range of three numbers, computed on demand; negative before */
  double *sizes;            /* of clip_fit_segment, when the track group was last weighed */
  struct clip_steps *steps; /* shared by copies */
  const struct clip_frames *like; /* frames that include these curves, and their track group; or NULL */
  const track_group_desc *like_track_group;
} clip_frames;

/* Everything in `desc` is in the raw model's memory. When memory runs out or the clip is too large, returns false and
 * sets raw->error. */
bool clip_frames_build(clip_frames *frames, track_group_desc *desc);

/* Sets the form of each column and its allowed rounding, by the current rules. */
void clip_frames_judge(const clip_frames *frames);

/* The steps in the frames of `desc`, which has these tracks. */
const double *clip_frames_steps(const clip_frames *frames, const track_group_desc *desc);

/* The error that a track's value in a frame may have, in the value's own unit; 0 for a step track. */
double clip_frames_slack(const clip_frames *frames, int track);

#endif
