/* fbx_rows – rows of numbers with their times, in chunks: growing copies nothing and leaves little room empty. */
#ifndef SINEW_IMPORT_FBX_ROWS_H
#define SINEW_IMPORT_FBX_ROWS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fbx_rows {
  int width; /* set before the first row */
  size_t count;
  double **chunks; /* the times of a chunk's rows, then the rows */
  size_t chunk_count, chunk_capacity;
} fbx_rows;

/* False when memory runs out. */
bool fbx_rows_add(fbx_rows *rows, double time, const double *numbers);
void fbx_rows_free(fbx_rows *rows);

double *fbx_row_time(const fbx_rows *rows, size_t row);
float *fbx_row_at(const fbx_rows *rows, size_t row);

#endif
