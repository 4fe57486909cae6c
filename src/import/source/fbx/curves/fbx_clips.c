#include "import/source/fbx/curves/fbx_clips.h"

static void add_marks(fbx_marks *to, const fbx_marks *from) {
  fbx_marks_rewind(to);
  for (int i = 0; i < from->count; i++) fbx_add_mark(to, from->items[i].time, from->items[i].corner);
}

bool fbx_make_tracks(fbx_maker *m, const fbx_function *function) {
  fbx_sampling alone = {m->scene, m->clip, &m->own};
  if (!fbx_marks_sort(&m->own)) return false;
  if (function->course >= FBX_STRAIGHT) return fbx_sample_alone(&alone, function);
  add_marks(&m->all, &m->own);
  fbx_function *kept = raw_grow(&m->scene->file->memory, (void **)&m->functions, &m->function_count,
                                &m->function_capacity, sizeof *kept);
  if (kept) *kept = *function;
  return kept != NULL;
}

static bool make_clip(fbx_maker *m, const fbx_blends *blends) {
  raw_model *raw = m->scene->raw;
  m->clip = raw_grow(raw, (void **)&raw->clips, &raw->clip_count, &raw->clip_capacity, sizeof *raw->clips);
  if (!m->clip) return false;
  *m->clip = (raw_clip){.name = raw_string(raw, m->stack->name), .lean = true};
  m->function_count = 0;
  fbx_marks_start(&m->all, m->stack->start, m->stack->stop);
  if (!m->clip->name || !fbx_make_joints(m) || !fbx_make_percents(m, blends) || !fbx_marks_sort(&m->all)) return false;
  fbx_sampling together = {m->scene, m->clip, &m->all};
  return fbx_sample_together(&together, m->functions, m->function_count);
}

bool fbx_make_clips(fbx_scene *scene, const fbx_animation *animation, const fbx_skeleton *skeleton,
                    const fbx_blends *blends) {
  fbx_maker m = {.scene = scene, .skeleton = skeleton};
  m.own.memory = m.all.memory = &scene->file->memory;
  if (animation->count == 0) return true;
  bool made = fbx_find_reach(scene, skeleton, &m.reach);
  for (int i = 0; made && i < animation->count; i++) {
    m.stack = animation->stacks + i;
    made = !m.stack->item_count || make_clip(&m, blends);
  }
  fbx_marks_free(&m.own);
  fbx_marks_free(&m.all);
  return made;
}
