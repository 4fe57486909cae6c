#include "import/source/fbx/curves/fbx_clips.h"

#include <math.h>
#include <string.h>

/* Fractions of the model's size: for a file with a visible skin, and for a file of clips alone. */
static const double tolerance_of_skin = 3.5e-5, tolerance_of_clips = 2e-4;
/* Floats cannot distinguish positions closer than this fraction of their distance from the origin. */
static const double least_of_distance = 4.8e-7;
/* Anything that a clip enlarges may be off by more, but at most by this factor, because its surroundings are not
 * enlarged. */
static const double most_grown = 2;
/* A joint without vertices is compared at a twentieth of the model's size beside it, as clips do. */
static const double least_reach = 0.05;

/* The global rest matrices of the joints, as rows. */
static void find_positions(const raw_model *raw, double (*positions)[12]) {
  for (int i = 0; i < raw->node_count; i++) {
    double local[12];
    int parent = raw->nodes[i].parent;
    for (int k = 0; k < 12; k++) local[k] = (double)raw->nodes[i].local.m[k];
    if (parent < 0) memcpy(positions[i], local, sizeof local);
    else fbx_matrix_multiply(positions[parent], local, positions[i]);
  }
}

static double column_length(const double *m) {
  double longest = 0;
  for (int c = 0; c < 3; c++) longest = fmax(longest, m[c] * m[c] + m[4 + c] * m[4 + c] + m[8 + c] * m[8 + c]);
  return sqrt(longest);
}

static double distance(const double *a, const double *b) {
  double x = a[3] - b[3], y = a[7] - b[7], z = a[11] - b[11];
  return sqrt(x * x + y * y + z * z);
}

/* ---- size ---- */

typedef struct box {
  double low[3], high[3];
} box;

static void widen(box *b, const double *p) {
  for (int k = 0; k < 3; k++) b->low[k] = fmin(b->low[k], p[k]), b->high[k] = fmax(b->high[k], p[k]);
}

static bool is_one_of(const fbx_scene *scene, const fbx_joint *joint, const char *const *kinds) {
  const fbx_record *record = scene->objects[joint->object].record;
  for (uint32_t subclass = scene->file->version < 7000 ? 1 : 2; *kinds; kinds++)
    if (fbx_says(record, subclass, *kinds)) return true;
  return false;
}

static const char *const bones[] = {"LimbNode", "Limb", "Root", NULL};
static const char *const views[] = {"Camera", "Light", "CameraSwitcher", "Optical", NULL};

/* True if there was a bone. */
static bool widen_by_bones(box *b, const fbx_scene *scene, const fbx_skeleton *k, double (*positions)[12]) {
  bool any = false;
  for (int i = 0; i < k->count; i++) {
    const double *at = positions[k->joints[i].node];
    if (!is_one_of(scene, k->joints + i, bones)) continue;
    widen(b, (double[]){at[3], at[7], at[11]});
    any = true;
  }
  return any;
}

static void widen_by_others(box *b, const fbx_scene *scene, const fbx_skeleton *k, double (*positions)[12]) {
  for (int i = 0; i < k->count; i++) {
    const double *at = positions[k->joints[i].node];
    if (!is_one_of(scene, k->joints + i, views)) widen(b, (double[]){at[3], at[7], at[11]});
  }
}

/* Bound meshes are measured as modelled. */
static void widen_by_meshes(box *b, const raw_model *raw, double (*positions)[12]) {
  for (int m = 0; m < raw->mesh_count; m++) {
    const raw_mesh *mesh = raw->meshes + m;
    const double *at = mesh->node >= 0 && mesh->bone_count == 0 ? positions[mesh->node] : NULL;
    for (int v = 0; v < mesh->vertex_count; v++) {
      const float *p = mesh->positions + 3 * (size_t)v;
      double x = (double)p[0], y = (double)p[1], z = (double)p[2], point[3] = {x, y, z};
      for (int k = 0; at && k < 3; k++)
        point[k] = at[4 * k] * x + at[4 * k + 1] * y + at[4 * k + 2] * z + at[4 * k + 3];
      widen(b, point);
    }
  }
}

static void find_size(const fbx_scene *scene, const fbx_skeleton *k, double (*positions)[12], fbx_reach *reach) {
  box b = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  double size = 0, away = 0;
  bool any = widen_by_bones(&b, scene, k, positions);
  widen_by_meshes(&b, scene->raw, positions);
  if (!any && scene->raw->mesh_count == 0) widen_by_others(&b, scene, k, positions);
  for (int i = 0; i < 3; i++) {
    size = fmax(size, b.high[i] - b.low[i]);
    away = fmax(away, fmax(fabs(b.low[i]), fabs(b.high[i])));
  }
  reach->size = isfinite(size) && size > 0 ? size : 1;
  double part = scene->raw->mesh_count > 0 ? tolerance_of_skin : tolerance_of_clips;
  reach->tolerance = fmax(part * reach->size, isfinite(away) ? least_of_distance * away : 0);
}

/* ---- reach ---- */

/* The largest distance of a bone's vertices from it. */
static double bone_reach(const raw_mesh *mesh, const raw_bone *bone, double scale) {
  float farthest = 0;
  for (int i = 0; i < bone->weight_count; i++) {
    const float *p = mesh->positions + 3 * (size_t)bone->weights[i].vertex;
    sinew_vec3 v = sinew_mat3x4_transform_point(&bone->inverse_bind, (sinew_vec3){p[0], p[1], p[2]});
    farthest = fmaxf(farthest, v.x * v.x + v.y * v.y + v.z * v.z);
  }
  return scale * sqrt((double)farthest);
}

/* By raw node, or NULL when memory runs out. */
static double *find_skins(const fbx_scene *scene, double size, double (*positions)[12]) {
  const raw_model *raw = scene->raw;
  double *skins = fbx_take(scene->file, (size_t)raw->node_count, sizeof *skins);
  for (int i = 0; skins && i < raw->mesh_count; i++)
    for (int b = 0; b < raw->meshes[i].bone_count; b++) {
      int node = raw->meshes[i].bones[b].node;
      if (node < 0) continue;
      double far = bone_reach(raw->meshes + i, raw->meshes[i].bones + b, column_length(positions[node]));
      skins[node] = fmin(fmax(skins[node], far), size);
    }
  return skins;
}

/* Children come after their parents: from the last joint on, each passes its reach up. */
static void spread(const fbx_scene *scene, const fbx_skeleton *k, double (*positions)[12], const double *skins,
                   fbx_reach *reach) {
  double size = reach->size;
  for (int i = 0; i < k->count; i++) {
    const raw_node *node = scene->raw->nodes + k->joints[i].node;
    reach->far[i] = node->has_mesh ? size : fmax(least_reach * size, skins[k->joints[i].node]);
    int above = k->joints[i].parent < 0 ? -1 : k->joints[k->joints[i].parent].node;
    reach->stretch[i] = above < 0 ? 1 : fmax(column_length(positions[above]), 1e-9);
  }
  for (int i = k->count - 1; i > 0; i--) {
    int parent = k->joints[i].parent;
    if (parent < 0) continue;
    double far = reach->far[i] + distance(positions[k->joints[i].node], positions[k->joints[parent].node]);
    reach->far[parent] = fmax(reach->far[parent], fmin(far, 4 * size));
  }
}

bool fbx_find_reach(const fbx_scene *scene, const fbx_skeleton *skeleton, fbx_reach *reach) {
  size_t nodes = (size_t)scene->raw->node_count, joints = (size_t)skeleton->count;
  double(*positions)[12] = fbx_take(scene->file, nodes, sizeof *positions);
  reach->stretch = fbx_take(scene->file, joints, sizeof *reach->stretch);
  reach->far = fbx_take(scene->file, joints, sizeof *reach->far);
  if (!positions || !reach->stretch || !reach->far) return false;
  find_positions(scene->raw, positions);
  find_size(scene, skeleton, positions, reach);
  double *skins = find_skins(scene, reach->size, positions);
  if (skins) spread(scene, skeleton, positions, skins, reach);
  return skins != NULL;
}

/* ---- in a clip ---- */

/* How much a joint's own scale may enlarge things, in its clip or at rest; its effective scale; and the world's, with
 * and without that: s, U and W of fbx_skeleton.h. */
typedef struct lengths {
  const double *own;
  double *effective, *unscaled, *whole;
} lengths;

static bool find_lengths(const fbx_scene *scene, const fbx_skeleton *k, lengths *l) {
  size_t count = (size_t)k->count;
  l->effective = fbx_take(scene->file, count, sizeof(double));
  l->unscaled = fbx_take(scene->file, count, sizeof(double));
  l->whole = fbx_take(scene->file, count, sizeof(double));
  if (!l->effective || !l->unscaled || !l->whole) return false;
  for (int i = 0; i < k->count; i++) {
    const fbx_joint *joint = k->joints + i;
    int parent = joint->parent, from = joint->relative ? joint->scale_from : -1;
    l->effective[i] = l->own[i] * (from >= 0 ? l->effective[from] : 1);
    l->unscaled[i] = parent < 0 ? 1 : joint->relative ? l->unscaled[parent] : l->whole[parent];
    l->whole[i] = l->unscaled[i] * l->effective[i];
  }
  return true;
}

static double rest_length(const fbx_joint *joint) {
  const double *s = joint->rest.value[FBX_SCALE];
  return fmax(fabs(s[0]), fmax(fabs(s[1]), fabs(s[2])));
}

/* By raw node: the distance of its vertices, in its own space. NULL when memory runs out. */
static double *find_own_reach(const fbx_scene *scene) {
  const raw_model *raw = scene->raw;
  double *own = fbx_take(scene->file, (size_t)raw->node_count, sizeof *own);
  for (int i = 0; own && i < raw->mesh_count; i++) {
    const raw_mesh *mesh = raw->meshes + i;
    for (int b = 0; b < mesh->bone_count; b++) {
      int node = mesh->bones[b].node;
      if (node >= 0) own[node] = fmax(own[node], bone_reach(mesh, mesh->bones + b, 1));
    }
    for (int v = 0; v < mesh->vertex_count && mesh->bone_count == 0 && mesh->node >= 0; v++) {
      const float *p = mesh->positions + 3 * (size_t)v;
      own[mesh->node] = fmax(own[mesh->node], (double)sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
    }
  }
  return own;
}

static double length_of(const raw_node *node) {
  double x = (double)node->local.m[3], y = (double)node->local.m[7], z = (double)node->local.m[11];
  return sqrt(x * x + y * y + z * z);
}

/* The distance from its parent, without the parent's scale. */
static double own_distance(const raw_model *raw, const fbx_joint *joint) {
  return length_of(raw->nodes + joint->node) + (joint->helper < 0 ? 0 : length_of(raw->nodes + joint->helper));
}

/* `clip` is the enlargement of the joint, apart from the larger allowed error. Joints that grow, and those above, reach
 * as far as the enlarged things that they move. */
static void grow(const fbx_scene *scene, const fbx_skeleton *k, const double *own, const double *rest,
                 const double *clip, fbx_reach *reach) {
  for (int i = k->count - 1; i >= 0; i--) {
    const fbx_joint *joint = k->joints + i;
    int parent = joint->parent;
    if (clip[i] > rest[i]) reach->far[i] = fmax(reach->far[i], own[joint->node] * clip[i]);
    if (parent < 0 || !(clip[parent] > rest[parent] || clip[i] > rest[i])) continue;
    double far = reach->far[i] + own_distance(scene->raw, joint) * clip[parent];
    reach->far[parent] = fmax(reach->far[parent], far);
    reach->stretch[i] = fmax(reach->stretch[i], clip[parent]);
  }
  for (int i = 0; i < k->count; i++) reach->tolerance = fmax(reach->tolerance, least_of_distance * reach->far[i]);
}

bool fbx_reach_in_clip(const fbx_scene *scene, const fbx_skeleton *k, const double *largest, const fbx_reach *rest,
                       fbx_reach *reach) {
  size_t count = (size_t)k->count;
  double *still = fbx_take(scene->file, count, sizeof *still);
  lengths at_rest = {.own = still}, in_clip = {.own = largest};
  bool grows = false;
  *reach = *rest;
  for (int i = 0; still && i < k->count; i++) still[i] = rest_length(k->joints + i);
  if (!still || !find_lengths(scene, k, &at_rest) || !find_lengths(scene, k, &in_clip)) return false;
  for (int i = 0; i < k->count; i++) {
    in_clip.whole[i] /= most_grown;
    grows = grows || in_clip.whole[i] > at_rest.whole[i];
  }
  if (!grows) return true;
  double *own = find_own_reach(scene);
  reach->far = fbx_take(scene->file, count, sizeof *reach->far);
  reach->stretch = fbx_take(scene->file, count, sizeof *reach->stretch);
  if (!own || !reach->far || !reach->stretch) return false;
  memcpy(reach->far, rest->far, count * sizeof *rest->far);
  memcpy(reach->stretch, rest->stretch, count * sizeof *rest->stretch);
  grow(scene, k, own, at_rest.whole, in_clip.whole, reach);
  return true;
}
