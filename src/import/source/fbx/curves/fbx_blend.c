/* Blends the values that the layers of a stack give a property (Autodesk, "Using the blend modes"). */
#include "import/source/fbx/curves/fbx_animation.h"

#include <math.h>
#include <string.h>

static int width_of(int target) { return target < FBX_CHANNEL_COUNT ? 3 : 1; }

void fbx_own_value(const fbx_animated *item, int64_t time, fbx_side side, double *value) {
  for (int i = 0; i < width_of(item->target); i++)
    value[i] = item->curves[i] ? fbx_curve_value(item->curves[i], time, side) : item->standard[i];
}

static double layer_weight(const fbx_stack *stack, const fbx_anim_layer *layer, int64_t time, fbx_side side) {
  double percent[3] = {100 * layer->weight};
  const fbx_animated *item = layer->object < 0 ? NULL : fbx_first_animated(stack, layer->object, FBX_WEIGHT);
  if (item && item->curves[0]) fbx_own_value(item, time, side, percent);
  return fmax(0, fmin(1, percent[0] / 100));
}

/* Maya treats all orders as XYZ here. */
static void blend_rotations(bool adds, double weight, const double *layer, double *value) {
  static const double identity[4] = {0, 0, 0, 1};
  double below[4], above[4];
  fbx_from_euler(value, 0, below);
  fbx_from_euler(layer, 0, above);
  if (adds) {
    if (weight < 1) fbx_quat_slerp(identity, above, weight, above);
    fbx_quat_multiply(below, above, below);
  } else {
    fbx_quat_slerp(below, above, weight, below);
  }
  fbx_to_euler(below, value);
}

/* |s|^w with the sign of s. */
static double power(double s, double weight) {
  return weight == 1 ? s : weight == 0 ? copysign(1, s) : copysign(sinew_pow(fabs(s), weight), s);
}

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
    double own[3] = {0};
    if (layer->muted) continue;
    fbx_own_value(item, time, side, own);
    if (item->layer == 0) memcpy(value, own, (size_t)width_of(target) * sizeof *value);
    else blend_layer(layer, layer_weight(stack, layer, time, side), target, own, value);
  }
}

const fbx_animated *fbx_plain_animated(const fbx_stack *stack, int object, int target) {
  const fbx_animated *item = fbx_first_animated(stack, object, target);
  bool plain = item && item->layer == 0 && !stack->layers[0].muted && !fbx_next_animated(stack, item);
  return plain ? item : NULL;
}

/* ---- properties of curves ---- */

static const fbx_animated *weight_of(const fbx_stack *stack, const fbx_animated *item) {
  const fbx_anim_layer *layer = stack->layers + item->layer;
  return layer->object < 0 ? NULL : fbx_first_animated(stack, layer->object, FBX_WEIGHT);
}

static void add_pieces(const fbx_curve *curve, fbx_pieces *pieces) {
  for (int i = 0; i + 1 < curve->key_count; i++) {
    fbx_segment segment = curve->keys[i].segment;
    if (segment == FBX_CUBIC) pieces->bends = true;
    else if (segment == FBX_LINEAR) pieces->lines = true;
    else pieces->steps = true;
  }
  pieces->lines |= curve->before.type == 'K' || curve->after.type == 'K';
}

fbx_pieces fbx_stack_pieces(const fbx_stack *stack, int object, int target) {
  const fbx_animated *item = fbx_first_animated(stack, object, target);
  fbx_pieces pieces = {.bends = item && (item->layer != 0 || fbx_next_animated(stack, item))};
  for (int i = 0; item && i < 3; i++)
    if (item->curves[i]) add_pieces(item->curves[i], &pieces);
  return pieces;
}

static bool item_moves(const fbx_animated *item, double noise) {
  for (int i = 0; item && i < 3; i++)
    if (item->curves[i] && !fbx_curve_is_still(item->curves[i], noise)) return true;
  return false;
}

bool fbx_stack_moves(const fbx_stack *stack, int object, int target, double noise) {
  for (const fbx_animated *item = fbx_first_animated(stack, object, target); item;
       item = fbx_next_animated(stack, item))
    if (item_moves(item, noise) || item_moves(weight_of(stack, item), 0)) return true;
  return false;
}

static double largest_of_item(const fbx_stack *stack, const fbx_animated *item) {
  double largest = 0;
  for (int i = 0; i < 3; i++) {
    fbx_curve *curve = item->curves[i];
    largest = fmax(largest, curve ? fbx_curve_largest(curve, stack->start, stack->stop) : fabs(item->standard[i]));
  }
  return largest;
}

/* A blended value lies between the values that are blended. */
double fbx_stack_largest_scale(const fbx_stack *stack, int object, double rest) {
  double largest = rest;
  for (const fbx_animated *item = fbx_first_animated(stack, object, FBX_SCALE); item;
       item = fbx_next_animated(stack, item)) {
    const fbx_anim_layer *layer = stack->layers + item->layer;
    double own = largest_of_item(stack, item);
    if (layer->muted) continue;
    if (item->layer == 0) largest = own;
    else if (layer->blend != 0) largest = fmax(largest, own);
    else largest = layer->scale_adds ? largest + own : largest * fmax(1, own);
  }
  return largest;
}

static void mark_item(const fbx_animated *item, fbx_marks *marks) {
  for (int i = 0; item && i < 3; i++)
    if (item->curves[i]) fbx_mark_curve(marks, item->curves[i]);
}

void fbx_mark_stack(const fbx_stack *stack, int object, int target, fbx_marks *marks) {
  for (const fbx_animated *item = fbx_first_animated(stack, object, target); item;
       item = fbx_next_animated(stack, item)) {
    mark_item(item, marks);
    mark_item(weight_of(stack, item), marks);
  }
}
