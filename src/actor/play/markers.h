/* markers – named moments of the clips of models, kept by the stage. */
#ifndef SINEW_ACTOR_MARKERS_H
#define SINEW_ACTOR_MARKERS_H

#include <sinew/event.h>

/* Markers of one clip in the order of time; the sync markers also by themselves. */
typedef struct clip_markers {
  sinew_marker *items;
  int count;
  int *sync; /* indices of the sync markers */
  int sync_count;
} clip_markers;

typedef struct model_markers {
  sinew_model *model; /* retained */
  clip_markers *clips;
} model_markers;

typedef struct marker_table {
  model_markers *models;
  int count, capacity;
  clip_markers *retired; /* replaced, but events may still hold their names */
  int retired_count, retired_capacity;
} marker_table;

/* Never NULL: a clip without markers has none. */
const clip_markers *markers_of(const marker_table *table, const sinew_model *model, int clip);
bool markers_set(marker_table *table, sinew_model *model, int clip, const sinew_marker *markers, int count,
                 sinew_error *error);
/* Frees replaced markers, once nothing holds their names. */
void markers_forget_retired(marker_table *table);
void markers_reset(marker_table *table);

#endif
