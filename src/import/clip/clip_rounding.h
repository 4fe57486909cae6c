/* clip_rounding – the frames of a track group as integers will have them, kept up to date while forms and slack change.
 */
#ifndef SINEW_IMPORT_CLIP_ROUNDING_H
#define SINEW_IMPORT_CLIP_ROUNDING_H

#include "model/clip/clip_fit.h"

typedef struct rounded_part rounded_part;

typedef struct clip_rounding {
  track_group_desc desc; /* frames of one segment behind those of the other: clip_segment_count − 1 more than frames */
  const float *exact;    /* the frames as they are */
  float *frames;
  rounded_part *parts; /* what is known of each track in each segment */
} clip_rounding;

/* `desc` and its tracks stay where they are; its segment is set. False when memory runs out; reset either way. */
bool clip_rounding_open(clip_rounding *rounding, const track_group_desc *desc);
void clip_rounding_reset(clip_rounding *rounding);

/* Rounds those tracks again whose integers are other ones. Were there any? */
bool clip_rounding_update(clip_rounding *rounding);

/* Are the integers of a track as fine as they can be, in all segments? False for what is no integer. */
bool clip_rounding_is_finest(const clip_rounding *rounding, int track);

/* The integers of all tracks and segments, as track_group_desc.fits has them. */
void clip_rounding_copy_fits(const clip_rounding *rounding, clip_fit *fits);
int clip_rounding_fit_count(const clip_rounding *rounding);

#endif
