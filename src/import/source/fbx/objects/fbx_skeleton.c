#include "import/source/fbx/objects/fbx_skeleton.h"

#include <math.h>
#include <string.h>

/* ---- the tree ---- */

typedef struct walker {
  fbx_scene *scene;
  fbx_skeleton *skeleton;
  bool *seen;
  int32_t *cursors; /* by joint: the number of its children that have been visited */
} walker;

/* 0 if the file has templates, because its writers leave out values that equal them. */
static int inherit_type(const fbx_object *model) {
  double type = fbx_property(model, "InheritType", model->template ? 0 : 1);
  return type == 0 ? 0 : type == 2 ? 2 : 1;
}

static void add_joint(walker *w, int object, int parent) {
  fbx_object *model = w->scene->objects + object;
  fbx_joint *joint = w->skeleton->joints + w->skeleton->count++;
  int type = inherit_type(model);
  *joint = (fbx_joint){.object = object, .parent = parent, .node = -1, .helper = -1, .scale_from = -1};
  joint->pivots = fbx_pivots_of(model);
  joint->rest = fbx_rest_of(w->scene, model);
  joint->relative = parent >= 0 && type != 1;
  if (joint->relative) joint->scale_from = type == 0 ? parent : w->skeleton->joints[parent].scale_from;
  memcpy(joint->rest_scale, joint->rest.value[FBX_SCALE], sizeof joint->rest_scale);
  for (int i = 0; joint->scale_from >= 0 && i < 3; i++)
    joint->rest_scale[i] *= w->skeleton->joints[joint->scale_from].rest_scale[i];
  w->seen[object] = true;
}

/* The next child of a joint that is a model and has not been placed, or -1. */
static int next_child(const walker *w, int joint) {
  const fbx_object *model = w->scene->objects + w->skeleton->joints[joint].object;
  while (w->cursors[joint] < model->child_count) {
    const fbx_link *link = w->scene->links + w->scene->children[model->first_child + w->cursors[joint]++];
    bool is_model = w->scene->objects[link->from].type == FBX_MODEL && !link->property[0];
    if (is_model && !w->seen[link->from]) return link->from;
  }
  return -1;
}

static void walk(walker *w, int root) {
  if (root < 0 || w->seen[root] || w->scene->objects[root].type != FBX_MODEL) return;
  int joint = w->skeleton->count;
  add_joint(w, root, -1);
  while (joint >= 0) {
    int child = next_child(w, joint);
    if (child >= 0) add_joint(w, child, joint);
    joint = child >= 0 ? w->skeleton->count - 1 : w->skeleton->joints[joint].parent;
  }
}

bool fbx_skeleton_find(fbx_scene *scene, fbx_skeleton *skeleton) {
  int models = 0;
  for (int i = 0; i < scene->object_count; i++) models += scene->objects[i].type == FBX_MODEL;
  walker w = {scene, skeleton, fbx_take(scene->file, (size_t)scene->object_count, 1),
              fbx_take(scene->file, (size_t)models, sizeof(int32_t))};
  *skeleton = (fbx_skeleton){.joints = fbx_take(scene->file, (size_t)models, sizeof *skeleton->joints)};
  if (!w.seen || !w.cursors || !skeleton->joints) return false;
  for (int i = 0; i < scene->root_child_count; i++) {
    const fbx_link *link = scene->links + scene->root_children[i];
    if (!link->property[0]) walk(&w, link->from);
  }
  for (int i = 0; i < scene->object_count; i++) /* those without a parent */
    if (scene->objects[i].type == FBX_MODEL && !fbx_first_owner(scene, scene->objects + i, FBX_MODEL)) walk(&w, i);
  for (int i = 0; i < scene->object_count; i++) walk(&w, i); /* circles */
  return true;
}

/* ---- transforms ---- */

/* A scale used as a divisor: never quite zero. */
static double divisor(double s) { return fabs(s) > 1e-6 ? s : s < 0 ? -1e-6 : 1e-6; }

typedef struct placing {
  const fbx_skeleton *skeleton;
  const fbx_scales *scales;
  fbx_local_of *local;
  const void *user;
} placing;

static void multiply_scale(double *scale, const double *by) {
  for (int i = 0; i < 3; i++) scale[i] *= by[i];
}

/* Goes up to the first joint whose scale is constant. */
static void effective_scale(const placing *p, int joint, double scale[3]) {
  for (int i = 0; i < 3; i++) scale[i] = 1;
  for (int j = joint; j >= 0; j = p->skeleton->joints[j].scale_from) {
    fbx_local own;
    if (!p->scales || !p->scales->move[j]) {
      multiply_scale(scale, p->scales ? p->scales->still[j] : p->skeleton->joints[j].rest_scale);
      return;
    }
    p->local(p->user, j, true, &own);
    multiply_scale(scale, own.value[FBX_SCALE]);
  }
}

static void inherit_scale(const placing *p, const fbx_joint *joint, fbx_placed *placed) {
  double above[3], whole[3];
  effective_scale(p, joint->parent, above);
  effective_scale(p, joint->scale_from, whole);
  for (int i = 0; i < 3; i++) {
    placed->scale[i] *= whole[i];
    placed->helper_scale[i] = 1 / divisor(above[i]);
    if (joint->helper < 0) placed->scale[i] *= placed->helper_scale[i];
  }
}

fbx_placed fbx_position(const fbx_skeleton *k, int index, const fbx_scales *scales, fbx_local_of *local,
                        const void *user) {
  const fbx_joint *joint = k->joints + index;
  placing p = {k, scales, local, user};
  fbx_local own;
  local(user, index, false, &own);
  fbx_transform t = fbx_transform_of(&joint->pivots, &own);
  fbx_placed placed = {.helper_scale = {1, 1, 1}};
  memcpy(placed.angles, own.value[FBX_ROTATION], sizeof placed.angles);
  memcpy(placed.translation, t.translation, sizeof placed.translation);
  memcpy(placed.rotation, t.rotation, sizeof placed.rotation);
  memcpy(placed.scale, t.scale, sizeof placed.scale);
  if (joint->relative) inherit_scale(&p, joint, &placed);
  return placed;
}

/* ---- nodes ---- */

static void rest_local(const void *user, int joint, bool scale_only, fbx_local *local) {
  const fbx_skeleton *k = user;
  (void)scale_only;
  *local = k->joints[joint].rest;
}

static raw_node *add_node(raw_model *raw, const char *name, int parent, const double t[3], const double q[4],
                          const double s[3]) {
  raw_node *node = raw_grow(raw, (void **)&raw->nodes, &raw->node_count, &raw->node_capacity, sizeof *raw->nodes);
  double m[12];
  if (!node) return NULL;
  fbx_matrix_of(t, q, s, m);
  *node = (raw_node){.name = name, .parent = parent, .local = fbx_to_mat3x4(m), .has_rest = true};
  node->rest.translation = (sinew_vec3){(float)t[0], (float)t[1], (float)t[2]};
  node->rest.rotation = (sinew_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
  node->rest.scale = (sinew_vec3){(float)s[0], (float)s[1], (float)s[2]};
  return node;
}

static bool build_joint(fbx_scene *scene, fbx_skeleton *k, int index) {
  static const double zero[3] = {0}, identity[4] = {0, 0, 0, 1};
  fbx_joint *joint = k->joints + index;
  fbx_object *model = scene->objects + joint->object;
  raw_model *raw = scene->raw;
  int parent = joint->parent < 0 ? -1 : k->joints[joint->parent].node;
  const char *name = raw_string(raw, model->name);
  bool split = joint->relative && !k->joints[joint->parent].even;
  if (!name) return false;
  if (split) joint->helper = raw->node_count;
  fbx_placed p = fbx_position(k, index, NULL, rest_local, k);
  if (split) {
    raw_node *helper = add_node(raw, name, parent, p.translation, identity, p.helper_scale);
    if (!helper) return false;
    helper->helper = true;
  }
  joint->node = model->node = raw->node_count;
  return add_node(raw, name, split ? joint->helper : parent, split ? zero : p.translation, p.rotation, p.scale) != NULL;
}

bool fbx_skeleton_build(fbx_scene *scene, fbx_skeleton *k) {
  for (int i = 0; i < k->count; i++) {
    fbx_joint *joint = k->joints + i;
    if (joint->scale_from >= 0) joint->even = joint->even && k->joints[joint->scale_from].even;
    if (!build_joint(scene, k, i)) return false;
  }
  return true;
}
