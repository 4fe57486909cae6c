/* bind – puts clips of one file onto the nodes of another: joints are matched (model/names/joint_map.h), curves are
 * copied if the skeletons agree, and computed again if they do not (retarget_clip.h). docs/retargeting.md has the
 * rules. */
#ifndef SINEW_IMPORT_BIND_H
#define SINEW_IMPORT_BIND_H

#include "import/raw/raw.h"
#include "model/model_space.h"
#include "model/retarget/retarget_legs.h"

/* The map of the options for clip files, and which of its names the files had. */
typedef struct bind_pairs {
  sinew_retarget_mode retarget;
  bool skip_unfit;
  const sinew_joint_pair *pairs;
  int count;
  bool *found;          /* a file has a joint of that name */
  const char **nearest; /* otherwise the nearest name in the files, or NULL */
} bind_pairs;

bool bind_pairs_open(bind_pairs *pairs, raw_model *raw, const sinew_load_options *options);
/* After all files: returns false and an error message for a pair whose joint was in no file. */
bool bind_pairs_check(const bind_pairs *pairs, raw_model *raw);

/* Adds the clips of `from` to `raw`, and the matches to raw->clip_files. Nothing of `from` is referenced afterwards.
 * Returns false and an error message when memory runs out, or if the file has no clips or none of its curves found a
 * place, unless such files are skipped. */
bool bind_clips(raw_model *raw, const raw_model *from, bind_pairs *pairs);

/* A clip file while it is bound; shared by the files of this folder. Joints are counted from the virtual root: node i
 * is joint i + 1. Memory belongs to the target model. */

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
  const model_body *their_body, *our_body;
  retarget_plan plan;
  retarget_legs legs;
  sinew_transform *our_rest, *their_rest; /* model space */
  sinew_transform *their_flat;            /* the same with feet that lie flat */
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

/* An empty track at the end of the clip, or NULL. */
raw_track *add_raw_track(raw_model *raw, raw_clip *clip);

/* ---- a file whose rest pose is in mid-stride does not say how it stands; its clips do ---- */

/* Takes the height of the hips from the lowest position of an ankle, and the rotation of each foot from the moment at
 * which it lies lowest, which `their_flat` then has. Any other file lies flat at rest. False when memory runs out. */
bool stride_rest_read(binding *b);

/* ---- decides whether a clip of another file looks the same on our joints as on its own ---- */

/* Compares a bound clip with its source at moments all over it: sets its `fit`, and adds a note if feet go below the
 * ground, hips are 5 % too high or too low, or limbs point 5° elsewhere. False when memory runs out. */
bool verdict_check(const binding *b, const raw_clip *theirs, raw_clip *ours);

#endif
