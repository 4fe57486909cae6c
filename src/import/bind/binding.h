/* binding – a clip file while it is bound; shared by the files of this folder. Joints are counted from the virtual
 * root: node i is joint i + 1. Memory belongs to the target model. */
#ifndef SINEW_IMPORT_BINDING_H
#define SINEW_IMPORT_BINDING_H

#include "import/raw/raw.h"
#include "model/model_space.h"
#include "model/retarget/retarget.h"

typedef enum bind_mode {
  BIND_SAME,     /* one rig: curves are copied, lengths are multiplied by `ratio` */
  BIND_RESIZED,  /* the same joints with other bones: rotations are copied, positions keep our bones' lengths */
  BIND_CORRECTED /* other joints or rest poses: everything is computed again */
} bind_mode;

/* The ways in which the file's clips move a joint. */
enum {
  MOVE_ROTATION = 1,
  MOVE_TRANSLATION = 2,
  MOVE_SCALE = 4,
  MOVE_OFFSET = 8,    /* by more than a few percent */
  MOVE_FROM_REST = 16 /* at all: many files have a curve for a joint that stands still */
};

typedef struct binding {
  raw_model *raw;
  const raw_model *from;
  skeleton_view ours, theirs;
  joint_map map;
  retarget_plan plan;
  sinew_transform *our_rest, *their_rest; /* model space */
  uint8_t *moves;                         /* of their joints, in any clip */
  int notes_before;                       /* of the model, without the notes of this file */
  bind_mode mode;
  double ratio;       /* our local lengths over theirs */
  double world_ratio; /* the same in model space, including the scales above */
} binding;

/* Converts the clip to our joints and appends its tracks to `clip`, copied or computed again, depending on the mode.
 * False when memory runs out. */
bool copy_clip(const binding *b, const raw_clip *from, raw_clip *clip);
bool retarget_clip(const binding *b, const raw_clip *from, raw_clip *clip);
/* The model-space rotation that is copied to a joint, including its ancestors'. */
sinew_quat copy_rotation(const binding *b, int ours);

/* Appends curves of morph weights to `clip`: to targets of the same name, on meshes of the same name if there are any,
 * else on any mesh. Counts those without a target. */
bool bind_morphs(const binding *b, const raw_clip *from, raw_clip *clip, int *unbound);

/* An empty track at the end of the clip, or NULL. */
raw_track *add_raw_track(raw_model *raw, raw_clip *clip);

#endif
