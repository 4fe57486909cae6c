/* ring_part – an actor with one model in one block of the ring. While the block is filled, moments are stored as they
 * come. Then they are packed: values that do not change within the block are stored once, and values as in the rest
 * pose not at all. */
#ifndef SINEW_HOST_RING_PART_H
#define SINEW_HOST_RING_PART_H

#include "host/past/kept_crowds.h"

#include <sinew/pose.h>

enum {
  RING_CLIPS = 8, /* clips of an actor at a moment: the heaviest ones */
  RING_PARAMS = 8,
  RING_NAME = 64
};

typedef struct ring_clip {
  int16_t clip, layer;
  float normalized_weight, phase, speed; /* as in sinew_playing */
} ring_clip;

/* The state of an actor at a moment, except its pose. */
typedef struct ring_moment {
  sinew_transform transform;
  float opacity; /* 0: it was hidden */
  int clip_count, param_count;
  ring_clip clips[RING_CLIPS]; /* zeros past the last */
  float params[RING_PARAMS];
  int state;  /* of its first state machine; −1: it has none */
  float slid; /* metres that its feet have slid since measuring began */
} ring_moment;

typedef struct ring_part {
  sinew_actor actor;
  sinew_model *model;
  char name[RING_NAME];
  int first, count, joint_count; /* of the block's moments */
  struct open_group *open;       /* count × groups, while the block is being filled; else NULL, and so: */
  ring_moment *moments;
  uint8_t *packed;
  size_t packed_size;
  float *morphs; /* count × morph_count; once packed, a single row if they do not vary */
  int morph_count;
  bool holds_morphs; /* they do not */
} ring_part;

/* NULL if there is no memory. */
ring_part *ring_part_create(sinew_actor actor, const char *name, sinew_model *model, int first);
void ring_part_free(ring_part *p);
size_t ring_part_bytes(const ring_part *p);

/* Adds a moment, RING_BLOCK at most. `morphs` NULL: all are 0. */
void ring_part_add(ring_part *p, const ring_moment *moment, const sinew_pose *pose, const float *morphs);
/* Without memory it stays unpacked. */
void ring_part_pack(ring_part *p);

/* Reads the index-th of its moments. */
void ring_part_moment(const ring_part *p, int index, ring_moment *out);
void ring_part_pose(const ring_part *p, int index, const sinew_pose *out);
sinew_quat ring_part_rotation(const ring_part *p, int index, int joint);
const float *ring_part_morphs(const ring_part *p, int index);

/* A unit quaternion in six bytes: its three smaller components in 15 bits each, and the index of the largest. A
 * rotation is restored to 1.5e-4 rad: each part to 2.16e-5, and the largest, if all four are alike, to three times
 * that. */

typedef struct packed_rotation {
  uint16_t parts[3];
} packed_rotation;

/* Packs a group of a pose: parts[k][lane] is part k of that lane's rotation. A value that is not a unit quaternion
 * becomes some finite one. */
void packed_rotations_of(const sinew_pose_group *group, uint16_t parts[3][SINEW_LANES]);
sinew_quat packed_rotation_open(packed_rotation packed);

#endif
