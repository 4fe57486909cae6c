#include "import/source/unsupported.h"

#include "base/file.h"

#include <string.h>
#include <strings.h>

/* ---- keys far apart ---- */

static bool is_same_value(const raw_track *track, int a, int b) {
  return memcmp(raw_key(track, a), raw_key(track, b), (size_t)clip_kind_width(track->kind) * sizeof(float)) == 0;
}

/* The longest time between two keys of different values. */
static double widest_gap(const raw_clip *clip) {
  double widest = 0;
  for (int i = 0; i < clip->track_count; i++) {
    const raw_track *track = clip->tracks + i;
    for (int k = 1; k < track->key_count; k++) {
      double gap = track->times[k] - track->times[k - 1];
      if (gap > widest && !is_same_value(track, k, k - 1)) widest = gap;
    }
  }
  return widest;
}

/* If there is a key for every frame, however slow, nothing visible happens between keys. */
static const double frame_apart = 0.07;

static bool note_curves(raw_model *raw) {
  for (int i = 0; i < raw->clip_count; i++) {
    double gap = widest_gap(raw->clips + i);
    if (gap > frame_apart &&
        !raw_note(raw,
                  "clip '%s': between keys up to %.2g s apart, curves that bend or jump are played straight: export it "
                  "with a key for every frame",
                  raw->clips[i].name, gap))
      return false;
  }
  return true;
}

bool note_unsupported(raw_model *raw, const import_files *files) {
  if (raw->format == RAW_COLLADA) return raw->straight_curves == 0 || note_curves(raw);
  return strcasecmp(path_extension(files->path), "iqm") != 0 ||
         raw_note(raw, "of an IQM file only the meshes are read, not its joints and clips: glTF holds all of it");
}
