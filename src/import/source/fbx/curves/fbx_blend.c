/* What the layers of a stack make of a property together (Autodesk, "Using the blend modes"). */
#include "import/source/fbx/curves/fbx_animation.h"

#include <math.h>
#include <string.h>

static int width_of(int target) { return target < FBX_CHANNEL_COUNT ? 3 : 1; }

static void own_value(const fbx_animated *item, int64_t time, fbx_side side, double *value) {
  for (int i = 0; i < width_of(item->target); i++)
    value[i] = item->curves[i] ? fbx_curve_value(item->curves[i], time, side) : item->standard[i];
}

static double layer_weight(const fbx_stack *stack, const fbx_anim_layer *layer, int64_t time, fbx_side side) {
  double percent[3] = {100 * layer->weight};
  const fbx_animated *item = layer->object < 0 ? NULL : fbx_first_animated(stack, layer->object, FBX_WEIGHT);
  if (item && item->curves[0]) own_value(item, time, side, percent);
  return fmax(0, fmin(1, percent[0] / 100));
}

/* Maya takes all orders for XYZ here. */
static void blend_rotations(bool adds, double weight, const double *layer, double *value) {
  static const double identity[4] = {0, 0, 0, 1};
  double below[4], above[4];
  fbx_from_euler(value, 0, below);
  fbx_from_euler(layer, 0, above);
  if (adds) {
    fbx_quat_slerp(identity, above, weight, above);
    fbx_quat_multiply(below, above, below);
  } else {
    fbx_quat_slerp(below, above, weight, below);
  }
  fbx_to_euler(below, value);
}

/* |s|^w with the sign of s. */
static double power(double s, double weight) { return copysign(pow(fabs(s), weight), s); }

static void blend_layer(const fbx_anim_layer *layer, double weight, int target, const double *v, double *value) {
  bool adds = layer->blend == 0, scales = target == FBX_SCALE && !layer->scale_adds;
  if (layer->blend == 1) memcpy(value, v, (size_t)width_of(target) * sizeof *value);
  else if (target == FBX_ROTATION && !layer->rotation_by_channel) blend_rotations(adds, weight, v, value);
  else
    for (int i = 0; i < width_of(target); i++) {
      if (scales) value[i] = (adds ? value[i] : power(value[i], 1 - weight)) * power(v[i], weight);
      else value[i] = (adds ? value[i] : value[i] * (1 - weight)) + weight * v[i];
    }
}

void fbx_stack_value(const fbx_stack *stack, int object, int target, int64_t time, fbx_side side, double *value) {
  for (const fbx_animated *item = fbx_first_animated(stack, object, target); item;
       item = fbx_next_animated(stack, item)) {
    const fbx_anim_layer *layer = stack->layers + item->layer;
    double own[3];
    if (layer->muted) continue;
    own_value(item, time, side, own);
    if (item->layer == 0) memcpy(value, own, (size_t)width_of(target) * sizeof *value);
    else blend_layer(layer, layer_weight(stack, layer, time, side), target, own, value);
  }
}

bool fbx_stack_is_straight(const fbx_stack *stack, int object, int target) {
  const fbx_animated *item = fbx_first_animated(stack, object, target);
  if (!item) return true;
  if (item->layer != 0 || fbx_next_animated(stack, item)) return false;
  for (int i = 0; i < 3; i++)
    if (item->curves[i] && !fbx_curve_is_straight(item->curves[i])) return false;
  return true;
}

static size_t item_moments(const fbx_stack *stack, const fbx_animated *item, int64_t *out, size_t count,
                           size_t capacity) {
  for (int i = 0; i < 3; i++)
    if (item->curves[i]) count = fbx_curve_moments(item->curves[i], stack->start, stack->stop, out, count, capacity);
  return count;
}

size_t fbx_stack_moments(const fbx_stack *stack, int object, int target, int64_t *out, size_t count, size_t capacity) {
  for (const fbx_animated *item = fbx_first_animated(stack, object, target); item;
       item = fbx_next_animated(stack, item)) {
    const fbx_anim_layer *layer = stack->layers + item->layer;
    const fbx_animated *weight = layer->object < 0 ? NULL : fbx_first_animated(stack, layer->object, FBX_WEIGHT);
    count = item_moments(stack, item, out, count, capacity);
    if (weight) count = item_moments(stack, weight, out, count, capacity);
  }
  return count;
}
