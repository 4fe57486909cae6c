#include "import/source/fbx/curves/fbx_frames.h"

#include "base/memory/memory.h"

static bool add_chunk(fbx_frames *frames) {
  if (frames->chunk_count == frames->chunk_capacity) {
    size_t capacity = frames->chunk_capacity ? 2 * frames->chunk_capacity : 8;
    double **chunks = mem_resize(frames->chunks, capacity * sizeof *chunks);
    if (!chunks) return false;
    frames->chunks = chunks;
    frames->chunk_capacity = capacity;
  }
  double *chunk = mem_alloc_array(FRAMES_A_CHUNK, sizeof *chunk + (size_t)frames->width * sizeof(float));
  if (chunk) frames->chunks[frames->chunk_count++] = chunk;
  return chunk != NULL;
}

bool fbx_frames_add(fbx_frames *frames, double time, const double *numbers) {
  if (frames->count == frames->chunk_count * FRAMES_A_CHUNK && !add_chunk(frames)) return false;
  float *frame = fbx_frame_at(frames, frames->count);
  for (int i = 0; i < frames->width; i++) frame[i] = (float)numbers[i];
  *fbx_frame_time(frames, frames->count++) = time;
  return true;
}

void fbx_frames_free(fbx_frames *frames) {
  for (size_t i = 0; i < frames->chunk_count; i++) mem_free(frames->chunks[i]);
  mem_free(frames->chunks);
}
