#include "import/source/fbx/curves/fbx_rows.h"

#include "base/memory/memory.h"

enum { ROWS_A_CHUNK = 32 };

double *fbx_row_time(const fbx_rows *rows, size_t row) { return rows->chunks[row / ROWS_A_CHUNK] + row % ROWS_A_CHUNK; }

float *fbx_row_at(const fbx_rows *rows, size_t row) {
  float *first = (float *)(rows->chunks[row / ROWS_A_CHUNK] + ROWS_A_CHUNK);
  return first + row % ROWS_A_CHUNK * (size_t)rows->width;
}

static bool add_chunk(fbx_rows *rows) {
  if (rows->chunk_count == rows->chunk_capacity) {
    size_t capacity = rows->chunk_capacity ? 2 * rows->chunk_capacity : 8;
    double **chunks = mem_resize(rows->chunks, capacity * sizeof *chunks);
    if (!chunks) return false;
    rows->chunks = chunks;
    rows->chunk_capacity = capacity;
  }
  double *chunk = mem_alloc_array(ROWS_A_CHUNK, sizeof *chunk + (size_t)rows->width * sizeof(float));
  if (chunk) rows->chunks[rows->chunk_count++] = chunk;
  return chunk != NULL;
}

bool fbx_rows_add(fbx_rows *rows, double time, const double *numbers) {
  if (rows->count == rows->chunk_count * ROWS_A_CHUNK && !add_chunk(rows)) return false;
  float *row = fbx_row_at(rows, rows->count);
  for (int i = 0; i < rows->width; i++) row[i] = (float)numbers[i];
  *fbx_row_time(rows, rows->count++) = time;
  return true;
}

void fbx_rows_free(fbx_rows *rows) {
  for (size_t i = 0; i < rows->chunk_count; i++) mem_free(rows->chunks[i]);
  mem_free(rows->chunks);
}
