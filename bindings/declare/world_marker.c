#include "declare/world.h"

#include <string.h>

/* Markers are the model's on the stage. A load notes what it declares, and its commit makes it so. */

static marker_record *find(const world *w, const sinew_model *model, int clip) {
  for (int i = 0; i < w->marker_count; i++)
    if (w->markers[i]->model == model && w->markers[i]->clip == clip) return w->markers[i];
  return NULL;
}

static void free_record(world *w, marker_record *record) {
  sinew_model_release(record->model);
  world_free(w, record->next);
  world_free(w, record);
}

static marker_record *need(world *w, sinew_model *model, int clip) {
  marker_record *record = find(w, model, clip);
  if (record) return record;
  record = world_allocate(w, sizeof *record);
  if (!record || !world_append(w, &w->markers, &w->marker_count, &w->marker_capacity, record)) {
    world_free(w, record);
    return NULL;
  }
  record->model = sinew_model_retain(model);
  record->clip = clip;
  return record;
}

/* With the names behind them, in one piece. */
static sinew_marker *copy(world *w, const sinew_marker *markers, int count) {
  size_t size = (size_t)count * sizeof *markers;
  for (int i = 0; i < count; i++) size += strlen(markers[i].name) + 1;
  sinew_marker *out = world_allocate(w, size ? size : 1);
  char *text = out ? (char *)(out + count) : NULL;
  for (int i = 0; out && i < count; i++) {
    out[i] = markers[i];
    out[i].name = strcpy(text, markers[i].name);
    text += strlen(text) + 1;
  }
  return out;
}

bool world_set_markers(world *w, sinew_model *model, int clip, const sinew_marker *markers, int count,
                       sinew_error *error) {
  if (!w->loading) return sinew_stage_set_markers(w->stage, model, clip, markers, count, error);
  marker_record *record = need(w, model, clip);
  sinew_marker *next = record ? copy(w, markers, count) : NULL;
  if (!next) return world_fail(error, "out of memory for markers");
  world_free(w, record->next);
  record->next = next;
  record->next_count = count;
  return true;
}

void world_commit_markers(world *w) {
  sinew_error error;
  for (int i = w->marker_count - 1; i >= 0; i--) {
    marker_record *record = w->markers[i];
    if (!sinew_stage_set_markers(w->stage, record->model, record->clip, record->next,
                                 record->next ? record->next_count : 0, &error))
      sinew_log(SINEW_LOG_WARNING, "%s", error.message);
    bool gone = !record->next;
    world_free(w, record->next);
    record->next = NULL;
    if (!gone) continue;
    free_record(w, record);
    w->markers[i] = w->markers[--w->marker_count];
  }
}

void world_rollback_markers(world *w) {
  for (int i = 0; i < w->marker_count; i++) {
    world_free(w, w->markers[i]->next);
    w->markers[i]->next = NULL;
  }
}

void world_clear_markers(world *w) {
  for (int i = 0; i < w->marker_count; i++) {
    sinew_stage_set_markers(w->stage, w->markers[i]->model, w->markers[i]->clip, NULL, 0, NULL);
    free_record(w, w->markers[i]);
  }
  world_free(w, w->markers);
  w->markers = NULL;
  w->marker_count = w->marker_capacity = 0;
}
