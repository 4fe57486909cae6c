#include "import/source/fbx/curves/fbx_frames.h"

static bool resize(fbx_frames *frames, size_t capacity) {
  double *times = raw_loose_resize(frames->times, capacity * sizeof *times);
  if (times) frames->times = times;
  float *numbers = times ? raw_loose_resize(frames->numbers, capacity * (size_t)frames->width * sizeof *numbers) : NULL;
  if (numbers) frames->numbers = numbers;
  if (numbers) frames->capacity = capacity;
  return numbers != NULL;
}

bool fbx_frames_add(fbx_frames *frames, double time, const double *numbers) {
  if (frames->count == frames->capacity && !resize(frames, frames->count + frames->count / 16 + 32)) return false;
  float *frame = fbx_frame_at(frames, frames->count);
  for (int i = 0; i < frames->width; i++) frame[i] = (float)numbers[i];
  frames->times[frames->count++] = time;
  return true;
}

/* without memory for that, they keep their size */
void fbx_frames_trim(fbx_frames *frames) {
  if (frames->count < frames->capacity) resize(frames, frames->count);
}

void fbx_frames_keep(fbx_frames *frames, raw_model *raw) {
  raw_keep(raw, frames->times);
  raw_keep(raw, frames->numbers);
  frames->times = NULL;
  frames->numbers = NULL;
}

void fbx_frames_free(fbx_frames *frames) {
  raw_loose_free(frames->times);
  raw_loose_free(frames->numbers);
}
