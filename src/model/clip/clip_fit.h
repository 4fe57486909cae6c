/* clip_fit – chooses the integers of a track's frames in one segment. */
#ifndef SINEW_MODEL_CLIP_FIT_H
#define SINEW_MODEL_CLIP_FIT_H

#include "model/clip/clip.h"

/* The numbers of one lane in a clip_block, times −2^15; `bytes` of each component are 0, 1 or 2. */
typedef struct clip_fit {
  float middle[4], scale[4];
  int bytes[4];
  bool fits; /* rotations are close enough to be stored relative to one */
} clip_fit;

/* The range of a track's frames first .. last, independent of its slack. */
typedef struct clip_shape {
  float middle[4];
  bool fits;
  double square, step; /* for a rotation: the largest x² + y² + z²; the largest distance between neighbouring frames */
  double most[3][3];   /* the largest numbers, by bytes of w; negative: not computed yet */
} clip_shape;

clip_shape clip_shape_find(const track_group_desc *desc, const clip_track *track, int first, int last);

/* The integers for the track's slack; computes the largest numbers if they are not known. */
clip_fit clip_shape_fit(clip_shape *shape, const track_group_desc *desc, const clip_track *track, int first, int last);

/* Both. */
clip_fit clip_fit_find(const track_group_desc *desc, const clip_track *track, int first, int last);

/* The integers of the frames first .. last. An integer of one byte is a multiple of 256. */
void clip_fit_encode(const clip_fit *fit, const track_group_desc *desc, const clip_track *track, int first, int last,
                     int16_t (*integers)[4]);
void clip_fit_decode(const clip_fit *fit, track_kind kind, const int16_t integers[4], float *value);

/* Rounds the frames first .. last of a track to integers and back, into every desc->frame_size-th float. */
void clip_fit_round(const clip_fit *fit, const track_group_desc *desc, const clip_track *track, int first, int last,
                    float *value);

/* The integer of a component of a full rotation. */
int16_t clip_full_integer(float value);

/* The number of segments of a track group with this many frames. */
static inline int clip_segment_count(int frame_count, int shift) {
  return frame_count > 1 ? ((frame_count - 2) >> shift) + 1 : 1;
}

/* The possible lengths of segments, as shifts: 2^shift intervals. */
enum { CLIP_LENGTHS = 9 };
extern const int clip_lengths[CLIP_LENGTHS];

/* The size in bytes of a narrow track's integers in all frames with segments of that length; infinite if a rotation
 * does not fit. `sizes`, or NULL, has CLIP_LENGTHS values for each track, negative until computed. */
double clip_fit_size(const track_group_desc *desc, double *sizes, int track, int length);

/* The size in bytes of the blocks and segments of that length. */
double clip_segments_size(const track_group_desc *desc, int narrow_packs, int length);

/* 1 + the shift with which the track group is smallest, for that number of narrow packs; `size` gets the bytes of its
 * narrow frames and their blocks, and `sizes` intermediate results. */
int clip_fit_segment(const track_group_desc *desc, int narrow_packs, double *sizes, double *size);

/* The first and the last frame of a segment. */
static inline int clip_segment_first(int shift, int segment) { return segment << shift; }
static inline int clip_segment_last(int frame_count, int shift, int segment) {
  int64_t last = (int64_t)(segment + 1) << shift;
  return last < frame_count ? (int)last : frame_count - 1;
}

/* The integers of a track in a segment, from desc->fits if available. */
clip_fit clip_fit_at(const track_group_desc *desc, int track, int shift, int segment);

/* The bytes of all narrow tracks' integers in a frame of a segment; negative if a rotation does not fit. */
int clip_fit_frame_bytes(const track_group_desc *desc, int shift, int segment);

#endif
