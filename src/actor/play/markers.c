#include "actor/play/markers.h"

#include "base/error.h"
#include "base/memory/memory.h"
#include "model/model.h"

#include <stdlib.h>

static model_markers *find_model(const marker_table *table, const sinew_model *model) {
  for (int i = 0; i < table->count; i++)
    if (table->models[i].model == model) return table->models + i;
  return NULL;
}

const clip_markers *markers_of(const marker_table *table, const sinew_model *model, int clip) {
  static const clip_markers none;
  const model_markers *found = find_model(table, model);
  return found ? found->clips + clip : &none;
}

static void free_clip(clip_markers *c) {
  for (int i = 0; i < c->count; i++) mem_free((char *)(uintptr_t)c->items[i].name);
  mem_free(c->items);
  mem_free(c->sync);
  *c = (clip_markers){0};
}

void markers_forget_retired(marker_table *table) {
  for (int i = 0; i < table->retired_count; i++) free_clip(table->retired + i);
  table->retired_count = 0;
}

void markers_reset(marker_table *table) {
  markers_forget_retired(table);
  mem_free(table->retired);
  for (int i = 0; i < table->count; i++) {
    model_markers *m = table->models + i;
    for (int c = 0; c < m->model->clip_count; c++) free_clip(m->clips + c);
    mem_free(m->clips);
    sinew_model_release(m->model);
  }
  mem_free(table->models);
  *table = (marker_table){0};
}

static model_markers *add_model(marker_table *table, sinew_model *model) {
  if (!array_reserve((void **)&table->models, &table->capacity, table->count + 1, sizeof *table->models)) return NULL;
  clip_markers *clips = mem_alloc_zeroed((size_t)model->clip_count * sizeof *clips);
  if (!clips) return NULL;
  table->models[table->count] = (model_markers){sinew_model_retain(model), clips};
  return table->models + table->count++;
}

static int by_time(const void *a, const void *b) {
  double left = ((const sinew_marker *)a)->time, right = ((const sinew_marker *)b)->time;
  return (left > right) - (left < right);
}

static bool copy_markers(clip_markers *out, const sinew_marker *markers, int count) {
  out->items = mem_alloc_zeroed((size_t)count * sizeof *out->items);
  out->sync = mem_alloc_zeroed((size_t)count * sizeof *out->sync);
  if (!out->items || !out->sync) return false;
  for (out->count = 0; out->count < count; out->count++) {
    out->items[out->count] = markers[out->count];
    if (!(out->items[out->count].name = mem_copy_string(markers[out->count].name))) return false;
  }
  qsort(out->items, (size_t)count, sizeof *out->items, by_time);
  for (int i = 0; i < count; i++)
    if (out->items[i].sync) out->sync[out->sync_count++] = i;
  return true;
}

static bool reserve_retired(marker_table *table) {
  return array_reserve((void **)&table->retired, &table->retired_capacity, table->retired_count + 1,
                       sizeof *table->retired);
}

static bool check(const sinew_model *model, int clip, const sinew_marker *markers, int count, sinew_error *error) {
  if (clip < 0 || clip >= model->clip_count || count < 0) {
    error_set(error, "there is no clip %d in %s", clip, sinew_model_path(model));
    return false;
  }
  const sinew_clip *c = model->clips + clip;
  for (int i = 0; i < count; i++) {
    if (!markers[i].name || !markers[i].name[0]) {
      error_set(error, "a marker of the clip '%s' has no name", sinew_clip_name(c));
      return false;
    }
    if (markers[i].time >= 0 && markers[i].time <= c->duration) continue;
    error_set(error, "the marker '%s' lies at %g s, outside of the clip '%s' (0 to %g s)", markers[i].name,
              markers[i].time, sinew_clip_name(c), c->duration);
    return false;
  }
  return true;
}

bool markers_set(marker_table *table, sinew_model *model, int clip, const sinew_marker *markers, int count,
                 sinew_error *error) {
  if (!check(model, clip, markers, count, error)) return false;
  model_markers *m = find_model(table, model);
  if (!m && count == 0) return true;
  clip_markers fresh = {0};
  if ((!m && !(m = add_model(table, model))) || !reserve_retired(table) ||
      (count && !copy_markers(&fresh, markers, count))) {
    free_clip(&fresh);
    error_set(error, "out of memory for the markers of the clip '%s'", sinew_clip_name(model->clips + clip));
    return false;
  }
  table->retired[table->retired_count++] = m->clips[clip];
  m->clips[clip] = fresh;
  return true;
}
