/* bind – puts clips of one file onto the nodes of another: joints are matched (model/names/joint_map.h), curves are
 * copied if the skeletons agree, and computed again if they do not (retarget_clip.h). docs/retargeting.md has the
 * rules. */
#ifndef SINEW_IMPORT_BIND_H
#define SINEW_IMPORT_BIND_H

#include "import/raw/raw.h"

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

#endif
