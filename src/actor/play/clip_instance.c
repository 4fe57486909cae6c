#include "actor/play/clip_instance.h"

#include "actor/sync/sync_group.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

clip_instance *clip_instance_add(clip_instance_list *list, int clip, int layer, playback *clock) {
  if (list->count == list->capacity) return NULL;
  clip_instance *item = list->items + list->count++;
  item->clip = clip;
  item->layer = layer;
  item->playback = clock;
  item->match = SINEW_MATCH_TIME;
  return item;
}

int clip_instances_choose(const clip_instance *items, int instance_count, const clip_instance *chosen[MAX_ACTIONS]) {
  int count = 0;
  for (int i = 0; i < instance_count; i++) {
    const clip_instance *item = items + i;
    if (!(item->weight > 0)) continue;
    if (count < MAX_ACTIONS) {
      chosen[count++] = item;
      continue;
    }
    int lightest = 0;
    for (int k = 1; k < count; k++)
      if (chosen[k]->weight < chosen[lightest]->weight) lightest = k;
    if (item->weight <= chosen[lightest]->weight) continue;
    memmove(chosen + lightest, chosen + lightest + 1, (size_t)(count - lightest - 1) * sizeof *chosen);
    chosen[count - 1] = item;
  }
  return count;
}

static bool is_first_of_group(const clip_instance_list *list, int index) {
  for (int i = 0; i < index; i++)
    if (list->items[i].sync == list->items[index].sync) return false;
  return true;
}

/* Advances by time, or to the matching moment. */
static void advance_alone(clip_instance *l, const sinew_model *model, model_gait *gait) {
  if (l->match == SINEW_MATCH_TIME || l->step == 0) {
    playback_advance(l->playback, l->step);
    return;
  }
  double duration = model->clips[l->clip].duration;
  course_advance(course_of(gait, l->clip), duration, l->playback, (course_step){l->match, l->step, l->match_value});
  const playback_span span = playback_last_span(l->playback);
  l->rate = (span.to - span.from) / l->step;
}

void clip_instances_advance(clip_instance_list *list, const sinew_model *model, const marker_table *markers,
                            model_gait *gait) {
  for (int i = 0; i < list->count; i++) {
    playback_mark(list->items[i].playback);
    list->items[i].rate = list->items[i].speed = list->items[i].playback->speed;
    for (int side = 0; side < GAIT_LEGS; side++) list->items[i].leg_time[side] = (double)NAN;
  }
  for (int i = 0; i < list->count; i++) {
    clip_instance *l = list->items + i;
    if (!l->sync) advance_alone(l, model, gait);
    else if (is_first_of_group(list, i)) sync_group_advance(list, i, model, markers, gait);
  }
  for (int i = 0; i < list->count; i++) {
    clip_instance *l = list->items + i;
    l->now = *l->playback;
    l->now.speed = l->rate;
    l->playback = NULL;
    l->time = playback_time(&l->now);
  }
}
