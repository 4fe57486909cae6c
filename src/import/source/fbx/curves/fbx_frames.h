/* fbx_frames – frames of numbers with their times, shared by tracks. */
#ifndef SINEW_IMPORT_FBX_FRAMES_H
#define SINEW_IMPORT_FBX_FRAMES_H

#include "import/raw/raw.h"

typedef struct fbx_frames {
  int width; /* set before the first frame */
  size_t count, capacity;
  double *times; /* raw_loose_resize */
  float *numbers;
} fbx_frames;

/* False when memory runs out. */
bool fbx_frames_add(fbx_frames *frames, double time, const double *numbers);
/* Shrinks the arrays to their content. */
void fbx_frames_trim(fbx_frames *frames);
/* Hands the times and numbers over to the model. */
void fbx_frames_keep(fbx_frames *frames, raw_model *raw);
/* Frees everything that was not handed over. */
void fbx_frames_free(fbx_frames *frames);

static inline float *fbx_frame_at(const fbx_frames *frames, size_t frame) {
  return frames->numbers + frame * (size_t)frames->width;
}

#endif
