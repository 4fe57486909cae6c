/* joint_map – matches the joints of one skeleton with those of another, and stores how each match was found. */
#ifndef SINEW_MODEL_JOINT_MAP_H
#define SINEW_MODEL_JOINT_MAP_H

#include "model/names/humanoid.h"

#include <sinew/model.h>

/* Each joint is matched with at most one of the other skeleton. In this order, so that the user's words come before the
 * file's, and these before a guess:
 *   1. the pairs;
 *   2. the same name, unless the two are different parts of their bodies ("LeftLeg" is a shin in one rig and a thigh in
 *      another); of several with one name the first with the first, the second with the second;
 *   3. the same name without a namespace ("mixamorig:Hips", "Armature|Hips", "Hips");
 *   4. the same part of a body (humanoid.h); spines and necks of other lengths are spread over each other, end to end;
 *   5. names that differ only in spelling ("tail_01.L", "Tail1_left"), for joints that are not part of a body.
 * A guess (4, 5) is dropped if the matched joint is not below the partner of the joint's parent. */
typedef struct joint_map {
  int32_t *ours;    /* for each joint of theirs: ours, or -1 */
  int32_t *theirs;  /* the inverse */
  uint8_t *kinds;   /* sinew_match_kind, for each joint of theirs */
  bool *pair_found; /* for each pair: they have a joint of that name */
  humanoid our_body, their_body;
} joint_map;

typedef struct joint_map_job {
  const skeleton_view *theirs, *ours;
  const sinew_joint_pair *pairs;
  int pair_count;
  const char *what; /* "hero.glb", for messages */
  sinew_error *error;
  const humanoid *their_body, *our_body; /* or NULL: by names and tree alone */
} joint_map_job;

/* The map is one allocation: joint_map_reset. False and an error message if a pair names a joint that we do not have,
 * or memory runs out. */
bool joint_map_find(const joint_map_job *job, joint_map *map);
void joint_map_reset(joint_map *map);

#endif
