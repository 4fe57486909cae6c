/* Takes of files before 7.0: channels of models, nested as "Transform" ▸ "T" ▸ "X". */
#include "import/source/fbx/curves/fbx_animation.h"

#include <string.h>

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

bool fbx_takes_read(fbx_scene *scene, fbx_animation *animation) {
  const fbx_record *take = fbx_child(fbx_child(&scene->file->root, "Takes"), "Take");
  for (; take; take = fbx_again(take))
    if (!read_take(scene, animation, take)) return false;
  return read_pose(scene, animation);
}
