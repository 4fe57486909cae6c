#include "import/source/fbx/curves/fbx_animation.h"

#include <math.h>
#include <string.h>

static const fbx_animated *fbx_next_animated(const fbx_stack *stack, const fbx_animated *item);
static bool fbx_takes_read(fbx_scene *scene, fbx_animation *animation);

static const int64_t longest = INT64_C(1) << 61;

/* ---- parts ---- */

/* For functions that fill it. NULL when memory runs out. */
static fbx_stack *fbx_add_stack(fbx_scene *scene, fbx_animation *animation, const char *name) {
  fbx_stack *stack = raw_grow(&scene->file->memory, (void **)&animation->stacks, &animation->count,
                              &animation->capacity, sizeof *stack);
  if (!stack) return NULL;
  *stack = (fbx_stack){.name = name, .first = fbx_take(scene->file, (size_t)scene->object_count, sizeof(int32_t))};
  return stack->first && name ? stack : NULL;
}

static fbx_anim_layer *fbx_add_layer(fbx_scene *scene, fbx_stack *stack, int object) {
  fbx_anim_layer *layer = raw_grow(&scene->file->memory, (void **)&stack->layers, &stack->layer_count,
                                   &stack->layer_capacity, sizeof *layer);
  if (layer) *layer = (fbx_anim_layer){.object = object, .weight = 1};
  return layer;
}

static const char *const channel_names[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};

/* A shape nested in a geometry is animated by a property of the geometry or its model with the shape's name. */
static int find_nested_shape(const fbx_scene *scene, const fbx_object *o, const char *property) {
  const fbx_object *geometry = o->type == FBX_GEOMETRY ? o : fbx_first_child(scene, o, FBX_GEOMETRY);
  const fbx_object *blend = geometry ? fbx_first_child(scene, geometry, FBX_BLEND) : NULL, *channel = NULL;
  for (int cursor = 0; blend && (channel = fbx_next_child(scene, blend, FBX_CHANNEL, &cursor, NULL));)
    if (fbx_is_named(channel->record, "Shape") && strcmp(channel->name, property) == 0)
      return (int)(channel - scene->objects);
  return -1;
}

/* The kind of property, and its object; −1 if Sinew does not play it. */
static int find_target(const fbx_scene *scene, int *object, const char *property) {
  const fbx_object *o = scene->objects + *object;
  if (o->type == FBX_CHANNEL && strcmp(property, "DeformPercent") == 0) return FBX_PERCENT;
  if (o->type == FBX_LAYER && strcmp(property, "Weight") == 0) return FBX_WEIGHT;
  if (o->type != FBX_MODEL && o->type != FBX_GEOMETRY) return -1;
  for (int i = 0; o->type == FBX_MODEL && i < FBX_CHANNEL_COUNT; i++)
    if (strcmp(property, channel_names[i]) == 0) return i;
  int channel = find_nested_shape(scene, o, property);
  if (channel < 0) return -1;
  *object = channel;
  return FBX_PERCENT;
}

/* The values of the properties without the clip. */
static void find_standard(const fbx_scene *scene, int object, fbx_animated *item) {
  const fbx_object *o = scene->objects + object;
  if (item->target >= FBX_CHANNEL_COUNT) item->standard[0] = fbx_property(o, "DeformPercent", 0);
  else memcpy(item->standard, fbx_rest_of(scene, o).value[item->target], sizeof item->standard);
}

/* Blender writes a shape's percentage twice: at its channel, and as a property of the mesh. */
static bool is_shape_of(const fbx_scene *scene, int object, const char *property) {
  const fbx_object *o = scene->objects + object;
  const fbx_object *blend = o->type == FBX_GEOMETRY ? fbx_first_child(scene, o, FBX_BLEND) : NULL, *channel;
  for (int cursor = 0; blend && (channel = fbx_next_child(scene, blend, FBX_CHANNEL, &cursor, NULL));)
    if (strcmp(channel->name, property) == 0) return true;
  return false;
}

/* *item is NULL if the property is not played here, which adds a note. */
static bool fbx_add_animated(fbx_scene *scene, fbx_animation *animation, fbx_stack *stack, int object,
                             const char *property, fbx_animated **added) {
  int target = find_target(scene, &object, property), index = stack->item_count;
  *added = NULL;
  if (target < 0 && is_shape_of(scene, object, property)) return true;
  if (target < 0) {
    animation->dropped = animation->dropped_count++ ? animation->dropped : property;
    return true;
  }
  fbx_animated *item =
      raw_grow(&scene->file->memory, (void **)&stack->items, &stack->item_count, &stack->item_capacity, sizeof *item);
  if (!item) return false;
  *item = (fbx_animated){.layer = stack->layer_count - 1, .target = target, .next = -1};
  find_standard(scene, object, item);
  int32_t *position = stack->first + object;
  if (*position == 0) *position = index + 1;
  else {
    fbx_animated *last = stack->items + *position - 1;
    while (last->next >= 0) last = stack->items + last->next;
    last->next = index;
  }
  *added = item;
  return true;
}

const fbx_animated *fbx_first_animated(const fbx_stack *stack, int object, int target) {
  const fbx_animated *item = stack->first[object] ? stack->items + stack->first[object] - 1 : NULL;
  return !item || item->target == target
             ? item
             : fbx_next_animated(stack, &(fbx_animated){.target = target, .next = item->next});
}

static const fbx_animated *fbx_next_animated(const fbx_stack *stack, const fbx_animated *item) {
  int target = item->target;
  while (item->next >= 0) {
    item = stack->items + item->next;
    if (item->target == target) return item;
  }
  return NULL;
}

/* ---- stacks of 7.x ---- */

static fbx_curve *find_curve(fbx_scene *scene, fbx_animation *animation, const fbx_object *object, bool *read) {
  fbx_curve **known = animation->curves + (object - scene->objects);
  if (*known) return *known;
  *known = fbx_take(scene->file, 1, sizeof **known);
  if (!*known || !fbx_curve_read(scene, object->record, *known)) *read = false;
  return *known;
}

/* "d|X", in older files "X"; "d|DeformPercent". */
static int axis_of(const char *property) {
  const char *bar = strrchr(property, '|'), *letter = bar ? bar + 1 : property;
  return strcmp(letter, "Y") == 0 ? 1 : strcmp(letter, "Z") == 0 ? 2 : 0;
}

static void read_standards(const fbx_object *node, double standard[3]) {
  static const char *const axes[] = {"d|X", "d|Y", "d|Z"}, *const older[] = {"X", "Y", "Z"};
  for (int i = 0; i < 3; i++) standard[i] = fbx_property(node, axes[i], fbx_property(node, older[i], standard[i]));
  const fbx_record *p = fbx_properties_of(node->record);
  p = p ? p->child : NULL;
  if (p && !p->next) standard[0] = fbx_number(p, 4, standard[0]); /* of a single number, whatever its name */
}

static bool read_curve_node(fbx_scene *scene, fbx_animation *animation, fbx_stack *stack, const fbx_object *node,
                            const fbx_link *link) {
  fbx_animated *item;
  const char *property = NULL;
  const fbx_object *object;
  bool read = true;
  if (!fbx_add_animated(scene, animation, stack, link->to, link->property, &item)) return false;
  if (!item) return true;
  read_standards(node, item->standard);
  for (int cursor = 0; read && (object = fbx_next_child(scene, node, FBX_CURVE, &cursor, &property));) {
    fbx_curve *curve = find_curve(scene, animation, object, &read);
    if (read && curve->key_count) item->curves[axis_of(property)] = curve;
  }
  return read;
}

static bool read_layer(fbx_scene *scene, fbx_animation *animation, fbx_stack *stack, const fbx_object *object) {
  fbx_anim_layer *layer = fbx_add_layer(scene, stack, (int)(object - scene->objects));
  const fbx_object *node;
  if (!layer) return false;
  layer->weight = fbx_property(object, "Weight", 100) / 100;
  double blend = fbx_property(object, "BlendMode", 0);
  layer->blend = blend == 1 ? 1 : blend == 2 ? 2 : 0;
  layer->rotation_by_channel = fbx_property(object, "RotationAccumulationMode", 0) != 0;
  layer->scale_adds = fbx_property(object, "ScaleAccumulationMode", 0) != 0;
  layer->muted = fbx_property(object, "Mute", 0) != 0;
  for (int cursor = 0; (node = fbx_next_child(scene, object, FBX_CURVE_NODE, &cursor, NULL));)
    for (int i = 0; i < node->owner_count; i++) {
      const fbx_link *link = scene->links + scene->owners[node->first_owner + i];
      if (link->to >= 0 && link->property[0] && !read_curve_node(scene, animation, stack, node, link)) return false;
    }
  return true;
}

/* Soloed layers silence the others, but not the first one. */
static void apply_solo(const fbx_scene *scene, fbx_stack *stack) {
  bool any = false;
  for (int i = 0; i < stack->layer_count; i++)
    any |= fbx_property(scene->objects + stack->layers[i].object, "Solo", 0) != 0;
  for (int i = 1; any && i < stack->layer_count; i++)
    stack->layers[i].muted |= fbx_property(scene->objects + stack->layers[i].object, "Solo", 0) == 0;
}

/* ---- spans ---- */

/* In newer files, "Takes" has the span of a stack that has none itself. */
static const fbx_record *find_take(const fbx_scene *scene, const char *name) {
  const fbx_record *take = fbx_child(fbx_child(&scene->file->root, "Takes"), "Take");
  while (take && !fbx_says(take, 0, name)) take = fbx_again(take);
  return take;
}

static int64_t property_time(const fbx_object *object, const char *name) {
  uint32_t first = 0;
  const fbx_record *p = fbx_find_property(fbx_properties_of(object->record), name, &first);
  return fbx_integer(p, first, 0);
}

/* Spans the keys from first to last. */
static void span_of_keys(fbx_stack *stack) {
  bool any = false;
  for (int i = 0; i < stack->item_count; i++)
    for (int k = 0; k < 3; k++) {
      const fbx_curve *curve = stack->items[i].curves[k];
      if (!curve) continue;
      int64_t first = curve->keys[0].time, last = curve->keys[curve->key_count - 1].time;
      stack->start = !any || first < stack->start ? first : stack->start;
      stack->stop = !any || last > stack->stop ? last : stack->stop;
      any = true;
    }
}

/* Replaces an invalid span by that of the stack's keys. */
static void fbx_stack_check_span(fbx_stack *stack) {
  bool sound = stack->start < stack->stop && stack->start > -longest && stack->stop < longest;
  if (!sound) span_of_keys(stack);
}

static void find_span(const fbx_scene *scene, fbx_stack *stack, const fbx_object *object) {
  stack->start = property_time(object, "LocalStart");
  stack->stop = property_time(object, "LocalStop");
  const fbx_record *times = fbx_child(find_take(scene, stack->name), "LocalTime");
  if (stack->start == 0 && stack->stop == 0 && times) {
    stack->start = fbx_integer(times, 0, 0);
    stack->stop = fbx_integer(times, 1, 0);
  }
  fbx_stack_check_span(stack);
}

/* ---- all ---- */

static bool read_stack(fbx_scene *scene, fbx_animation *animation, const fbx_object *object) {
  fbx_stack *stack = fbx_add_stack(scene, animation, object->name);
  const fbx_object *layer;
  if (!stack) return false;
  for (int cursor = 0; (layer = fbx_next_child(scene, object, FBX_LAYER, &cursor, NULL));)
    if (!read_layer(scene, animation, stack, layer)) return false;
  apply_solo(scene, stack);
  find_span(scene, stack, object);
  return true;
}

bool fbx_animation_read(fbx_scene *scene, fbx_animation *animation) {
  *animation = (fbx_animation){.curves = fbx_take(scene->file, (size_t)scene->object_count, sizeof(fbx_curve *))};
  if (!animation->curves) return false;
  for (int i = 0; i < scene->object_count; i++)
    if (scene->objects[i].type == FBX_STACK && !read_stack(scene, animation, scene->objects + i)) return false;
  return scene->file->version >= 7000 || fbx_takes_read(scene, animation);
}

/* ---- Takes of files before 7.0 ---- */

/* Whether it is a channel with keys, or with a constant value. */
static bool is_curve(const fbx_record *channel) { return fbx_child(channel, "Key") || fbx_child(channel, "Default"); }

static bool read_curve(fbx_scene *scene, const fbx_record *channel, fbx_animated *item, int axis) {
  fbx_curve *curve = fbx_take(scene->file, 1, sizeof *curve);
  item->standard[axis] = fbx_number(fbx_child(channel, "Default"), 0, item->standard[axis]);
  if (!curve || !fbx_curve_read_list(scene, channel, curve)) return false;
  if (curve->key_count) item->curves[axis] = curve;
  return true;
}

typedef struct reader {
  fbx_scene *scene;
  fbx_animation *animation;
  fbx_stack *stack;
} reader;

/* Reads one curve, or up to three below it. */
static bool read_property(const reader *r, const fbx_record *channel, int object, const char *name) {
  const fbx_record *axis = fbx_child(channel, "Channel");
  fbx_animated *item;
  if (!is_curve(channel) && (!axis || !is_curve(axis))) return true;
  if (!fbx_add_animated(r->scene, r->animation, r->stack, object, name, &item)) return false;
  if (!item) return true;
  if (is_curve(channel)) return read_curve(r->scene, channel, item, 0);
  for (int i = 0; axis && i < 3; i++, axis = fbx_again(axis))
    if (!read_curve(r->scene, axis, item, i)) return false;
  return true;
}

static bool read_transform(const reader *r, const fbx_record *channel, int object) {
  static const char *const letters[] = {"T", "R", "S"};
  static const char *const names[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
  for (const fbx_record *c = fbx_child(channel, "Channel"); c; c = fbx_again(c))
    for (int i = 0; i < 3; i++)
      if (fbx_says(c, 0, letters[i]) && !read_property(r, c, object, names[i])) return false;
  return true;
}

/* Before 6.0 a shape's channel is called "Smile (Shape)". */
static char *property_name(const reader *r, const fbx_record *channel) {
  char *name = fbx_text(r->scene->file, channel, 0);
  char *suffix = name && r->scene->file->version < 6000 ? strstr(name, " (Shape)") : NULL;
  if (suffix) *suffix = '\0';
  return name;
}

static bool read_model(const reader *r, const fbx_record *model) {
  int object = fbx_find_id(r->scene, fbx_hash(model, 0));
  for (const fbx_record *c = object >= 0 ? fbx_child(model, "Channel") : NULL; c; c = fbx_again(c)) {
    const char *name = property_name(r, c);
    if (!name) return false;
    bool transform = strcmp(name, "Transform") == 0;
    if (transform ? !read_transform(r, c, object) : !read_property(r, c, object, name)) return false;
  }
  return true;
}

static bool read_take(fbx_scene *scene, fbx_animation *animation, const fbx_record *take) {
  reader r = {scene, animation, fbx_add_stack(scene, animation, fbx_text(scene->file, take, 0))};
  const fbx_record *times = fbx_child(take, "LocalTime");
  if (!r.stack || !fbx_add_layer(scene, r.stack, -1)) return false;
  for (const fbx_record *model = fbx_child(take, "Model"); model; model = fbx_again(model))
    if (!read_model(&r, model)) return false;
  r.stack->start = fbx_integer(times, 0, 0);
  r.stack->stop = fbx_integer(times, 1, 0);
  fbx_stack_check_span(r.stack);
  return true;
}

/* Before 6.0, models have channels beside those of the takes: a pose. */
static bool read_pose(fbx_scene *scene, fbx_animation *animation) {
  const fbx_record *model = fbx_child(&scene->file->root, "Model");
  while (model && !fbx_child(model, "Channel")) model = fbx_again(model);
  if (scene->file->version >= 6000 || !model) return true;
  reader r = {scene, animation, fbx_add_stack(scene, animation, "Rest")};
  if (!r.stack || !fbx_add_layer(scene, r.stack, -1)) return false;
  for (; model; model = fbx_again(model))
    if (!read_model(&r, model)) return false;
  fbx_stack_check_span(r.stack);
  return true;
}

/* fbx_animation.c: of files before 7.0. */
static bool fbx_takes_read(fbx_scene *scene, fbx_animation *animation) {
  const fbx_record *take = fbx_child(fbx_child(&scene->file->root, "Takes"), "Take");
  for (; take; take = fbx_again(take))
    if (!read_take(scene, animation, take)) return false;
  return read_pose(scene, animation);
}

/* ---- Blends the values that the layers of a stack give a property (Autodesk, "Using the blend modes") ---- */

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
