/* Finds the joints whose scales are uniform in every clip; the others need helpers. */
#include "import/source/fbx/curves/fbx_clips.h"

#include <math.h>
#include <string.h>

static bool is_even(const double *s) {
  double most = fmax(fabs(s[0]), fmax(fabs(s[1]), fabs(s[2])));
  return fabs(s[0] - s[1]) <= 2 * fbx_scale_noise * most && fabs(s[0] - s[2]) <= 2 * fbx_scale_noise * most;
}

static bool is_even_at(const fbx_stack *stack, const fbx_joint *joint, int64_t time) {
  double scale[3];
  memcpy(scale, joint->rest.value[FBX_SCALE], sizeof scale);
  fbx_stack_value(stack, joint->object, FBX_SCALE, time, FBX_AT, scale);
  return is_even(scale);
}

static bool is_even_in(const fbx_stack *stack, const fbx_joint *joint, fbx_marks *marks) {
  int64_t beside = (stack->stop - stack->start) / 257;
  fbx_marks_start(marks, stack->start, stack->stop);
  if (fbx_stack_moves(stack, joint->object, FBX_SCALE, fbx_scale_noise))
    fbx_mark_stack(stack, joint->object, FBX_SCALE, marks);
  for (int i = 0; i < marks->count; i++)
    if (!is_even_at(stack, joint, marks->items[i].time) || !is_even_at(stack, joint, marks->items[i].time + beside))
      return false;
  return true;
}

bool fbx_find_even_scales(fbx_scene *scene, const fbx_animation *animation, fbx_skeleton *skeleton) {
  fbx_marks marks = {.memory = &scene->file->memory};
  for (int i = 0; i < skeleton->count; i++) {
    fbx_joint *joint = skeleton->joints + i;
    joint->even = is_even(joint->rest.value[FBX_SCALE]);
    for (int k = 0; joint->even && k < animation->count; k++)
      if (fbx_first_animated(animation->stacks + k, joint->object, FBX_SCALE))
        joint->even = is_even_in(animation->stacks + k, joint, &marks);
  }
  fbx_marks_free(&marks);
  return !marks.failed;
}
