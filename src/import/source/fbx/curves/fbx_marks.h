/* fbx_marks – the moments at which curves have keys, and the kind of change there: the best places for frames of a
 * clip. */
#ifndef SINEW_IMPORT_FBX_MARKS_H
#define SINEW_IMPORT_FBX_MARKS_H

#include "import/source/fbx/curves/fbx_curve.h"

typedef enum fbx_corner { FBX_SMOOTH, FBX_KINK, FBX_JUMP } fbx_corner;

typedef struct fbx_mark {
  int64_t time;
  fbx_corner corner;
} fbx_mark;

/* The marks of a span, including its ends. There is a limit, beyond which marks are left out. */
typedef struct fbx_marks {
  raw_model *memory; /* for the error message when memory runs out */
  fbx_mark *items;
  int count, capacity;
  int next; /* a guess for the next mark: most curves have the same keys */
  int64_t first, last;
  bool failed; /* memory has run out, and the error is set */
} fbx_marks;

void fbx_marks_free(fbx_marks *marks);
/* Empties the list for a span. */
void fbx_marks_start(fbx_marks *marks, int64_t first, int64_t last);
/* Allows adding marks in order again. */
void fbx_marks_rewind(fbx_marks *marks);
void fbx_add_mark(fbx_marks *marks, int64_t time, fbx_corner corner);
/* A mark for each key of a curve and for the start of each cycle. */
void fbx_mark_curve(fbx_marks *marks, const fbx_curve *curve);
/* Sorts the marks and removes duplicates. False if memory has run out. */
bool fbx_marks_sort(fbx_marks *marks);

#endif
