/* clip – the tracks of a clip as key frames, in track groups. The tracks of a group share their key frames, so a group
 * needs one time lookup, and a sample reads two neighbouring frames. Tracks that never move are stored once, in the
 * base pose.
 *
 * In a frame, the tracks of one kind whose joints share a group of eight lie packed, in one of these forms: *narrow*,
 * each component as an integer of 8 or 16 bits, or not at all if it is constant, chosen anew for each segment; *full*,
 * rotations with 16 bits for each component; *wide*, floats. Narrow and full rotations may follow *arcs* between
 * frames. */
#ifndef SINEW_MODEL_CLIP_H
#define SINEW_MODEL_CLIP_H

#include <math.h>
#include <sinew/math.h>
#include <sinew/model.h>
#include <sinew/pose.h>
#include <string.h>

/* Tiny numbers in files that mean 0, such as the cosine of a right angle, 6e-17, and products of such numbers, 1e-32.
 * Their squares and products are too small for a float, and a processor takes some hundred cycles for each: one joint
 * of a character with them made blending three poses four times slower. Models have 0 instead. A matrix contains
 * products of two of a rotation's numbers, and joints products of two matrices, so products of four must not become
 * denormal. */

/* For unit quaternions (2e-9 radians); for metres. */
#define DUST_TURN 1e-9f
#define DUST_LENGTH 1e-12f

static inline float without_dust(float value, float dust) { return fabsf(value) < dust ? 0 : value; }

static inline sinew_quat quat_without_dust(sinew_quat q) {
  return (sinew_quat){without_dust(q.x, DUST_TURN), without_dust(q.y, DUST_TURN), without_dust(q.z, DUST_TURN),
                      without_dust(q.w, DUST_TURN)};
}

static inline sinew_vec3 vec3_without_dust(sinew_vec3 v) {
  return (sinew_vec3){without_dust(v.x, DUST_LENGTH), without_dust(v.y, DUST_LENGTH), without_dust(v.z, DUST_LENGTH)};
}

/* For a matrix from model space to a joint's space. */
static inline sinew_mat3x4 mat3x4_without_dust(sinew_mat3x4 m) {
  for (int i = 0; i < 12; i++) m.m[i] = without_dust(m.m[i], DUST_LENGTH);
  return m;
}

enum { CLIP_MAX_TRACK_GROUPS = 4 };

typedef enum track_kind { TRACK_ROTATION, TRACK_TRANSLATION, TRACK_SCALE, TRACK_MORPH } track_kind;

/* ---- the description by an importer ---- */

/* The forms in which a pack stores its tracks; see above. */
typedef enum clip_form { CLIP_NARROW, CLIP_WIDE, CLIP_FULL, CLIP_ARC, CLIP_FULL_ARC, CLIP_FORMS } clip_form;

static inline bool clip_form_is_narrow(int form) { return form == CLIP_NARROW || form == CLIP_ARC; }

static inline bool clip_form_is_full(int form) { return form == CLIP_FULL || form == CLIP_FULL_ARC; }

static inline bool clip_form_is_arc(int form) { return form == CLIP_ARC || form == CLIP_FULL_ARC; }

/* One track. A frame holds 4 floats for a rotation (unit length, neighbours in one hemisphere with a dot product of
 * 0.9 or more), 3 for a translation or a scale, 1 for a morph weight. */
typedef struct clip_track {
  track_kind kind;
  int joint;      /* file order; the mesh for TRACK_MORPH */
  int target;     /* the morph target, for TRACK_MORPH */
  bool step;      /* STEP: a frame's value stays until the next frame */
  int offset;     /* of the first float in a frame of the description */
  clip_form form; /* ignored for morph weights, which are always wide */
  /* The allowed rounding error of a number. A track takes 8 bits if they are within it, and none if the number itself
   * is. A rotation's numbers are x, y and z of its quaternion relative to a nearby one. 0: 16 bits, whatever their
   * error. */
  float slack;
} clip_track;

/* Step values may be any distance apart and must stay exact, so they are not stored as integers. */
static inline clip_form clip_track_form(const clip_track *track) {
  return track->step || track->kind == TRACK_MORPH ? CLIP_WIDE : track->form;
}

typedef struct track_group_desc {
  const float *times; /* frame_count, ascending, from 0 on; at least 1 */
  int frame_count;
  const float *frames; /* frame_count × frame_size */
  int frame_size;
  const clip_track *tracks;
  int track_count;
  int segment;                 /* 1 + the binary logarithm of the intervals in a segment; 0: the smallest result */
  const struct clip_fit *fits; /* of each track in each segment, segment by segment; NULL: not computed yet */
} track_group_desc;

typedef struct clip_desc {
  const char *name;
  const char *file_name; /* NULL: the same */
  const sinew_fit *fit;  /* NULL for the model's own clips */
  double start;          /* the file's own time of clip time 0, seconds */
  double duration;       /* seconds; the last frame's time is at most this */
  double error;          /* the error of a point in metres, as measured by the importer; < 0: not measured */
  const track_group_desc *track_groups;
  int track_group_count; /* at most CLIP_MAX_TRACK_GROUPS */
  /* For each joint in file order: whether the clip animates it (it has a channel, moving or not). */
  const bool *animated;
  /* For each joint in file order: its value if it does not move; the rest transform if it is not animated. */
  const sinew_transform *base;
  /* Constant morph weights: tracks of this clip that never move. */
  const clip_track *constant_morphs; /* `offset` indexes constant_weights */
  const float *constant_weights;
  int constant_morph_count;
  const sinew_curve_view *curves; /* in the clip's own time; valid by clip_curve_fault */
  int curve_count;
} clip_desc;

/* ---- as it is kept ---- */

/* Up to eight tracks of one kind and track group whose joints are in one group of the pose. The joint in lane i of the
 * group uses track source[i], or the group's held value if that is −1; tracks are in the order of their lanes. */
typedef struct clip_pack {
  int32_t group;
  /* Narrow: the index of the clip's block for the first segment of the track group, followed by those for the others.
   * Otherwise an offset in bytes into a frame: wide, x of all tracks, then y and so on; full, all lanes' components
   * times CLIP_ONE in the order of lanes_load_shorts, x and y and then z and w; lanes without a track have the
   * identity. */
  int32_t at;
  uint8_t kind, track_group, track_count, form; /* a track_kind; an index; 1..8; a clip_form */
  bool step;                                    /* what steps is wide */
  bool last;                                    /* of its group and kind */
  uint8_t lanes;                                /* bit i: lane i has a track */
  int8_t source[SINEW_LANES];
} clip_pack;

/* The meaning of a narrow pack's integers in one segment, by lane: numbers = scale × −2^15 × integers. A translation or
 * a scale is middle + numbers. A rotation is the direction of middle · (numbers + (0, 0, 0, 1)). Only its direction
 * matters, so near the middle w needs no integer. A lane without a track has a scale of 0 and always gets the middle.
 * `spread` says which bytes make an integer, as lanes_spread_shorts reads it: first those of x and y, then those of z
 * and w. An integer of 8 bits is the upper byte. */
typedef struct clip_block {
  float middle[4][SINEW_LANES];
  uint16_t scale[4][SINEW_LANES]; /* the upper half of a float */
  uint8_t spread[2][4 * SINEW_LANES];
  int32_t offset[4]; /* byte offsets in a frame: x and y of lanes 0..3, then of lanes 4..7, then z and w likewise */
} clip_block;

/* Consecutive frames at this distance, from `at` bytes of a track group's frames on. */
typedef struct clip_segment {
  int64_t at;
  int32_t stride, used; /* bytes; of a frame */
} clip_segment;

typedef struct clip_morph {
  int32_t mesh, target, offset; /* a float, `offset` bytes into a frame or constant_weights[offset] */
  bool step;
} clip_morph;

/* Even frames are 1 / rate seconds apart, except that the last one may come sooner: no times are stored, and finding a
 * frame takes one multiplication. For uneven frames, time is divided into cells of 1 / rate seconds: the frame that
 * begins the interval of a moment in cell c is one of cells[c] .. cells[c + 1].
 *
 * Every 2^shift intervals are a segment. The frame between two segments is stored in both. */
typedef struct track_group {
  int frame_count, morph_count;
  int shift, segment_count;
  int cell_count;   /* 0: even */
  float last_scale; /* even: 1 / the fraction of a step that the last interval has */
  double rate, end; /* `end`: the last frame's time */
  int64_t size;     /* bytes of all frames, without CLIP_FRAME_SLACK */
  const float *times;
  const int32_t *cells;
  const clip_segment *segments;
  const unsigned char *frames; /* followed by CLIP_FRAME_SLACK bytes */
  const clip_morph *morphs;
} track_group;

/* A kernel reads a component of eight tracks, even if the pack has fewer. */
enum { CLIP_FRAME_SLACK = sizeof(float) * SINEW_LANES };

/* Properties of a group of a clip's joints, found before it is sampled. */
enum {
  CLIP_GROUP_TURNS = 1 << TRACK_ROTATION, /* there are packs of rotations */
  CLIP_GROUP_MOVES = 1 << TRACK_TRANSLATION,
  CLIP_GROUP_SCALES = 1 << TRACK_SCALE,
  CLIP_GROUP_SCALED = 8, /* a scale moves, or is not 1 */
  CLIP_GROUP_ONE = 16,   /* its rotations are one pack, not wide and not CLIP_GROUP_FULL */
  CLIP_GROUP_FULL = 32,  /* its rotations are one full pack, and lanes without a track hold identities */
  CLIP_GROUP_PLACED = 64 /* its translations are exactly the rest pose's */
};

/* From this bit on, one for each lane whose joint the clip animates; always set for the virtual root and for lanes
 * without a joint. */
enum { CLIP_GROUP_ANIMATES = 8 };

typedef struct clip_group {
  /* By track_kind, the values of joints that no track moves: the index of the first of the clip's constants; or −1:
   * those of the rest pose, or those in the middle of the group's only pack. */
  int32_t held[3];
  int32_t flags;
} clip_group;

struct sinew_clip {
  const char *name, *file_name;
  sinew_fit fit;
  double start, duration, error;
  int joint_count, track_group_count, pack_count, block_count, constant_count, constant_morph_count;
  const track_group *track_groups;
  const clip_pack *packs; /* ascending by clip_pack_compare: by group, then by kind */
  const clip_block *blocks;
  const float *constants; /* 3 or 4 × SINEW_LANES for each of clip_group.held */
  const float *animated;  /* 0 or 1 for each lane, padded to groups */
  bool animates_all;      /* every joint except the virtual root, so masks can be skipped */
  int curve_count;
  const sinew_pose_group *rest; /* the model's */
  const clip_group *groups;     /* of the pose */
  const clip_morph *constant_morphs;
  const float *constant_weights;
  const sinew_curve_view *curves;
  const struct clip_still *still; /* found once the model is whole */
};

/* Compares packs by their order; 0 if tracks share a pack. */
int clip_pack_compare(const clip_pack *a, const clip_pack *b);

/* The flags of a group, computed from its packs, held values and animated joints. */
int32_t clip_find_flags(const sinew_clip *clip, int group);

/* The constants of the group's joints that no track moves, from component 0 on; for lanes in a group's only pack, those
 * of the rest pose. */
static inline const float (*clip_held(const sinew_clip *clip, int group, track_kind kind))[SINEW_LANES] {
  const sinew_pose_group *rest = clip->rest + group;
  int at = clip->groups[group].held[kind];
  if (at >= 0) return (const float(*)[SINEW_LANES])(clip->constants + at);
  return kind == TRACK_ROTATION ? rest->rotation : kind == TRACK_TRANSLATION ? rest->translation : rest->scale;
}

/* The block of a narrow pack in a segment of its track group. */
static inline const clip_block *clip_pack_block(const sinew_clip *clip, const clip_pack *pack, int segment) {
  return clip->blocks + pack->at + segment;
}

static inline float clip_block_scale(const clip_block *in, int c, int lane) {
  uint32_t bits = (uint32_t)in->scale[c][lane] << 16;
  float scale;
  memcpy(&scale, &bits, sizeof scale);
  return scale;
}

/* The index of the offset for a component of a lane, and the place of its two bytes in `spread`. */
static inline int clip_block_piece(int c, int lane) { return c / 2 * 2 + lane / 4; }

static inline int clip_block_position(int c, int lane) {
  return lane / 4 * 2 * SINEW_LANES + 2 * (c % 2 * 4 + lane % 4);
}

/* The integer of a lane in a frame. */
static inline int clip_block_integer(const clip_block *in, int c, int lane, const unsigned char *frame) {
  const uint8_t *spread = in->spread[c / 2] + clip_block_position(c, lane);
  const unsigned char *bytes = frame + in->offset[clip_block_piece(c, lane)];
  int low = spread[0] & 0x80 ? 0 : bytes[spread[0]], high = spread[1] & 0x80 ? 0 : bytes[spread[1]];
  return (int16_t)(uint16_t)(low | high << 8);
}

/* The integer for 1, of a full pack. */
enum { CLIP_ONE = 32767 };

/* The bytes of a pack in one frame, if it is not narrow. */
static inline int clip_fixed_bytes(const clip_pack *pack) {
  if (clip_form_is_full(pack->form)) return 4 * SINEW_LANES * (int)sizeof(int16_t);
  return pack->track_count * (pack->kind == TRACK_ROTATION ? 4 : 3) * (int)sizeof(float);
}

/* The index of component c of a lane in a full pack: an int16. */
static inline int clip_full_cell(int c, int lane) {
  return c / 2 * 2 * SINEW_LANES + lane / 4 * SINEW_LANES + c % 2 * 4 + lane % 4;
}

/* The number of values of a track (in a key, without tangents). */
static inline int clip_kind_width(track_kind kind) { return kind == TRACK_ROTATION ? 4 : kind == TRACK_MORPH ? 1 : 3; }

/* Values below this count as 0 (clip.h). */
static inline float clip_kind_dust(track_kind kind) {
  return kind == TRACK_ROTATION ? DUST_TURN : kind == TRACK_TRANSLATION ? DUST_LENGTH : 0;
}

/* Two frames and how far between them: the value is frame a + weight × (frame b − frame a). */
typedef struct clip_cursor {
  const unsigned char *a, *b;
  float weight; /* 0..1 */
  int segment;
} clip_cursor;

/* On the line between unit quaternions φ apart, the position differs from that on the arc by t (1 − t) (1 − 2t) φ³ / 6
 * to first order. Returns the correction for a squared distance of 1; the remaining error is φ⁵ / 750. */
static inline float clip_arc_bend(float t) { return t * (1 - t) * (1 - 2 * t) * (1.0f / 6); }

/* The weight for integers, in steps of 2^−15. */
enum { CLIP_WEIGHT_ONE = 1 << 15 };
static inline int clip_integer_weight(float weight) { return (int)(weight * CLIP_WEIGHT_ONE + 0.5f); }

/* A morph weight, from frames at a cursor. */
static inline float clip_morph_value(const clip_morph *morph, const clip_cursor *cursor) {
  float a, b;
  memcpy(&a, cursor->a + morph->offset, sizeof a);
  memcpy(&b, cursor->b + morph->offset, sizeof b);
  return a + (morph->step ? 0 : cursor->weight) * (b - a);
}

static inline clip_cursor track_group_at(const track_group *tracks, int frame) {
  int segment = frame >> tracks->shift;
  if (segment >= tracks->segment_count) segment = tracks->segment_count - 1;
  const clip_segment *in = tracks->segments + segment;
  const unsigned char *a = tracks->frames + in->at + (int64_t)(frame - (segment << tracks->shift)) * in->stride;
  return (clip_cursor){a, a, 0, segment};
}

/* From a frame that is not the last. */
static inline clip_cursor track_group_between(const track_group *tracks, int frame, float weight) {
  clip_cursor cursor = track_group_at(tracks, frame);
  cursor.b += tracks->segments[cursor.segment].stride;
  cursor.weight = weight;
  return cursor;
}

/* The cell of a moment in an uneven track group, and track_group_seek. */
int track_group_cell(const track_group *tracks, float time);
clip_cursor track_group_seek_cells(const track_group *tracks, double time);

/* Times outside 0 .. the last frame hold the ends. Takes the same few steps for any time and any track group. */
static inline clip_cursor track_group_seek(const track_group *tracks, double time) {
  if (tracks->cell_count) return track_group_seek_cells(tracks, time);
  if (!(time > 0)) return track_group_at(tracks, 0);
  if (time >= tracks->end) return track_group_at(tracks, tracks->frame_count - 1);
  double position = time * tracks->rate;
  int frame = (int)position, last = tracks->frame_count - 2;
  bool ends = frame >= last;
  if (ends) frame = last;
  float weight = (float)(position - frame);
  if (ends) weight *= tracks->last_scale;
  if (ends && weight > 1) weight = 1;
  return track_group_between(tracks, frame, weight);
}

/* ---- named numbers over the time of a clip ---- */

enum { CLIP_CURVES = 64, CLIP_CURVE_NAME = 64, CLIP_CURVE_KEYS = 65536 };

/* Why it is not a valid curve for a clip with that time range, or NULL. */
const char *clip_curve_fault(const sinew_curve_view *curve, double from, double to);

double clip_curve_value(const sinew_curve_view *curve, double time);

/* The curve of that name, or NULL. */
const sinew_curve_view *clip_curve_in(const sinew_curve_view *curves, int count, const char *name);

#endif
