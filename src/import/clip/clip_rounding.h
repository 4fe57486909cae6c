/* clip_rounding – the frames of a track group as integers will have them, kept up to date while forms and slack change.
 * Only those are in memory that were asked for last.
 */
#ifndef SINEW_IMPORT_CLIP_ROUNDING_H
#define SINEW_IMPORT_CLIP_ROUNDING_H

#include "model/clip/clip_fit.h"

typedef struct rounded_part rounded_part;

/* Some frames that follow each other in one segment. */
typedef struct rounded_window {
  int number;    /* of those that have as many frames; or −1 */
  unsigned used; /* when: the one that was longest ago makes room */
  float *frames;
} rounded_window;

/* The frames of a batch of moments are in no more windows than that has moments. */
enum { CLIP_WINDOWS = 16 };

typedef struct clip_rounding {
  track_group_desc exact; /* with the frames as they are */
  rounded_part *parts;    /* what is known of each track in each segment */
  rounded_window windows[CLIP_WINDOWS];
  int window_count, window_shift, latest;
  unsigned clock;
  float *frames; /* of all windows */
} clip_rounding;

/* `desc` and its tracks stay where they are; its segment is set. False when memory runs out; reset either way. */
bool clip_rounding_open(clip_rounding *rounding, const track_group_desc *desc);
void clip_rounding_reset(clip_rounding *rounding);

/* A rounded frame, behind which the next one lies unless it is the last; it stays there while those of fewer than
 * CLIP_WINDOWS other windows are found. */
const float *clip_rounding_frame(clip_rounding *rounding, int frame);

/* Are there other integers than before? Those of which there are will be rounded again. */
bool clip_rounding_update(clip_rounding *rounding);

/* Are the integers of a track as fine as they can be, in all segments? False for what is no integer. */
bool clip_rounding_is_finest(const clip_rounding *rounding, int track);

/* The integers of all tracks and segments, as track_group_desc.fits has them. */
void clip_rounding_copy_fits(const clip_rounding *rounding, clip_fit *fits);
int clip_rounding_fit_count(const clip_rounding *rounding);

#endif
