/* clip_fit – chooses the integers of a track's frames in one segment. */
#ifndef SINEW_MODEL_CLIP_FIT_H
#define SINEW_MODEL_CLIP_FIT_H

#include "model/clip/clip.h"

/* A clip_block's numbers of one lane, times −2^15; `bytes` of each component are 0, 1 or 2. */
typedef struct clip_fit {
  float middle[4], scale[4];
  int bytes[4];
  bool fits; /* rotations are near enough to each other to be relative to one */
} clip_fit;

/* The shape of a track's frames first .. last, whatever its slack. */
typedef struct clip_shape {
  float middle[4];
  bool fits;
  double square, step; /* of a rotation: x² + y² + z² at most; the farthest that neighbouring frames are apart */
  double most[3][3];   /* the largest numbers, by bytes of w; negative: not looked for yet */
} clip_shape;

clip_shape clip_shape_find(const track_group_desc *desc, const clip_track *track, int first, int last);

/* The integers for the track's slack; looks for the largest numbers where they are not known. */
clip_fit clip_shape_fit(clip_shape *shape, const track_group_desc *desc, const clip_track *track, int first, int last);

/* Both. */
clip_fit clip_fit_find(const track_group_desc *desc, const clip_track *track, int first, int last);

/* The integers of the frames first .. last, and what a frame's stand for. An integer of one byte is a multiple of 256.
 */
void clip_fit_encode(const clip_fit *fit, const track_group_desc *desc, const clip_track *track, int first, int last,
                     int16_t (*integers)[4]);
void clip_fit_decode(const clip_fit *fit, track_kind kind, const int16_t integers[4], float *value);

/* The frames first .. last of a track as they are when they have been integers, into every desc->frame_size-th float.
 */
void clip_fit_round(const clip_fit *fit, const track_group_desc *desc, const clip_track *track, int first, int last,
                    float *value);

/* The integer of a component of a full rotation. */
int16_t clip_full_integer(float value);

/* The segments of a track group of this many frames. */
static inline int clip_segment_count(int frame_count, int shift) {
  return frame_count > 1 ? ((frame_count - 2) >> shift) + 1 : 1;
}

/* The lengths that segments may have, as shifts: 2^shift intervals. */
enum { CLIP_LENGTHS = 9 };
extern const int clip_lengths[CLIP_LENGTHS];

/* Bytes of a narrow track's integers in all frames with segments of that length; infinite where a rotation does not
 * fit. `sizes` has CLIP_LENGTHS of each track, negative where they are not known yet; or it is NULL. */
double clip_fit_size(const track_group_desc *desc, double *sizes, int track, int length);

/* Bytes of the blocks and segments of that length. */
double clip_segments_size(const track_group_desc *desc, int narrow_packs, int length);

/* 1 + the shift with which the track group takes the least room, if its narrow packs are as many as that; the bytes of
 * its narrow frames and their blocks are in `size`, and what was found on the way in `sizes`. */
int clip_fit_segment(const track_group_desc *desc, int narrow_packs, double *sizes, double *size);

/* The frames of a segment: its first, and its last. */
static inline int clip_segment_first(int shift, int segment) { return segment << shift; }
static inline int clip_segment_last(int frame_count, int shift, int segment) {
  int64_t last = (int64_t)(segment + 1) << shift;
  return last < frame_count ? (int)last : frame_count - 1;
}

/* The integers of a track in a segment: desc->fits, where there are such. */
clip_fit clip_fit_at(const track_group_desc *desc, int track, int shift, int segment);

/* Bytes of all narrow tracks' integers in a frame of a segment; negative where a rotation does not fit. */
int clip_fit_frame_bytes(const track_group_desc *desc, int shift, int segment);

#endif
