/* history – poses of the last picture, for the velocity of moving vertices. */
#ifndef SINEW_RENDER_HISTORY_H
#define SINEW_RENDER_HISTORY_H

#include <sinew/math.h>

typedef struct history_entry {
  uint64_t id;
  int part; /* of the thing: a skin */
  sinew_mat3x4 transform;
  size_t first, count; /* of its numbers */
} history_entry;

typedef struct history_frame {
  history_entry *entries;
  float *numbers;
  int entry_count, entry_capacity, number_count, number_capacity;
} history_frame;

typedef struct history {
  history_frame last, now;
  int cursor; /* a guess for the next entry of the last picture */
} history;

/* Starts a new picture, in which the poses recorded for the last one can be found. */
void history_begin(history *kept);
/* Records a pose; false when memory runs out. */
bool history_add(history *kept, const history_entry *entry, const float *numbers);
/* The last picture's entry with that id, part and count, or NULL. Fast if entries come in the same order. */
const history_entry *history_find(history *kept, uint64_t id, int part, size_t count);
void history_release(history *kept);

#endif
