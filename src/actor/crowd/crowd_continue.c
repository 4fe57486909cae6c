/* Continues a crowd from the state of another. */
#include "actor/stage.h"
#include "base/memory/memory.h"

#include <string.h>

static int find_clip(const sinew_model *model, const char *name) {
  for (int i = 0; i < model->clip_count; i++)
    if (strcmp(model->clips[i].name, name) == 0) return i;
  return -1;
}

/* For each clip of `from`, finds the one in `to`. */
static int *match_clips(const sinew_model *from, const sinew_model *to) {
  int *clips = mem_alloc_array((size_t)from->clip_count + 1, sizeof *clips);
  for (int i = 0; clips && i < from->clip_count; i++) clips[i] = from == to ? i : find_clip(to, from->clips[i].name);
  return clips;
}

/* The slot of `from` that plays the clip, or −1. */
static int find_slot(const crowd *from, int character, const int *clips, int clip) {
  for (int s = 0; s < from->characters.slot_count; s++) {
    int32_t played = from->characters.slots[s].clip[character];
    if (played >= 0 && played < from->model->clip_count && clips[played] == clip) return s;
  }
  return -1;
}

static void carry_times(const crowd *to, const crowd *from, const int *clips, int character) {
  double phase = crowd_phase(from, character);
  for (int s = 0; s < to->characters.slot_count; s++) {
    const sinew_crowd_slot *slot = to->characters.slots + s;
    int32_t clip = slot->clip[character];
    if (clip < 0 || clip >= to->model->clip_count) continue;
    int same = find_slot(from, character, clips, clip);
    slot->time[character] =
        same >= 0 ? from->characters.slots[same].time[character] : phase * to->model->clips[clip].duration;
  }
}

/* Shows this until the next update, which computes it anew. */
static void show_as(const crowd *to, const crowd *from, const int *clips, int character) {
  for (int s = 0; s < to->characters.slot_count; s++) {
    const sinew_crowd_slot *slot = to->characters.slots + s, *was = from->characters.slots + s;
    bool has = s < from->characters.slot_count;
    int32_t clip = has ? was->clip[character] : -1;
    bool known = clip >= 0 && clip < from->model->clip_count && clips[clip] >= 0;
    slot->clip[character] = known ? clips[clip] : -1;
    slot->time[character] = known ? was->time[character] : 0;
    slot->weight[character] = known ? was->weight[character] : 0;
  }
}

bool sinew_crowd_continue(sinew_stage *stage, sinew_crowd id, sinew_crowd from) {
  const crowd *to = stage_find_crowd(stage, id), *old = stage_find_crowd(stage, from);
  if (!to || !old || to == old || stage_closed(stage)) return false;
  int *clips = match_clips(old->model, to->model);
  int count = to->characters.count < old->characters.count ? to->characters.count : old->characters.count;
  if (!clips) return false;
  if (to->graph.shared) {
    crowd_graph_view view = crowd_view_of(to, &stage->markers), was = crowd_view_of(old, &stage->markers);
    crowd_graph_take_over(&to->graph, &view, &(crowd_graph_old){&old->graph, &was, clips}, count);
    for (int i = 0; i < count; i++) show_as(to, old, clips, i);
  } else {
    for (int i = 0; i < count; i++) carry_times(to, old, clips, i);
  }
  mem_free(clips);
  return true;
}
