/* bind – clips of one file onto the nodes of another: joints are matched (model/names/joint_map.h), curves are copied
 * where the skeletons agree, and computed again where they do not (retarget_clip.h). docs/retargeting.md has the rules.
 */
#ifndef SINEW_IMPORT_BIND_H
#define SINEW_IMPORT_BIND_H

#include "import/raw/raw.h"

/* The options for clip files, and what these knew of the map. */
typedef struct bind_pairs {
  sinew_retarget_mode retarget;
  bool skip_unfit;
  const sinew_joint_pair *pairs;
  int count;
  bool *found;          /* some file has a joint of that name */
  const char **nearest; /* else the nearest name that there was, or NULL */
} bind_pairs;

bool bind_pairs_open(bind_pairs *pairs, raw_model *raw, const sinew_load_options *options);
/* After all files: false and an error message for a pair that named no joint of any. */
bool bind_pairs_check(const bind_pairs *pairs, raw_model *raw);

/* Adds the clips of `from` to `raw`, and to raw->clip_files what was matched with what. Nothing of `from` is kept.
 * False and an error message when memory runs out, or where the file holds no clips or none of its curves found a
 * place, unless such a file is skipped. */
bool bind_clips(raw_model *raw, const raw_model *from, bind_pairs *pairs);

#endif
