/* joint_name – finds the body part and the side in a joint's name. It knows the words of Mixamo and HumanIK, Unreal,
 * Blender and Rigify, 3ds Max Biped, DAZ and Poser, VRM, MakeHuman, Second Life and motion capture. */
#ifndef SINEW_MODEL_JOINT_NAME_H
#define SINEW_MODEL_JOINT_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Words, not yet parts of a body: "shoulder" is a collar bone in one rig and an upper arm in another, and "leg" a thigh
 * or a shin. */
typedef enum joint_word {
  WORD_NONE,
  WORD_HIPS,
  WORD_HIP,
  WORD_SPINE,
  WORD_NECK,
  WORD_HEAD,
  WORD_CLAVICLE,
  WORD_SHOULDER,
  WORD_UPPER_ARM,
  WORD_ARM,
  WORD_FOREARM,
  WORD_HAND,
  WORD_THIGH,
  WORD_LEG,
  WORD_SHIN,
  WORD_FOOT,
  WORD_TOES,
  WORD_THUMB,
  WORD_INDEX,
  WORD_MIDDLE,
  WORD_RING,
  WORD_PINKY
} joint_word;

typedef enum joint_side { SIDE_NONE, SIDE_LEFT, SIDE_RIGHT } joint_side;

enum { JOINT_PLAIN_SIZE = 64 };

/* The name in a common spelling: "mixamorig:LeftHand_01", "hand.L.1" and "Hand1_l" are all "hand1", on the left.
 * Ignores a first part equal to `prefix` (lower case, or NULL). */
joint_side joint_name_plain(const char *name, const char *prefix, char plain[JOINT_PLAIN_SIZE]);

/* The word in a name, and its side. WORD_NONE if any part of it is unknown: "LeftArmTwist" is not an arm. */
joint_word joint_name_word(const char *name, const char *prefix, joint_side *side);

/* The first part of a name, in lower case: a candidate for the skeleton's common prefix. */
void joint_name_first(const char *name, char first[JOINT_PLAIN_SIZE]);

#endif
