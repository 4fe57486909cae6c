/* humanoid – finds the joints of a person's hips, spine, arms, legs and fingers, by the words in their names and, if
 * these do not decide, by the hierarchy. */
#ifndef SINEW_MODEL_HUMANOID_H
#define SINEW_MODEL_HUMANOID_H

#include <sinew/math.h>

/* A skeleton in the form shared by importers and models. Parents come before their children; joint 0 is the virtual
 * root. */
typedef struct skeleton_view {
  int count;
  const char *const *names; /* "" or NULL: no name may match it */
  const int32_t *parents;
  const sinew_transform *rest; /* local */
  const uint8_t *ranks;        /* among equal names the lowest rank is meant; or NULL */
  const uint8_t *parts;        /* the part of a body that the file declares for each joint (humanoid_part); or NULL */
} skeleton_view;

enum { HUMANOID_FINGERS = 5, HUMANOID_SEGMENTS = 4, HUMANOID_SPINE = 16, HUMANOID_NECK = 4 };

typedef enum limb_slot {
  LIMB_CLAVICLE,
  LIMB_UPPER_ARM,
  LIMB_FOREARM,
  LIMB_HAND,
  LIMB_THIGH,
  LIMB_SHIN,
  LIMB_FOOT,
  LIMB_TOES,
  LIMB_COUNT
} limb_slot;

/* A part of a body as a file declares it (VRM). The left side comes first. */
typedef enum humanoid_part {
  PART_NONE,
  PART_HIPS,
  PART_HEAD,
  PART_SPINE, /* and those above it */
  PART_NECK = PART_SPINE + 3,
  PART_LIMB,                                /* + side · LIMB_COUNT + limb_slot */
  PART_FINGER = PART_LIMB + 2 * LIMB_COUNT, /* + (side · HUMANOID_FINGERS + finger) · HUMANOID_SEGMENTS + segment */
  PART_COUNT = PART_FINGER + 2 * HUMANOID_FINGERS * HUMANOID_SEGMENTS
} humanoid_part;

/* Joints, or -1. Index 0 of the sides is the left. */
typedef struct humanoid {
  int32_t hips, head;
  int32_t limbs[2][LIMB_COUNT];
  int32_t fingers[2][HUMANOID_FINGERS][HUMANOID_SEGMENTS]; /* thumb first; from the palm outwards */
  int32_t spine[HUMANOID_SPINE], neck[HUMANOID_NECK];      /* from below */
  int spine_count, neck_count;
} humanoid;

/* Uses declared parts if the skeleton has any, else names. False when memory runs out. A skeleton without a body has -1
 * everywhere. */
bool humanoid_find(const skeleton_view *skeleton, humanoid *body);

/* The first part that more than half of the names share ("hero" in "hero_head"), lower case, or "". */
void skeleton_prefix(const skeleton_view *skeleton, char *prefix, size_t size);

/* Whether `above` is the joint or one of its ancestors. */
bool skeleton_is_above(const skeleton_view *skeleton, int above, int joint);

#endif
