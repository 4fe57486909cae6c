/* clip_rounding – the frames of a track group as rounded to integers, kept up to date while forms and slack change.
 * Only recently used ones are in memory. */
#ifndef SINEW_IMPORT_CLIP_ROUNDING_H
#define SINEW_IMPORT_CLIP_ROUNDING_H

#include "model/clip/clip_fit.h"

typedef struct rounded_part rounded_part;

/* Consecutive frames of one segment. */
typedef struct rounded_window {
  int number;    /* counted in windows of that many frames; or −1 */
  unsigned used; /* the time of the last use: the least recently used window makes room */
  float *frames;
} rounded_window;

/* The frames of a batch of moments are in at most as many windows as there are moments. */
enum { CLIP_WINDOWS = 16 };

typedef struct clip_rounding {
  track_group_desc exact; /* with exact frames */
  rounded_part *parts;    /* the state of each track in each segment */
  rounded_window windows[CLIP_WINDOWS];
  int window_count, window_shift, latest;
  unsigned clock;
  float *frames; /* of all windows */
} clip_rounding;

/* `desc`, whose segment is set, and its tracks must not move. False when memory runs out; reset in any case. */
bool clip_rounding_open(clip_rounding *rounding, const track_group_desc *desc);
void clip_rounding_reset(clip_rounding *rounding);

/* A rounded frame, followed by the next one unless it is the last; it stays valid until CLIP_WINDOWS other windows have
 * been used. */
const float *clip_rounding_frame(clip_rounding *rounding, int frame);

/* Updates the integers; returns whether any has changed. Changed ones will be rounded again. */
bool clip_rounding_update(clip_rounding *rounding);

/* Whether the integers of a track are as fine as possible in all segments. False for floats. */
bool clip_rounding_is_finest(const clip_rounding *rounding, int track);

/* Copies the integers of all tracks and segments to the layout of track_group_desc.fits. */
void clip_rounding_copy_fits(const clip_rounding *rounding, clip_fit *fits);
int clip_rounding_fit_count(const clip_rounding *rounding);

#endif
