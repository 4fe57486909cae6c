/* fbx_frames – frames of numbers with their times, in chunks: growing copies nothing and leaves little room empty. */
#ifndef SINEW_IMPORT_FBX_FRAMES_H
#define SINEW_IMPORT_FBX_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fbx_frames {
  int width; /* set before the first frame */
  size_t count;
  double **chunks; /* the times of a chunk's frames, then the frames */
  size_t chunk_count, chunk_capacity;
} fbx_frames;

/* False when memory runs out. */
bool fbx_frames_add(fbx_frames *frames, double time, const double *numbers);
void fbx_frames_free(fbx_frames *frames);

enum { FRAMES_A_CHUNK = 32 };

static inline double *fbx_frame_time(const fbx_frames *frames, size_t frame) {
  return frames->chunks[frame / FRAMES_A_CHUNK] + frame % FRAMES_A_CHUNK;
}

static inline float *fbx_frame_at(const fbx_frames *frames, size_t frame) {
  float *first = (float *)(frames->chunks[frame / FRAMES_A_CHUNK] + FRAMES_A_CHUNK);
  return first + frame % FRAMES_A_CHUNK * (size_t)frames->width;
}

#endif
